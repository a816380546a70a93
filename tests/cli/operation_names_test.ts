/** Tests that a misspelt operation in an option is refused instead of protecting or delaying nothing. */

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
    '--deny-ops or OCS_DENY_OPS names "actoin", which is no operation of ocs_execute. Did you mean "action"?',
  );
  assertStringIncludes(
    misspelt("--allow-ops", "query") ?? "",
    '--allow-ops or OCS_ALLOW_OPS names "query"',
  );
});

Deno.test("a delay is for an operation that exists, one that reads included", () => {
  assertEquals(misspelt("desk", "--slow", "undo=5", "--freeze", "capture=5"), undefined);
  assertEquals(
    misspelt("desk", "--slow", "undo=5", "--slow", "entites_create=5"),
    '--slow names "entites_create", which is no operation. Did you mean "entities_create"?',
  );
  assertStringIncludes(misspelt("desk", "--freeze", "xyzzyx=5") ?? "", "There are new, open, ");
});

Deno.test("the bridge does not start with a safety option that would protect nothing", async () => {
  const env = { OCS_DENY_OPS: "actoin" };
  const outcome = await runProgram({ program: SOURCE, args: [], env });
  assertEquals([outcome.code, outcome.stdout], [2, ""]);
  assertStringIncludes(outcome.stderr, 'Did you mean "action"?');
});
