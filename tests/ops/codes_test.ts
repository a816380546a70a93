import { assert, assertEquals } from "@std/assert";
import { guidanceFor, knownCodes } from "../../src/ops/codes.ts";
import { readFacts, words } from "./support/facts.ts";

const facts = readFacts("op_facts_editor.json");

Deno.test("Every code of the editor that an agent can act on has advice, and no other word has", () => {
  const without = words(facts.codes_without_advice);
  const expected = words(facts.codes).filter((code) => !without.includes(code));
  assertEquals(knownCodes().toSorted(), expected.toSorted());
});

Deno.test("Advice is one line of at most 160 characters that ends like a sentence", () => {
  for (const code of knownCodes()) {
    const advice = guidanceFor(code) ?? "";
    assert(advice.length <= 160 && /\S\.$/.test(advice) && !advice.includes("\n"), code);
  }
});

Deno.test("Other words have no advice", () => {
  for (const word of ["", "constructor", "__proto__", "serialization_failed"]) {
    assertEquals(guidanceFor(word), undefined);
  }
});
