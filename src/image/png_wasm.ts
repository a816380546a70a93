/** Where the PNG codec's WebAssembly comes from: beside the program, in the package cache, or handed in. */

import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { InfrastructureError } from "../host/faults.ts";

/** The codec's file name. */
export const PNG_WASM_FILE = "squoosh_png_bg.wasm";

/**
 * The bundling script puts the name of a module here that holds the codec in base64. A module needs
 * no right to be loaded, whereas a worker would need one to read a file, even an embedded one.
 */
const EMBEDDED = "@@png-codec@@";

/** Gives the codec's bytes. */
export type PngWasmSource = () => Promise<BufferSource>;

let provided: PngWasmSource | undefined;
let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * Says where the codec's bytes come from, before the first picture is decoded or encoded. The
 * sandboxed worker calls this with the one file it has been granted; everyone else can leave it.
 */
export function providePngWasm(source: PngWasmSource | string): void {
  provided = typeof source === "string" ? () => Deno.readFile(source) : source;
  compiled = undefined;
}

/**
 * The absolute path of the codec, for the thread that grants a sandboxed worker the right to read
 * it: the copy beside the program when there is one, else the one in the package cache. Throws when
 * there is neither.
 */
export function pngWasmPath(): string {
  const beside = pathBesideProgram();
  if (beside !== undefined && isFile(beside)) return beside;
  const cached = pathInCache();
  if (cached !== undefined) return cached;
  throw new Error(
    `Could not find ${PNG_WASM_FILE}: looked beside the program (${
      beside ?? "no folder"
    }) and in ` +
      "the package cache. Build the program again so that the file is embedded.",
  );
}

/** The codec, compiled once per thread. */
export function pngWasmModule(): Promise<WebAssembly.Module> {
  compiled ??= pngWasmBytes().then((bytes) => WebAssembly.compile(bytes)).catch((error) => {
    // A later call may find the file that this one did not: do not keep the failure.
    compiled = undefined;
    throw error;
  });
  return compiled;
}

/** The codec's bytes, for another thread that may not read them itself. */
export async function pngWasmBytes(): Promise<BufferSource> {
  if (provided !== undefined) return await provided();
  if (!EMBEDDED.startsWith("@@")) return await embeddedWasm();
  const beside = pathBesideProgram();
  if (beside !== undefined) {
    try {
      return await Deno.readFile(beside);
    } catch {
      // Run from source there is no copy beside this file, or no right to look: the cache has it.
    }
  }
  const path = pngWasmPath();
  try {
    return await Deno.readFile(path);
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    throw new InfrastructureError(
      `Could not read the PNG codec at ${path}: ${seen}. Pictures cannot be compared or cut until ` +
        "the bridge can read that file.",
    );
  }
}

async function embeddedWasm(): Promise<BufferSource> {
  const module: { readonly default: string } = await import(
    new URL(EMBEDDED, import.meta.url).href
  );
  return Uint8Array.from(atob(module.default), (character) => character.charCodeAt(0));
}

function pathBesideProgram(): string | undefined {
  const folder = import.meta.dirname;
  return folder === undefined ? undefined : `${folder}/${PNG_WASM_FILE}`;
}

function pathInCache(): string | undefined {
  try {
    const path = fileURLToPath(
      import.meta.resolve("@jsquash/png/codec/pkg/squoosh_png_bg.wasm"),
    );
    return isAbsolute(path) ? path : undefined;
  } catch {
    // A bundle has no import map: the bare name does not resolve there.
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    // Not there, or no right to look: both mean that this path is of no use.
    return false;
  }
}
