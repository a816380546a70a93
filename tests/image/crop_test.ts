import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ToolError } from "../../src/host/faults.ts";
import { cropPlaced, cropRaster, cropToWorld } from "../../src/image/crop.ts";
import { applyMatrix } from "../../src/image/matrix.ts";
import type { Raster } from "../../src/image/raster.ts";

/** Every pixel's red is its column and green its row. */
function numbered(width: number, height: number): Raster {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let index = 0; index < width * height; index++) {
    data.set([index % width, Math.floor(index / width), 0, 255], index * 4);
  }
  return { width, height, data };
}

Deno.test("A crop holds the box's pixels, its right and bottom edge not included", () => {
  const part = cropRaster(numbered(10, 8), [2, 3, 4, 5]);
  assertEquals([part.width, part.height], [2, 2]);
  assertEquals([...part.data], [2, 3, 0, 255, 3, 3, 0, 255, 2, 4, 0, 255, 3, 4, 0, 255]);
});

Deno.test("A box that is empty, outside or between pixels is refused", () => {
  for (
    const box of [[0, 0, 11, 1], [-1, 0, 1, 1], [3, 3, 3, 4], [4, 3, 3, 4], [0, 0, 1.5, 1]] as const
  ) {
    assertThrows(() => cropRaster(numbered(10, 8), [...box]), RangeError, "10 x 8");
  }
});

Deno.test("A crop's transform gives each pixel the place it had", () => {
  const whole = [0.5, 0.1, -0.2, -0.5, 10, 80] as const;
  const { pixelToWorld, worldToPixel } = cropPlaced(numbered(10, 8), whole, [2, 3, 4, 5]);
  const place = applyMatrix(pixelToWorld, 1, 1);
  const expected = applyMatrix(whole, 3, 4);
  assertAlmostEquals(place[0], expected[0]);
  assertAlmostEquals(place[1], expected[1]);
  const [px, py] = applyMatrix(worldToPixel, ...place);
  assertAlmostEquals(px, 1);
  assertAlmostEquals(py, 1);
});

Deno.test("A window of the drawing is cut out of a picture that shows more", () => {
  // 100 x 50 pixels show x 0..200, y 0..100; the window is its right upper quarter.
  const part = cropToWorld(numbered(100, 50), [2, 0, 0, -2, 0, 100], [100, 50, 200, 100]);
  assertEquals([part.raster.width, part.raster.height], [50, 25]);
  assertEquals([...part.raster.data.subarray(0, 2)], [50, 0]);
  assertEquals(part.pixelToWorld, [2, 0, 0, -2, 100, 100]);
});

Deno.test("A window narrower than a pixel gives one pixel; one outside is refused", () => {
  const part = cropToWorld(numbered(100, 50), [2, 0, 0, -2, 0, 100], [10.1, 10, 10.2, 10.1]);
  assertEquals([part.raster.width, part.raster.height], [1, 1]);
  assertEquals([...part.raster.data], [5, 45, 0, 255]);
  for (const window of [[300, 0, 400, 10], [0, -50, 10, -1], [-5, 0, -1, 10]] as const) {
    assertThrows(
      () => cropToWorld(numbered(100, 50), [2, 0, 0, -2, 0, 100], window),
      ToolError,
      "does not show the window",
    );
  }
  assertThrows(
    () => cropToWorld(numbered(100, 50), [0, 0, 0, 0, 0, 0], [0, 0, 1, 1]),
    ToolError,
    "does not show the window",
  );
});

Deno.test("A cut window's edges lie within half a pixel of what was asked for", () => {
  const scale = fc.double({ min: 1e-9, max: 1e6, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(scale, share, share, share, share, (unit, a, b, c, d) => {
    fc.pre(Math.abs(a - c) > 0.05 && Math.abs(b - d) > 0.05);
    const matrix = [unit, 0, 0, -unit, 7 * unit, 50 * unit] as const;
    const x = (at: number) => (7 + 100 * at) * unit, y = (at: number) => 50 * at * unit;
    const world = [
      x(Math.min(a, c)),
      y(Math.min(b, d)),
      x(Math.max(a, c)),
      y(Math.max(b, d)),
    ] as const;
    const { raster, pixelToWorld } = cropToWorld(numbered(100, 50), matrix, world);
    const [left, top] = applyMatrix(pixelToWorld, 0, 0);
    const [right, bottom] = applyMatrix(pixelToWorld, raster.width, raster.height);
    for (
      const [edge, wanted] of [
        [left, world[0]],
        [bottom, world[1]],
        [right, world[2]],
        [top, world[3]],
      ] as const
    ) assert(Math.abs(edge - wanted) <= 0.5001 * unit);
  }));
});
