import { assertEquals } from "@std/assert";
import { requestText, ruleGap } from "../../src/ops/refusals.ts";
import type { Param, Rule } from "../../src/ops/spec.ts";

const side: Param = { name: "side", type: "enum_ci", values: ["left", "right"], default: "left" };
const exact: Param = { name: "mode", type: "enum", values: ["on", "off"] };
const rules: readonly Rule[] = [
  { when: { side: "left", mode: "on" }, requires: ["depth", "width"] },
  { any_of: ["name", "handle"] },
];
const row = { params: [side, exact], rules };

Deno.test("A rule applies when all of its words do, an absent parameter counting with its default", () => {
  assertEquals(ruleGap(row, { mode: "on", name: "a" }), "depth");
  assertEquals(ruleGap(row, { mode: "on", side: "LEFT", name: "a" }), "depth");
  assertEquals(ruleGap(row, { mode: "on", side: "right", name: "a" }), undefined);
  assertEquals(ruleGap(row, { mode: "ON", name: "a" }), undefined);
  assertEquals(ruleGap(row, { name: "a" }), undefined);
});

Deno.test("The first gap is named, rule by rule, field by field", () => {
  assertEquals(ruleGap(row, { mode: "on", depth: 0 }), "width");
  assertEquals(ruleGap(row, { mode: "on", depth: 0, width: 1 }), "name or handle");
  assertEquals(ruleGap(row, { mode: "on", depth: 0, width: null, name: "a" }), "width");
  assertEquals(ruleGap(row, { mode: "on", depth: 0, width: 1, handle: "4C" }), undefined);
  assertEquals(ruleGap({ params: [side] }, {}), undefined);
});

Deno.test("A request that is no object is described without its content", () => {
  assertEquals(
    requestText([{ secret: 1 }]),
    "The request must be an object with op, request_id and the op's parameters, but it is an array.",
  );
  assertEquals(requestText(null).startsWith("Missing request: "), true);
});
