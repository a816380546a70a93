/** What `--help` says besides the tables: what nobody could guess. */

import { assert, assertStringIncludes } from "@std/assert";
import { helpText } from "../../src/cli/help.ts";
import { parsePerson } from "../../src/desk/person.ts";
import { isJsonObject } from "../../src/host/json.ts";

Deno.test("the desk's help shows what a person file looks like", () => {
  const help = helpText("desk");
  for (
    const word of [
      "user_select",
      "getpoint",
      "after_ms",
      "answer",
      "point",
      "handles",
      "all",
      "escape",
    ]
  ) {
    assertStringIncludes(help, `"${word}"`);
  }
  parsePerson('[{"pick": "any", "after_ms": 800, "answer": {"point": [1, 2]}}]');
});

Deno.test("the arguments that the help of call shows are JSON objects", () => {
  const examples = [...helpText("call").matchAll(/'(\{.*\})'/g)].map(([, json = ""]) => json);
  assert(examples.length > 0);
  for (const json of examples) assert(isJsonObject(JSON.parse(json)), json);
});
