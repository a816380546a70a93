/** Tests of what captures remember of a session: the grid of tiles and its base. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { cellBounds, Sight } from "../../src/tools/sight.ts";

function view(bounds: readonly number[], document = 1) {
  const [minx = 0, miny = 0, maxx = 0, maxy = 0] = bounds;
  return {
    document_id: document,
    viewport_world_bounds: { min: [minx, miny], max: [maxx, maxy] },
    _spatial: { unit: "Meters" },
  };
}

Deno.test("cells of every level divide the base, x from the left, y from the top", () => {
  assertEquals(cellBounds([0, 0, 64, 64], { level: 0, x: 0, y: 0 }), [0, 0, 64, 64]);
  assertEquals(cellBounds([0, 0, 64, 64], { level: 1, x: 1, y: 0 }), [32, 32, 64, 64]);
  assertEquals(cellBounds([0, 0, 64, 64], { level: 5, x: 31, y: 0 }), [62, 62, 64, 64]);
  assertEquals(cellBounds([0, 0, 64, 64], { level: 6, x: 1, y: 62 }), [1, 1, 2, 2]);
});

Deno.test("a cell is never narrower than 1e-4, wherever it lies", () => {
  fc.assert(fc.property(
    fc.integer({ min: 0, max: 6 }),
    fc.nat(),
    fc.nat(),
    fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    (level, x, y, span) => {
      const cells = 2 ** level;
      const [minx, miny, maxx, maxy] = cellBounds([0, 0, span, span], {
        level,
        x: x % cells,
        y: y % cells,
      });
      assert(maxx - minx >= 1e-4 * (1 - 1e-9) && maxy - miny >= 1e-4 * (1 - 1e-9));
    },
  ));
});

Deno.test("what belongs to another document does not count as a base", () => {
  const sight = new Sight("s1");
  sight.saw(view([0, 0, 10, 10]));
  assertEquals(sight.base(undefined, 1), [0, 0, 10, 10]);
  assertEquals(sight.base(undefined, 2), [-100, -100, 100, 100]);
  sight.pin(undefined, 1);
  sight.saw(view([5, 5, 6, 6], 2));
  assertEquals(sight.base(undefined, 1), [0, 0, 10, 10]);
  assertEquals(sight.base(undefined, 2), [5, 5, 6, 6]);
});

Deno.test("pinning says whether tiles taken before lie in another grid", () => {
  const sight = new Sight("s1");
  assertEquals(sight.pin(undefined, 1), false);
  sight.saw(view([0, 0, 10, 10]));
  assertEquals(sight.pin(undefined, 1), true);
  assertEquals(sight.pin(undefined, 1), false);
  assertEquals(sight.pin([0, 0, 10, 10], 1), false);
  assertEquals(sight.pin([0, 0, 20, 20], 1), true);
  assertEquals(sight.pin([0, 0, 20, 20], 2), true);
});

Deno.test("the manifest takes its unit from the last view", () => {
  const sight = new Sight("s1");
  assertEquals(sight.manifest(1).unit, "Unitless");
  sight.saw(view([0, 0, 10, 10]));
  assertEquals(sight.manifest(1).unit, "Meters");
  assertEquals(
    sight.manifest(1).tile_uri_template,
    "cad://session/s1/tile/{level}/{x}/{y}.png",
  );
});

Deno.test("a picture of the whole window is no base", () => {
  const sight = new Sight("s1");
  sight.saw({ ...view([0, 0, 10, 10]), scope: "window" });
  assertEquals(sight.base(undefined, 1), [-100, -100, 100, 100]);
});
