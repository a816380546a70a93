import { assert, assertEquals } from "@std/assert";
import { indexColor, resolveColor } from "../../../src/desk/render/palette.ts";

Deno.test("The named colours are exact", () => {
  const named = [
    [255, 0, 0],
    [255, 255, 0],
    [0, 255, 0],
    [0, 255, 255],
    [0, 0, 255],
    [255, 0, 255],
    [255, 255, 255],
    [128, 128, 128],
    [192, 192, 192],
  ];
  named.forEach((color, at) => assertEquals([...indexColor(at + 1)], color));
});

Deno.test("The hues run around in steps of 15 degrees, each in five strengths, full and pale", () => {
  const cases: readonly [number, readonly number[]][] = [
    [10, [255, 0, 0]],
    [11, [255, 127, 127]],
    [12, [165, 0, 0]],
    [14, [127, 0, 0]],
    [16, [76, 0, 0]],
    [18, [38, 0, 0]],
    [30, [255, 127, 0]],
    [50, [255, 255, 0]],
    [90, [0, 255, 0]],
    [130, [0, 255, 255]],
    [150, [0, 127, 255]],
    [170, [0, 0, 255]],
    [210, [255, 0, 255]],
    [240, [255, 0, 63]],
  ];
  for (const [number, color] of cases) assertEquals([...indexColor(number)], color, `${number}`);
});

Deno.test("The last six are greys from dark to white, and other numbers are the foreground", () => {
  let last = 0;
  for (let number = 250; number <= 255; number++) {
    const [r, g, b] = indexColor(number);
    assert(r === g && g === b && r > last);
    last = r;
  }
  assertEquals(last, 255);
  for (const number of [0, 256, -3, 1.5, NaN]) {
    assertEquals([...indexColor(number)], [255, 255, 255]);
  }
});

Deno.test("By layer and by block take what they stand for", () => {
  const layer = [1, 2, 3] as const, block = [4, 5, 6] as const;
  assertEquals(resolveColor({ kind: "by_layer" }, layer, block), layer);
  assertEquals(resolveColor({ kind: "by_block" }, layer, block), block);
  assertEquals([...resolveColor({ kind: "rgb", r: 7, g: 8, b: 9 }, layer, block)], [7, 8, 9]);
});
