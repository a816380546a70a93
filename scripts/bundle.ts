/** Bundles the program: minified, split so that heavy parts load late, stamped with the revision. */

import { gitRevision } from "../src/host/build.ts";
import { pngWasmPath } from "../src/image/png_wasm.ts";
import { ROOT, runChild } from "./children.ts";
import { base64 } from "./hex.ts";

/** The entry of the program and of its two workers, from the root. */
const MAIN = "main.ts";
const WORKER = "src/cli/serve_worker.ts";
const PIXELS = "src/image/pixel_worker.ts";
/** As the source spells them; each must be found in the bundle. */
const WORKER_URL = "./serve_worker.ts";
const PIXELS_URL = "./pixel_worker.ts";
const STAMP = "@@build-rev@@";
const CODEC = "@@png-codec@@";
/** The module that holds the PNG codec. */
const CODEC_MODULE = "png_codec.js";

/** What was made. */
export interface Bundle {
  readonly dir: string;
  /** The entry, absolute. */
  readonly main: string;
  /** Everything besides the entry that an executable has to embed, absolute. */
  readonly others: readonly string[];
  readonly revision: string;
}

/** Bundles into `dir`, an existing empty folder outside of the repository. */
export async function bundle(dir: string): Promise<Bundle> {
  // Each on its own: what they have in common is then not split off into many small files, each
  // of which would cost time at every start.
  await bundleEntry(MAIN, dir);
  await bundleEntry(WORKER, `${dir}/worker`);
  await bundleEntry(PIXELS, `${dir}/pixels`);
  const revision = await gitRevision(ROOT);
  const files = await filesBelow(dir);
  const spawning = await replaceInAll(files, WORKER_URL, "./worker/serve_worker.js");
  if (spawning.length !== 1 || spawning[0] !== `${dir}/main.js`) {
    throw new Error(`The worker's URL stands in ${spawning.join(", ")}, not only in main.js.`);
  }
  const drawing = await replaceInAll(files, PIXELS_URL, "../pixels/pixel_worker.js");
  if (drawing.length !== 1 || !drawing[0]?.startsWith(`${dir}/worker/`)) {
    throw new Error(`The pixel worker's URL stands in ${drawing.join(", ")}, not only in worker/.`);
  }
  const stamped = await replaceInAll(files, STAMP, revision);
  if (stamped.length === 0) throw new Error("The bundle has no place for the revision.");
  const codecs = await placeCodec(files);
  const main = `${dir}/main.js`;
  const others = [...files.filter((file) => file !== main), ...codecs];
  return { dir, main, others, revision };
}

async function bundleEntry(entry: string, dir: string): Promise<void> {
  const { code, output } = await runChild([
    "bundle",
    "--quiet",
    "--minify",
    "--platform=deno",
    "--code-splitting",
    `--outdir=${dir}`,
    entry,
  ], { quiet: true });
  if (code !== 0) throw new Error(`Could not bundle ${entry}:\n${output}`);
}

/** Puts the PNG codec as a module beside each one that loads it. */
async function placeCodec(files: readonly string[]): Promise<readonly string[]> {
  const placed = new Set<string>();
  for (const file of await replaceInAll(files, CODEC, `./${CODEC_MODULE}`)) {
    placed.add(file.replace(/[^/\\]*$/, CODEC_MODULE));
  }
  if (placed.size === 0) throw new Error("Nothing in the bundle asks for the PNG codec.");
  const wasm = await Deno.readFile(pngWasmPath());
  const text = `export default ${JSON.stringify(base64(wasm))};\n`;
  for (const target of placed) await Deno.writeTextFile(target, text);
  return [...placed];
}

/** Replaces `from` wherever it stands; gives the files that had it. */
async function replaceInAll(
  files: readonly string[],
  from: string,
  to: string,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const file of files) {
    const text = await Deno.readTextFile(file);
    if (!text.includes(from)) continue;
    await Deno.writeTextFile(file, text.replaceAll(from, to));
    changed.push(file);
  }
  return changed;
}

async function filesBelow(dir: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(dir)) {
    const path = `${dir}/${entry.name}`;
    if (entry.isDirectory) files.push(...await filesBelow(path));
    else files.push(path);
  }
  return files.sort();
}
