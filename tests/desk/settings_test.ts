/** The desk's settings as a person types them. */

import { assertEquals, assertThrows } from "@std/assert";
import { parseDelays, parseWindow } from "../../src/desk/settings.ts";

const OPS = ["new", "entities_create"];

Deno.test("a delay of an operation that does not exist is refused", () => {
  const said = "'nwe=10' names no operation that it works on: new, entities_create.";
  assertThrows(() => parseDelays(["new=1", "nwe=10"], OPS), Error, said);
});

Deno.test("delays are read as OP=MS, the last of a name counts", () => {
  const delays = parseDelays(["new=10", "entities_create=5000", "new=20"], OPS);
  assertEquals([...delays], [["new", 20], ["entities_create", 5000]]);
  assertEquals(parseDelays([], OPS).size, 0);
  for (const wrong of ["new", "new=", "=5", "new=-1", "new=1.5", "New=1", "new=5ms"]) {
    assertThrows(() => parseDelays([wrong], OPS), Error, `'${wrong}' is not OP=MILLISECONDS`);
  }
});

Deno.test("a window is read as WIDTHxHEIGHT", () => {
  assertEquals(parseWindow("1600x1000"), { width: 1600, height: 1000 });
  for (const wrong of ["", "1600", "1600x", "x1000", "1600X1000", "0x100", "100x9000", "-1x5"]) {
    assertThrows(() => parseWindow(wrong), Error, "is not WIDTHxHEIGHT");
  }
});
