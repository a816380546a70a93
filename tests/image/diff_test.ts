import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { visualDiff, visualDiffInTurns } from "../../src/image/diff.ts";
import { filledRaster, type Raster } from "../../src/image/raster.ts";

type Rgba = readonly [number, number, number, number];

const GROUND: Rgba = [100, 100, 100, 255];

/** A picture of one colour with single pixels set. */
function picture(
  width: number,
  height: number,
  marks: readonly (readonly [x: number, y: number, color: Rgba])[] = [],
): Raster {
  const raster = filledRaster(width, height, GROUND);
  for (const [x, y, color] of marks) raster.data.set(color, (y * width + x) * 4);
  return raster;
}

function pixel(raster: Raster | undefined, x: number, y: number): number[] {
  if (raster === undefined) throw new Error("There is no picture.");
  return [...raster.data.subarray((y * raster.width + x) * 4, (y * raster.width + x) * 4 + 4)];
}

Deno.test("A difference of 20 over all channels is none, 21 is one", () => {
  const before = picture(100, 100);
  const cases: readonly [Rgba, boolean][] = [
    [[120, 100, 100, 255], false],
    [[121, 100, 100, 255], true],
    [[80, 100, 100, 255], false],
    [[79, 100, 100, 255], true],
    [[105, 95, 105, 250], false],
    [[105, 95, 105, 249], true],
    [[100, 100, 100, 235], false],
    [[100, 100, 100, 234], true],
    [[100, 120, 100, 255], false],
    [[100, 121, 100, 255], true],
    [[100, 100, 79, 255], true],
  ];
  for (const [color, changed] of cases) {
    const diff = visualDiff(before, picture(100, 100, [[50, 50, color]]), {
      mode: "metadata_only",
    });
    assertEquals(diff.changed, changed, `${color}`);
    assertEquals(diff.changedPixels, changed ? 1 : 0);
  }
});

Deno.test("One changed pixel in the middle has a box 16 pixels wider on each side", () => {
  const after = picture(200, 100, [[60, 40, [255, 0, 0, 255]]]);
  const diff = visualDiff(picture(200, 100), after, {
    mode: "crop",
    pixelToWorld: [0.5, 0, 0, -0.5, 10, 80],
  });
  assertEquals(diff.changedPixels, 1);
  // 1 of 20,000 pixels is 0.005 %, which rounds up.
  assertEquals(diff.changePercentage, 0.01);
  // The pixel reaches from 60 to 61 and from 40 to 41.
  assertEquals(diff.dirtyPixelBounds, [44, 24, 77, 57]);
  // x: 44 · 0.5 + 10 and 77 · 0.5 + 10; y: 80 - 57 · 0.5 and 80 - 24 · 0.5.
  assertEquals(diff.dirtyWorldBounds, [32, 51.5, 48.5, 68]);
  assertEquals(diff.patchResolution, [33, 33]);
  assertEquals([diff.image?.width, diff.image?.height], [33, 33]);
  assertEquals(pixel(diff.image, 16, 16), [255, 0, 0, 255]);
  assertEquals(pixel(diff.image, 15, 16), [...GROUND]);
});

Deno.test("One changed pixel in a corner has a box clamped to the picture", () => {
  const corners: readonly [number, number, readonly number[]][] = [
    [0, 0, [0, 0, 17, 17]],
    [99, 0, [83, 0, 100, 17]],
    [0, 79, [0, 63, 17, 80]],
    [99, 79, [83, 63, 100, 80]],
  ];
  for (const [x, y, bounds] of corners) {
    const after = picture(100, 80, [[x, y, [0, 0, 0, 255]]]);
    const diff = visualDiff(picture(100, 80), after, { mode: "metadata_only" });
    assertEquals(diff.dirtyPixelBounds, bounds);
    assertEquals(diff.patchResolution, [17, 17]);
    assertEquals(diff.changePercentage, 0.01);
  }
});

Deno.test("Several changed pixels share one box", () => {
  const after = picture(300, 300, [
    [100, 250, [0, 0, 0, 255]],
    [200, 120, [0, 0, 0, 255]],
    [150, 150, [0, 0, 0, 255]],
  ]);
  const diff = visualDiff(picture(300, 300), after, { mode: "metadata_only" });
  assertEquals(diff.dirtyPixelBounds, [84, 104, 217, 267]);
  assertEquals(diff.changedPixels, 3);
});

