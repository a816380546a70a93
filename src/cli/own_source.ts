/** The program's own files when it runs from source: what the watch looks at, what must be readable. */

import { fileURLToPath } from "node:url";
import { sourceFiles } from "../host/rebuild.ts";
import { pngWasmPath } from "../image/png_wasm.ts";

/** The tree that this module lies in. */
export const SOURCE_ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");

/** Every source module with deno.json, and the PNG codec where it is in the package cache. */
export function ownSource(): {
  readonly watched: readonly string[];
  readonly read: readonly string[];
  readonly pngWasm?: string;
} {
  const watched = [
    `${SOURCE_ROOT}/main.ts`,
    `${SOURCE_ROOT}/deno.json`,
    ...sourceFiles(`${SOURCE_ROOT}/src`),
  ];
  const read = [`${SOURCE_ROOT}/main.ts`, `${SOURCE_ROOT}/deno.json`, `${SOURCE_ROOT}/src`];
  try {
    return { watched, read, pngWasm: pngWasmPath() };
  } catch {
    // Not in the cache: pictures will say so when one is asked for; all else works without.
    return { watched, read };
  }
}
