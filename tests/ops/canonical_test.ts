import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { canonicalJson } from "../../src/ops/canonical.ts";

Deno.test("Keys are sorted at every level, lists keep their order, no blanks", () => {
  assertEquals(
    canonicalJson({ b: [3, { z: null, a: "é\n" }], B: true, a: undefined, "10": 1, "9": 2 }),
    '{"10":1,"9":2,"B":true,"b":[3,{"a":"é\\n","z":null}]}',
  );
});

Deno.test("The spelling is JSON of the same value and does not depend on the order of keys", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
    const json = JSON.parse(JSON.stringify(value));
    const text = canonicalJson(json);
    assertEquals(JSON.parse(text), json);
    const turned = Object.fromEntries(Object.entries(json).reverse());
    assertEquals(canonicalJson(JSON.parse(JSON.stringify(turned))), text);
  }));
});