Deno.test("Nothing changed: no bounds, and no picture but the grey one", () => {
  const same = picture(40, 30);
  const nothing = {
    changed: false,
    changedPixels: 0,
    changePercentage: 0,
    dirtyPixelBounds: null,
    dirtyWorldBounds: null,
    patchResolution: null,
  };
  for (const mode of ["crop", "metadata_only"] as const) {
    const options = { mode, pixelToWorld: [1, 0, 0, -1, 0, 0] } as const;
    assertEquals(visualDiff(same, picture(40, 30), options), nothing);
  }
  const { image, ...figures } = visualDiff(same, picture(40, 30), { mode: "highlight" });
  assertEquals(figures, nothing);
  assertEquals(image, filledRaster(40, 30, [35, 35, 35, 200]));
});

Deno.test("Everything changed: 100 percent and the whole picture", () => {
  const diff = visualDiff(picture(50, 40), filledRaster(50, 40, [0, 0, 0, 255]), {
    mode: "highlight",
    pixelToWorld: [2, 0, 0, -2, 0, 80],
  });
  assertEquals(diff.changedPixels, 2000);
  assertEquals(diff.changePercentage, 100);
  assertEquals(diff.dirtyPixelBounds, [0, 0, 50, 40]);
  assertEquals(diff.dirtyWorldBounds, [0, 0, 100, 80]);
  assertEquals(diff.image, filledRaster(50, 40, [0, 255, 128, 255]));
});

Deno.test("Another size counts as wholly changed and names no place in the drawing", () => {
  for (const [width, height] of [[50, 41], [51, 40], [40, 50]] as const) {
    const after = picture(width, height);
    const options = { pixelToWorld: [1, 0, 0, -1, 0, 0] } as const;
    const diff = visualDiff(picture(50, 40), after, { ...options, mode: "highlight" });
    assertEquals(diff.changedPixels, width * height);
    assertEquals(diff.changePercentage, 100);
    assertEquals(diff.dirtyPixelBounds, [0, 0, width, height]);
    assertEquals(diff.dirtyWorldBounds, null);
    assertEquals(diff.image, filledRaster(width, height, [0, 255, 128, 255]));
    const crop = visualDiff(picture(50, 40), after, { ...options, mode: "crop" });
    assertEquals(crop.image, after);
  }
});

Deno.test("A highlight marks changed pixels and greys the rest at 35 percent luminance", () => {
  const rest: readonly [Rgba, number][] = [
    [[255, 255, 255, 255], 89], // 0.35 · 255 = 89.25
    [[255, 0, 0, 255], 27], // 0.35 · 0.299 · 255 = 26.69
    [[0, 255, 0, 255], 52], // 0.35 · 0.587 · 255 = 52.39
    [[0, 0, 255, 255], 10], // 0.35 · 0.114 · 255 = 10.17
    [[0, 0, 0, 0], 0],
    [[30, 34, 39, 128], 12], // 0.35 · (8.97 + 19.958 + 4.446) = 11.68
  ];
  const marks = rest.map(([color], index) => [index, 0, color] as const);
  const after = picture(20, 2, [...marks, [10, 1, [0, 0, 0, 255]]]);
  const { image } = visualDiff(picture(20, 2, marks), after, { mode: "highlight" });
  rest.forEach(([, level], index) => {
    assertEquals(pixel(image, index, 0), [level, level, level, 200]);
  });
  assertEquals(pixel(image, 10, 1), [0, 255, 128, 255]);
  assertEquals(pixel(image, 11, 1), [35, 35, 35, 200]);
});

Deno.test("World bounds follow the transform of turned and mirrored views", () => {
  // The box of one pixel at (40, 40): 24 to 57 both ways.
  const after = picture(100, 100, [[40, 40, [0, 0, 0, 255]]]);
  const worldOf = (pixelToWorld: readonly [number, number, number, number, number, number]) =>
    visualDiff(picture(100, 100), after, { mode: "metadata_only", pixelToWorld })
      .dirtyWorldBounds;
  assertEquals(worldOf([-1, 0, 0, -1, 0, 0]), [-57, -57, -24, -24]);
  // A quarter turn: x' = -y, y' = x.
  assertEquals(worldOf([0, -1, 1, 0, 0, 0]), [-57, 24, -24, 57]);
  // An eighth of a turn, times √2: x' = x - y, y' = x + y.
  assertEquals(worldOf([1, -1, 1, 1, 0, 0]), [-33, 48, 33, 114]);
});

