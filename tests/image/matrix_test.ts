import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  applyMatrix,
  chainMatrices,
  IDENTITY,
  invertMatrix,
  isMatrix6,
  transformedBounds,
} from "../../src/image/matrix.ts";

Deno.test("The protocol's example matrices are each other's inverse", () => {
  // An 800 x 600 picture of x 0..80, y 0..60.
  assertEquals(invertMatrix([0.1, 0, 0, -0.1, 0, 60]).map((n) => Math.round(n * 1e9) / 1e9), [
    10,
    0,
    0,
    -10,
    0,
    600,
  ]);
  assertEquals(applyMatrix([0.1, 0, 0, -0.1, 0, 60], 800, 600), [80, 0]);
});

Deno.test("A transform without an inverse gives six zeros", () => {
  assertEquals(invertMatrix([1, 2, 2, 4, 5, 6]), [0, 0, 0, 0, 0, 0]);
  assertEquals(invertMatrix([1e-7, 0, 0, 1e-7, 0, 0]), [0, 0, 0, 0, 0, 0]);
  assertAlmostEquals(invertMatrix([1e-7, 0, 0, 1e-7, 0, 0], 0)[0], 1e7, 1e-3);
});

Deno.test("Going there and back again ends at the start", () => {
  const part = fc.double({ min: -100, max: 100, noNaN: true });
  fc.assert(fc.property(fc.tuple(part, part, part, part, part, part), part, part, (m, x, y) => {
    // Nearly flat transforms lose the digits that the way back would need.
    if (Math.abs(m[0] * m[3] - m[1] * m[2]) < 1) return;
    const there = applyMatrix(m, x, y);
    const [backX, backY] = applyMatrix(invertMatrix(m), ...there);
    assertAlmostEquals(backX, x, 1e-6);
    assertAlmostEquals(backY, y, 1e-6);
    const chained = applyMatrix(chainMatrices(m, invertMatrix(m)), x, y);
    assertAlmostEquals(chained[0], x, 1e-6);
    assertAlmostEquals(chained[1], y, 1e-6);
  }));
});

Deno.test("A chain does the first transform first", () => {
  // Twice as large, then ten to the right.
  assertEquals(chainMatrices([2, 0, 0, 2, 0, 0], [1, 0, 0, 1, 10, 0]), [2, 0, 0, 2, 10, 0]);
  assertEquals(chainMatrices([1, 0, 0, 1, 10, 0], [2, 0, 0, 2, 0, 0]), [2, 0, 0, 2, 20, 0]);
});

Deno.test("The box around a turned box counts all four corners", () => {
  assertEquals(transformedBounds(IDENTITY, [1, 2, 3, 4]), [1, 2, 3, 4]);
  assertEquals(transformedBounds([0, -1, 1, 0, 0, 0], [1, 2, 3, 5]), [-5, 1, -2, 3]);
  assertEquals(transformedBounds([1, -1, 1, 1, 0, 0], [0, 0, 2, 2]), [-2, 0, 2, 4]);
});

Deno.test("Only six finite numbers are a matrix", () => {
  assert(isMatrix6([1, 0, 0, 1, 0, 0]));
  for (
    const other of [[1, 0, 0, 1, 0], [1, 0, 0, 1, 0, NaN], "100100", null, [1, 0, 0, 1, 0, "0"]]
  ) {
    assert(!isMatrix6(other));
  }
});
