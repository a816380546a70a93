/** One hash over the program's source: tells whether an executable was made from what is here now. */

import { sourceFiles } from "../src/host/rebuild.ts";
import { hex } from "./hex.ts";

/** SHA-256 (hex) over the names and contents of main.ts, deno.json, deno.lock and all of src. */
export async function sourceDigest(root: string): Promise<string> {
  const files = ["main.ts", "deno.json", "deno.lock"]
    .map((name) => `${root}/${name}`)
    .concat(sourceFiles(`${root}/src`));
  const parts: string[] = [];
  for (const file of files) {
    const hash = await crypto.subtle.digest("SHA-256", await Deno.readFile(file));
    parts.push(`${file.slice(root.length)} ${hex(hash)}`);
  }
  const whole = new TextEncoder().encode(parts.join("\n"));
  return hex(await crypto.subtle.digest("SHA-256", whole));
}