const smallPicture = fc.record({
  width: fc.integer({ min: 1, max: 70 }),
  height: fc.integer({ min: 1, max: 70 }),
}).chain(({ width, height }) =>
  fc.record({
    width: fc.constant(width),
    height: fc.constant(height),
    marks: fc.array(
      fc.tuple(
        fc.nat({ max: width - 1 }),
        fc.nat({ max: height - 1 }),
        fc.tuple(...[0, 1, 2, 3].map(() => fc.nat({ max: 255 }))),
      ),
      { maxLength: 30 },
    ),
  })
).map(({ width, height, marks }) => ({
  before: picture(width, height),
  after: picture(
    width,
    height,
    marks.map(([x, y, [r = 0, g = 0, b = 0, a = 0]]) => [x, y, [r, g, b, a]] as const),
  ),
}));

Deno.test("The dirty box holds every changed pixel, and the count is exact", () => {
  fc.assert(fc.property(smallPicture, ({ before, after }) => {
    const diff = visualDiff(before, after, { mode: "highlight" });
    let count = 0;
    for (let y = 0; y < after.height; y++) {
      for (let x = 0; x < after.width; x++) {
        const old = pixel(before, x, y), now = pixel(after, x, y);
        const sum = now.reduce((total, value, at) => total + Math.abs(value - (old[at] ?? 0)), 0);
        if (sum <= 20) continue;
        count++;
        const [left, top, right, bottom] = diff.dirtyPixelBounds ?? [0, 0, 0, 0];
        assert(left <= x && x < right && top <= y && y < bottom);
        assertEquals(pixel(diff.image, x, y), [0, 255, 128, 255]);
      }
    }
    assertEquals(diff.changedPixels, count);
    assertEquals(diff.dirtyPixelBounds === null, count === 0);
  }));
});

Deno.test("A picture does not differ from itself", () => {
  fc.assert(fc.property(smallPicture, ({ after }) => {
    const diff = visualDiff(after, { ...after, data: after.data.slice() }, { mode: "crop" });
    assertEquals(diff.changed, false);
    assertEquals(diff.dirtyPixelBounds, null);
  }));
});

Deno.test("The world box holds every corner of the dirty box under any transform", () => {
  const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
  fc.assert(fc.property(
    smallPicture,
    fc.tuple(number, number, number, number, number, number),
    ({ before, after }, pixelToWorld) => {
      const diff = visualDiff(before, after, { mode: "metadata_only", pixelToWorld });
      if (diff.dirtyPixelBounds === null) {
        assertEquals(diff.dirtyWorldBounds, null);
        return;
      }
      const [left, top, right, bottom] = diff.dirtyPixelBounds;
      const [minx, miny, maxx, maxy] = diff.dirtyWorldBounds ?? [0, 0, 0, 0];
      const [a, b, c, d, tx, ty] = pixelToWorld;
      const xs = [], ys = [];
      for (const px of [left, right]) {
        for (const py of [top, bottom]) {
          xs.push(a * px + b * py + tx);
          ys.push(c * px + d * py + ty);
        }
      }
      assertEquals([minx, maxx], [Math.min(...xs), Math.max(...xs)]);
      assertEquals([miny, maxy], [Math.min(...ys), Math.max(...ys)]);
    },
  ));
});

Deno.test("Comparing in turns gives the same and lets the loop turn after each band", async () => {
  const before = picture(2048, 1100);
  const after = picture(2048, 1100, [[0, 600, [0, 0, 0, 255]], [2047, 1099, [9, 9, 9, 255]]]);
  let turns = 0;
  const inTurns = await visualDiffInTurns(before, after, { mode: "highlight" }, () => {
    turns++;
    return Promise.resolve();
  });
  const atOnce = visualDiff(before, after, { mode: "highlight" });
  assert(turns >= 3, `${turns} turns`);
  assertEquals({ ...inTurns, image: undefined }, { ...atOnce, image: undefined });
  assertEquals(inTurns.changedPixels, 2);
  assert(inTurns.image?.data.every((value, at) => value === atOnce.image?.data[at]));
});

Deno.test("Pictures that do not begin on a word of their buffer are compared all the same", () => {
  const shifted = (raster: Raster): Raster => {
    const data = new Uint8ClampedArray(raster.data.length + 1).subarray(1);
    data.set(raster.data);
    return { ...raster, data };
  };
  const after = shifted(picture(30, 30, [[3, 4, [0, 0, 0, 255]]]));
  const diff = visualDiff(shifted(picture(30, 30)), after, { mode: "metadata_only" });
  assertEquals([diff.changedPixels, diff.dirtyPixelBounds], [1, [0, 0, 20, 21]]);
});
