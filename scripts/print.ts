/** Writes lines for a person who runs a script. */

/** Writes the line whole, also into a pipe. */
export function print(line: string): void {
  const bytes = new TextEncoder().encode(`${line}\n`);
  for (let sent = 0; sent < bytes.length;) sent += Deno.stdout.writeSync(bytes.subarray(sent));
}
