/**
 * How long a client waits at start: spawn → answer to `initialize`, and spawn → answer to
 * `tools/list`, of the executable, in pairs with a bare compiled program that echoes one line.
 */

import { childEnvironment, runChild } from "./children.ts";
import { type Compiler, compilerOf } from "./compile.ts";
import { median } from "./median.ts";
import { print } from "./print.ts";
import { ensureTestExecutable } from "./test_executable.ts";

const PAIRS = 25;
const AIMS = { initialize: 2.0, list: 2.8 };

const INITIALIZE = rpc(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
});
const LIST = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n' + rpc(2, "tools/list", {});

/** Prints each pair and the medians; throws when there is no executable. */
export async function benchStartup(): Promise<void> {
  const made = await ensureTestExecutable();
  if (!made.made) throw new Error(made.reason);
  const directory = await Deno.makeTempDir({ prefix: "ocs-bench-" });
  try {
    const bare = await compileBare(directory, await compilerOf(made.path));
    await measure(bare, made.path, directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function measure(bare: string, bridge: string, directory: string): Promise<void> {
  const args = ["--config-dir", directory];
  const ratios = { initialize: [] as number[], list: [] as number[] };
  await answers(bare, [], [INITIALIZE]);
  await answers(bridge, args, [INITIALIZE, LIST]);
  print("pair   bare ms   initialize ms       tools/list ms");
  for (let pair = 1; pair <= PAIRS; pair++) {
    const [base = NaN] = await answers(bare, [], [INITIALIZE]);
    const [initialize = NaN, list = NaN] = await answers(bridge, args, [INITIALIZE, LIST]);
    ratios.initialize.push(initialize / base);
    ratios.list.push(list / base);
    print(
      `${String(pair).padStart(4)} ${base.toFixed(1).padStart(9)}  ` +
        [initialize, list].map((ms) => `${ms.toFixed(1).padStart(9)} (×${(ms / base).toFixed(2)})`)
          .join("   "),
    );
  }
  for (const [what, aim] of Object.entries(AIMS)) {
    const reached = median(what === "list" ? ratios.list : ratios.initialize);
    const verdict = reached <= aim ? "reached" : "NOT reached";
    print(
      `spawn → ${what === "list" ? "tools/list" : what}: ×${reached.toFixed(2)} of a bare ` +
        `program at the median; aim ×${aim.toFixed(1)}, ${verdict}.`,
    );
  }
}

/** Spawns, sends each text when the one before was answered; ms from the spawn to each answer. */
async function answers(
  command: string,
  args: readonly string[],
  texts: readonly string[],
): Promise<readonly number[]> {
  const start = performance.now();
  const child = new Deno.Command(command, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  const output = child.stdout.getReader();
  const times: number[] = [];
  for (const text of texts) {
    await input.write(new TextEncoder().encode(text));
    for (let done = false; !done;) {
      const { value } = await output.read();
      if (value === undefined) throw new Error(`${command} ended before it answered.`);
      done = value.at(-1) === 0x0a;
    }
    times.push(performance.now() - start);
  }
  await input.close();
  await child.status;
  await output.cancel();
  return times;
}

/**
 * A compiled program that does nothing but answer each chunk of stdin with one line. It is made by
 * what made the executable: two versions of Deno would be compared otherwise.
 */
export async function compileBare(directory: string, { deno, denort }: Compiler): Promise<string> {
  const source = `${directory}/bare.js`;
  const output = `${directory}/bare`;
  await Deno.writeTextFile(
    source,
    `const b = new Uint8Array(65536);
while (await Deno.stdin.read(b) !== null) {
  Deno.stdout.writeSync(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":{}}\\n'));
}
`,
  );
  const { code, output: said } = await runChild([
    ...["compile", "--quiet", "--no-config", "--no-check", "--no-prompt", "--no-code-cache"],
    ...["--output", output, source],
  ], {
    cwd: directory,
    quiet: true,
    ...(deno === undefined ? {} : { command: deno }),
    env: { ...childEnvironment(), ...(denort === undefined ? {} : { DENORT_BIN: denort }) },
  });
  if (code !== 0) throw new Error(`Could not compile the bare program:\n${said}`);
  return output;
}

function rpc(id: number, method: string, params: unknown): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}
