import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ToolError } from "../../src/host/faults.ts";
import { baseBounds, pyramidManifest, tileBounds } from "../../src/image/pyramid.ts";

Deno.test("Tiles count from the left and from the top", () => {
  const base = [0, 0, 400, 200] as const;
  assertEquals(tileBounds(base, { level: 0, x: 0, y: 0 }), [0, 0, 400, 200]);
  assertEquals(tileBounds(base, { level: 1, x: 0, y: 0 }), [0, 100, 200, 200]);
  assertEquals(tileBounds(base, { level: 1, x: 1, y: 1 }), [200, 0, 400, 100]);
  assertEquals(tileBounds(base, { level: 2, x: 3, y: 0 }), [300, 150, 400, 200]);
  assertEquals(tileBounds(base, { level: 2, x: 1, y: 2 }), [100, 50, 200, 100]);
});

Deno.test("A tile outside the grid is refused with the grid's name", () => {
  const base = [0, 0, 1, 1] as const;
  const refused: readonly [number, number, number, string][] = [
    [2, 4, 0, "4 x 4"],
    [2, 0, 4, "4 x 4"],
    [2, -1, 0, "from 0 to 3"],
    [1, 0.5, 0, "2 x 2"],
    [0, 1, 0, "1 x 1"],
    [5, 0, 0, "16 x 16"],
    [-1, 0, 0, "16 x 16"],
    [NaN, 0, 0, "16 x 16"],
  ];
  for (const [level, x, y, part] of refused) {
    assertThrows(() => tileBounds(base, { level, x, y }), ToolError, part);
  }
});

Deno.test("The tiles of a level part the base exactly", () => {
  const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });
  fc.assert(fc.property(
    fc.tuple(number, number, number, number),
    fc.integer({ min: 0, max: 4 }),
    (bounds, level) => {
      const [minx, miny, maxx, maxy] = baseBounds(bounds);
      const count = 2 ** level;
      for (let y = 0; y < count; y++) {
        for (let x = 0; x < count; x++) {
          const [left, bottom, right, top] = tileBounds(bounds, { level, x, y });
          assert(left < right && bottom < top);
          // The first and last of a row and a column end where the base ends.
          if (x === 0) assertEquals(left, minx);
          if (y === 0) assertEquals(top, maxy);
          if (x === count - 1) assertEquals(right, maxx);
          else assertEquals(right, tileBounds(bounds, { level, x: x + 1, y })[0]);
          if (y === count - 1) assertEquals(bottom, miny);
          else assertEquals(bottom, tileBounds(bounds, { level, x, y: y + 1 })[3]);
        }
      }
    },
  ));
});

Deno.test("The manifest tells each level's grid, span and count", () => {
  const manifest = pyramidManifest([-100, -50, 100, 50], "Millimeters", "t/{level}/{x}/{y}.png");
  assertEquals(manifest, {
    crs: "CAD_WCS",
    unit: "Millimeters",
    world_bounds: [-100, -50, 100, 50],
    max_level: 4,
    tile_size: 512,
    tile_uri_template: "t/{level}/{x}/{y}.png",
    levels: [
      { level: 0, grid: [1, 1], tile_world_span: [200, 100], tiles_count: 1 },
      { level: 1, grid: [2, 2], tile_world_span: [100, 50], tiles_count: 4 },
      { level: 2, grid: [4, 4], tile_world_span: [50, 25], tiles_count: 16 },
      { level: 3, grid: [8, 8], tile_world_span: [25, 12.5], tiles_count: 64 },
      { level: 4, grid: [16, 16], tile_world_span: [12.5, 6.25], tiles_count: 256 },
    ],
  });
});

Deno.test("No span is below 1e-4, whatever the base", () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
  fc.assert(fc.property(fc.tuple(number, number), fc.boolean(), ([x, y], flat) => {
    const manifest = pyramidManifest([x, y, x, flat ? y : y + 1e-5], "Unitless", "");
    for (const { tile_world_span: [width, height] } of manifest.levels) {
      assert(width >= 1e-4 && height >= 1e-4);
    }
    const [minx, miny, maxx, maxy] = manifest.world_bounds;
    assert(minx < maxx && miny < maxy && minx <= x && x <= maxx && miny <= y && y <= maxy);
  }));
});

Deno.test("Corners given the wrong way round are put in order, other bounds are refused", () => {
  assertEquals(baseBounds([10, 20, 0, 5]), [0, 5, 10, 20]);
  assertThrows(() => baseBounds([0, 0, Infinity, 1]), ToolError, "four finite numbers");
});
