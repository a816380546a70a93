/** What the one-shot commands print: whole, synchronously, so that an exit cannot cut it off. */

/** Writes to stdout. Never used while serving: there stdout belongs to the protocol. */
export function writeOut(text: string): void {
  writeAll(Deno.stdout, text);
}

/** Writes to stderr. */
export function writeError(text: string): void {
  writeAll(Deno.stderr, text);
}

function writeAll(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let rest = new TextEncoder().encode(text);
  try {
    while (rest.length > 0) rest = rest.subarray(to.writeSync(rest));
  } catch (error) {
    // The reader went away, as with `| head`: what is left is not wanted.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
