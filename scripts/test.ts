/** Runs the tests, in parallel, and ends with a plain line taken from the runner's own report. */

import { refuseUnknown } from "./arguments.ts";
import { childEnvironment, ROOT, runChild } from "./children.ts";
import { ensureTestExecutable } from "./test_executable.ts";
import {
  linesCovered,
  readReport,
  reportLine,
  settleReport,
  type TestReport,
} from "./test_report.ts";

/** The least share of src's lines that the tests must run, in percent. */
const COVERAGE_FLOOR = 90;

/** How a terminal is told to change colours. */
const COLOR = new RegExp("\u001b\\[[0-9;]*m", "g");

refuseUnknown(
  "test",
  "--coverage and names of files or folders",
  (argument) => argument === "--coverage" || !argument.startsWith("-"),
);
const coverage = Deno.args.includes("--coverage");
const chosen = Deno.args.filter((argument) => argument !== "--coverage");
const report = await runTests(chosen);
const covered = coverage ? await measureCoverage() : undefined;
const tooLittle = covered !== undefined && covered < COVERAGE_FLOOR;
if (covered !== undefined) {
  say(`Lines of src that the tests ran: ${covered.toFixed(1)} % (floor ${COVERAGE_FLOOR} %).`);
}
say(reportLine(report));
Deno.exit(report.failed > 0 || tooLittle ? 1 : 0);

async function runTests(files: readonly string[]): Promise<TestReport> {
  // Programs that tests start find everything in the cache: none waits for a download.
  const cached = await runChild(
    ["cache", "--quiet", "main.ts", "src/cli/serve_worker.ts", "src/image/pixel_worker.ts"],
  );
  if (cached.code !== 0) return { passed: 0, failed: 1, skipped: 0 };
  if (files.length === 0 || files.some((file) => file.includes("e2e"))) {
    const executable = await ensureTestExecutable();
    if (!executable.made) say(`Without the executable: ${executable.reason}.`);
  }
  const dir = await Deno.makeTempDir({ prefix: "ocs-report-" });
  try {
    const junit = `${dir}/report.xml`;
    const code = await runTestProcess([
      "test",
      "--quiet",
      "--no-check",
      "--allow-all",
      "--no-prompt",
      "--parallel",
      "--reporter=dot",
      `--junit-path=${junit}`,
      ...(coverage ? [`--coverage=${ROOT}/coverage`, "--clean"] : []),
      ...(files.length > 0 ? files : ["tests"]),
    ]);
    const xml = await Deno.readTextFile(junit).catch(() => "");
    return settleReport(readReport(xml), code);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Passes on what the runner prints, with its signs for single tests in rows instead of lines. */
async function runTestProcess(args: readonly string[]): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { ...childEnvironment() },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  let column = 0;
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const plain = line.replaceAll(COLOR, "");
      const sign = [".", ",", "!"].includes(plain);
      const breaks = column > 0 && (!sign || column >= 100);
      write(`${breaks ? "\n" : ""}${sign ? plain : `${line}\n`}`);
      column = sign ? (breaks ? 1 : column + 1) : 0;
    }
  }
  write(`${column > 0 ? "\n" : ""}${rest}`);
  return (await child.status).code;
}

function write(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length;) from += Deno.stdout.writeSync(bytes.subarray(from));
}

async function measureCoverage(): Promise<number> {
  const { code, stdout, output } = await runChild([
    "coverage",
    "--quiet",
    "--lcov",
    `--include=^file://${ROOT}/src/`,
    `${ROOT}/coverage`,
  ], { quiet: true });
  if (code === 0) return linesCovered(stdout);
  say(output);
  return 0;
}

function say(line: string): void {
  // deno-lint-ignore no-console
  console.log(line);
}
