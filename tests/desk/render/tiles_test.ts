import { assertEquals } from "@std/assert";
import { pixelToWorld, renderScene } from "../../../src/desk/render/scene.ts";
import { cropToWorld } from "../../../src/image/crop.ts";
import { tileBounds } from "../../../src/image/pyramid.ts";
import { entity, pixelAt, sceneOf, square } from "./drawing.ts";

/** A base that is wider than high, with a filled square in the middle of each cell of 4 x 4. */
const BASE = [-200, 1000, 200, 1100] as const;
const SIZE = 10;

/** The colour of a cell's mark, different in each. */
function colorOf(column: number, row: number): readonly [number, number, number] {
  return [60 + column * 50, 60 + row * 50, 200];
}

function drawing() {
  return sceneOf([0, 1, 2, 3].flatMap((column) =>
    [0, 1, 2, 3].map((row) => {
      const [r, g, b] = colorOf(column, row);
      const x = BASE[0] + 50 + column * 100, y = BASE[3] - 12.5 - row * 25;
      return entity(square(x - SIZE / 2, y - SIZE / 2, SIZE), {
        color: { kind: "rgb", r, g, b },
      });
    })
  ));
}

/** The cells whose marks are seen in a tile, as an editor with a square window would picture it. */
function marksIn(level: number, x: number, y: number): readonly string[] {
  const window = tileBounds(BASE, { level, x, y });
  const [minx, miny, maxx, maxy] = window;
  const view = {
    center: [(minx + maxx) / 2, (miny + maxy) / 2],
    // Fitted into the window's shape: more is seen above and below than was asked for.
    unitsPerPixel: Math.max(maxx - minx, maxy - miny) / 256,
    width: 256,
    height: 256,
  } as const;
  const { raster } = cropToWorld(renderScene(drawing(), view), pixelToWorld(view), window);
  const seen = new Set<string>();
  for (let py = 0; py < raster.height; py++) {
    for (let px = 0; px < raster.width; px++) {
      const [r, g, b] = pixelAt(raster, px, py);
      for (const column of [0, 1, 2, 3]) {
        for (const row of [0, 1, 2, 3]) {
          const wanted = colorOf(column, row);
          if (r === wanted[0] && g === wanted[1] && b === wanted[2]) seen.add(`${column},${row}`);
        }
      }
    }
  }
  return [...seen].sort();
}

Deno.test("Each tile of a 4 x 4 grid shows the mark of its own cell and no other", () => {
  for (const x of [0, 1, 2, 3]) {
    for (const y of [0, 1, 2, 3]) assertEquals(marksIn(2, x, y), [`${x},${y}`]);
  }
});

Deno.test("A tile of a coarser level shows the four cells below it", () => {
  assertEquals(marksIn(1, 1, 0), ["2,0", "2,1", "3,0", "3,1"]);
  assertEquals(marksIn(0, 0, 0).length, 16);
});
