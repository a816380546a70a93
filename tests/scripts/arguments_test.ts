/** Tests that a script refuses what it does not know instead of running without it. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { ROOT, runChild } from "../../scripts/children.ts";

const LINES = [
  ["test", "--coverge", "tests/host/build_test.ts"],
  ["test", "-x", "tests/host/build_test.ts"],
  ["ok", "--quik"],
  ["demo", "again"],
  ["conformance", "--help"],
  ["bench", "speed"],
  ["bench", "call", "--fast"],
  ["compile", "--traget=x"],
  ["denort", "--help"],
  ["docs", "--chek"],
] as const;

for (const [script, ...args] of LINES) {
  Deno.test(`an argument that ${script} does not know is refused: ${args.join(" ")}`, async () => {
    const { code, stdout, output } = await runChild(
      ["run", "--allow-all", `${ROOT}/scripts/${script}.ts`, ...args],
      { quiet: true },
    );
    assertEquals([code, stdout], [2, ""], output);
    assertStringIncludes(output, `${script} takes `);
  });
}
