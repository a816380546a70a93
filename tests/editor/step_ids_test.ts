import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { fnv1a64, stepId } from "../../src/editor/step_ids.ts";

Deno.test("the hash gives the published answers of FNV-1a with 64 bits", () => {
  assertEquals(fnv1a64(""), "cbf29ce484222325");
  assertEquals(fnv1a64("a"), "af63dc4c8601ec8c");
  assertEquals(fnv1a64("foobar"), "85944171f73967e8");
});

Deno.test("step ids are stable, tell steps apart and fit into the editor's 128 bytes", () => {
  assertEquals(stepId("foobar", 11), "batch-85944171f73967e8-11");
  assertEquals(stepId("b1", 0), "batch-08a60307b54d7e7c-0");
  fc.assert(fc.property(fc.string(), fc.nat({ max: 63 }), fc.nat({ max: 63 }), (id, a, b) => {
    assertEquals(stepId(id, a), stepId(id, a));
    assertEquals(stepId(id, a) === stepId(id, b), a === b);
    assert(/^batch-[0-9a-f]{16}-\d+$/.test(stepId(id, a)));
  }));
});
