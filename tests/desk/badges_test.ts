/** Numbered badges on a picture (gui-protocol.md 7.3). */

import { assertEquals } from "@std/assert";
import { badgeBox, drawBadges } from "../../src/desk/badges.ts";
import { filledRaster, type Raster } from "../../src/image/raster.ts";

const SIZE = { width: 100, height: 60 };

function pixel({ data, width }: Raster, x: number, y: number): readonly number[] {
  const at = (y * width + x) * 4;
  return [...data.slice(at, at + 4)];
}

Deno.test("a badge is 13 high, as wide as its digits, and just above its anchor", () => {
  const box = (tag: number, x: number, y: number) => badgeBox(SIZE, { tag, x, y, selected: false });
  assertEquals(box(7, 50, 40), { left: 44, top: 25, width: 13, height: 13 });
  assertEquals(box(64, 50, 40), { left: 41, top: 25, width: 19, height: 13 });
});

Deno.test("a badge stays in the picture", () => {
  const box = (x: number, y: number) => badgeBox(SIZE, { tag: 12, x, y, selected: false });
  assertEquals([box(0, 0).left, box(0, 0).top], [0, 0]);
  assertEquals([box(100, 60).left, box(100, 60).top], [81, 45]);
});

Deno.test("selected badges are cyan, others yellow with a red dot", () => {
  const picture = filledRaster(SIZE.width, SIZE.height, [0, 0, 0, 255]);
  drawBadges(picture, [
    { tag: 1, x: 20, y: 40, selected: true },
    { tag: 2, x: 70, y: 40, selected: false },
  ]);
  assertEquals(pixel(picture, 15, 26), [0, 221, 245, 255]);
  assertEquals(pixel(picture, 65, 26), [245, 211, 0, 255]);
  for (const [dx, dy] of [[-1, -1], [0, 0], [1, 1]] as const) {
    assertEquals(pixel(picture, 20 + dx, 40 + dy), [0, 230, 255, 255]);
    assertEquals(pixel(picture, 70 + dx, 40 + dy), [255, 60, 0, 255]);
  }
  assertEquals(pixel(picture, 72, 40), [0, 0, 0, 255]);
  assertEquals(pixel(picture, 20, 38), [0, 0, 0, 255], "between badge and dot");
});

Deno.test("of two badges at one place the first lies on top", () => {
  const picture = filledRaster(SIZE.width, SIZE.height, [0, 0, 0, 255]);
  drawBadges(picture, [
    { tag: 1, x: 20, y: 40, selected: true },
    { tag: 2, x: 20, y: 40, selected: false },
  ]);
  assertEquals(pixel(picture, 20, 40), [0, 230, 255, 255]);
});

Deno.test("a badge at an anchor outside the picture writes nothing outside of it", () => {
  const picture = filledRaster(SIZE.width, SIZE.height, [0, 0, 0, 255]);
  drawBadges(picture, [{ tag: 1, x: 100, y: 60, selected: false }]);
  assertEquals(pixel(picture, 0, 59), [0, 0, 0, 255]);
  assertEquals(picture.data.length, SIZE.width * SIZE.height * 4);
});
