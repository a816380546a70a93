/** Generated parts of the documents. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { commandsTable, optionsTable, regenerate } from "../../scripts/docs.ts";
import { COMMANDS, type OptionRow, OPTIONS } from "../../src/cli/options.ts";

const parts = { one: () => "fresh", price: () => "$& $1" };

Deno.test("only what stands between the marks is replaced", async () => {
  const text = "a\n<!-- generated:one -->\nstale\n<!-- /generated:one -->\nb\n";
  const fresh = "a\n<!-- generated:one -->\n\nfresh\n\n<!-- /generated:one -->\nb\n";
  assertEquals(await regenerate(text, parts), fresh);
  assertEquals(await regenerate(fresh, parts), fresh);
});

Deno.test("content is put in as it is, whatever signs it has", async () => {
  const text = "<!-- generated:price --><!-- /generated:price -->";
  assertStringIncludes(await regenerate(text, parts), "\n\n$& $1\n\n");
});

Deno.test("a part that nothing generates, or without an end, is an error", async () => {
  await assertRejects(() => regenerate("<!-- generated:two -->", parts), Error, '"two"');
  await assertRejects(() => regenerate("<!-- generated:one -->", parts), Error, "no end mark");
});

Deno.test("the tables have a row for each option and each command", () => {
  for (const row of OPTIONS as readonly OptionRow[]) {
    assertStringIncludes(optionsTable(), `| \`--${row.name}`);
    if (row.env !== undefined) assertStringIncludes(optionsTable(), `\`${row.env}\``);
  }
  for (const { name } of COMMANDS) assertStringIncludes(commandsTable(), name);
});
