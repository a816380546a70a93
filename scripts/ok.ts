/** Every gate, one after the other; all of them run even when an early one fails. */

import { refuseUnknown } from "./arguments.ts";
import { ROOT, runChild } from "./children.ts";

/** A gate: its name and the arguments for `deno`. */
const QUICK: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["format", ["fmt", "--check", "--quiet"]],
  ["lint", ["lint", "--quiet"]],
  ["types", ["check", "--quiet", "main.ts", "src", "scripts", "tests"]],
  ["arrows", ["run", "--allow-all", "scripts/arrows.ts"]],
  ["documents", ["run", "--allow-all", "scripts/docs.ts", "--check"]],
];
const TESTS = ["tests", ["run", "--allow-all", "scripts/test.ts", "--coverage"]] as const;

refuseUnknown("ok", "--quick or nothing", (argument) => argument === "--quick");
const gates = Deno.args.includes("--quick") ? QUICK : [...QUICK, TESTS];
const failed: string[] = [];
for (const [name, args] of gates) {
  say(`— ${name}`);
  const { code } = await runChild(args, { cwd: ROOT });
  if (code !== 0) failed.push(name);
}
say(failed.length === 0 ? "Every gate passed." : `Failed: ${failed.join(", ")}.`);
Deno.exit(failed.length === 0 ? 0 : 1);

function say(line: string): void {
  // deno-lint-ignore no-console
  console.log(line);
}
