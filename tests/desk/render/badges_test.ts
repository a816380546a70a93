import { assertEquals } from "@std/assert";
import { type Badge, drawBadges } from "../../../src/desk/render/badges.ts";
import { filledRaster } from "../../../src/image/raster.ts";
import { pixelAt } from "./drawing.ts";

const GROUND = [0, 0, 0];
/** 245 of 255 parts of yellow and cyan over black. */
const YELLOW = [245, 211, 0];
const CYAN = [0, 221, 245];

function drawn(badge: Badge) {
  return drawBadges(filledRaster(100, 60, [0, 0, 0, 255]), [badge]);
}

/** The box of all pixels of a colour, right and bottom not included. */
function boxOf(raster: ReturnType<typeof drawn>, color: readonly number[]): readonly number[] {
  const xs: number[] = [], ys: number[] = [];
  for (let y = 0; y < raster.height; y++) {
    for (let x = 0; x < raster.width; x++) {
      const here = pixelAt(raster, x, y);
      if (!here.every((value, at) => Math.abs(value - (color[at] ?? 0)) <= 1)) continue;
      xs.push(x);
      ys.push(y);
    }
  }
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
}

Deno.test("A badge is 13 pixels high and as wide as its digits, above a dot on its anchor", () => {
  const one = drawn({ tag: 7, anchor: [50, 40], selected: false });
  const [left = 0, top = 0, right = 0, bottom = 0] = boxOf(one, YELLOW);
  assertEquals([right - left, bottom - top], [13, 13]);
  assertEquals([left, bottom], [44, 37]);
  assertEquals(boxOf(one, [255, 60, 0]), [49, 39, 52, 42]);
  const [from = 0, , to = 0] = boxOf(drawn({ tag: 64, anchor: [50, 40], selected: false }), YELLOW);
  assertEquals(to - from, 19);
});

Deno.test("A selected badge and its dot are cyan", () => {
  const raster = drawn({ tag: 1, anchor: [50, 40], selected: true });
  assertEquals(boxOf(raster, CYAN), [44, 24, 57, 42]);
  assertEquals(pixelAt(raster, 50, 38), GROUND);
});

Deno.test("A badge at the edge stays within the picture", () => {
  assertEquals(
    boxOf(drawn({ tag: 1, anchor: [0, 0], selected: false }), YELLOW),
    [0, 0, 13, 13],
  );
  assertEquals(
    boxOf(drawn({ tag: 12, anchor: [99, 59], selected: false }), YELLOW),
    [81, 43, 100, 56],
  );
});

Deno.test("The picture given is left as it was", () => {
  const picture = filledRaster(100, 60, [0, 0, 0, 255]);
  drawBadges(picture, [{ tag: 1, anchor: [50, 40], selected: false }]);
  assertEquals(picture, filledRaster(100, 60, [0, 0, 0, 255]));
});

Deno.test("Each digit looks different", () => {
  const looks = Array.from(
    { length: 10 },
    (_, tag) => drawn({ tag, anchor: [50, 40], selected: false }).data.join(),
  );
  assertEquals(new Set(looks).size, 10);
});
