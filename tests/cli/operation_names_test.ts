/** Tests that a misspelt safety option is refused instead of protecting nothing. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { misspeltOperation } from "../../src/cli/operation_names.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { runProgram, SOURCE } from "../support/bridge_program.ts";

function misspelt(...args: readonly string[]): string | undefined {
  const asked = parseCommandLine(args, () => undefined);
  if (asked.kind !== "command") throw new Error(JSON.stringify(asked));
  return misspeltOperation(asked.options);
}

Deno.test("operations that exist are accepted in both lists", () => {
  assertEquals(misspelt("--deny-ops", "run,stop", "--allow-ops", "batch,undo"), undefined);
  assertEquals(misspelt(), undefined);
});

Deno.test("a misspelt operation is named, with the nearest that exists", () => {
  assertEquals(
    misspelt("--deny-ops", "undo,actoin"),
    '--deny-ops names "actoin", which is no operation of ocs_execute. Did you mean "action"?',
  );
  assertStringIncludes(misspelt("--allow-ops", "query") ?? "", '--allow-ops names "query"');
});

Deno.test("the bridge does not start with a safety option that would protect nothing", async () => {
  const env = { OCS_DENY_OPS: "actoin" };
  const outcome = await runProgram({ program: SOURCE, args: [], env });
  assertEquals([outcome.code, outcome.stdout], [2, ""]);
  assertStringIncludes(outcome.stderr, 'OCS_DENY_OPS names "actoin"');
  assertStringIncludes(outcome.stderr, 'Did you mean "action"?');
});
