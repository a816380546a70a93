import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodePng, encodePng, PngError } from "../../src/image/png.ts";
import { filledRaster } from "../../src/image/raster.ts";
import { halved, shrinkPicture } from "../../src/image/shrink.ts";

/** A picture that no codec can make small: every pixel is another one. */
function noise(width: number, height: number) {
  let state = 1;
  const data = new Uint8ClampedArray(width * height * 4).map((_, at) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + at | 0;
    return at % 4 === 3 ? 255 : state >>> 8 & 255;
  });
  return { width, height, data };
}

Deno.test("A picture at half its size has the mean of each four pixels", () => {
  const raster = filledRaster(4, 2, [10, 20, 30, 255]);
  raster.data.set([50, 60, 70, 255], 0);
  raster.data.set([0, 0, 2, 255], (1 * 4 + 3) * 4);
  // (50 + 3 · 10) / 4 = 20 and so on; (3 · 10 + 0) / 4 = 7.5, which rounds to the even 8.
  assertEquals(halved(raster), {
    width: 2,
    height: 1,
    data: new Uint8ClampedArray([20, 30, 40, 255, 8, 15, 23, 255]),
  });
});

Deno.test("An odd edge keeps its last row and column", () => {
  const raster = filledRaster(3, 1, [0, 0, 0, 255]);
  raster.data.set([8, 100, 255, 255], 2 * 4);
  const half = halved(raster);
  assertEquals([half.width, half.height], [2, 1]);
  assertEquals([...half.data], [0, 0, 0, 255, 8, 100, 255, 255]);
});

Deno.test("A picture that fits is left as it is, another is halved until it does", async () => {
  const png = await encodePng(noise(64, 40));
  assertEquals(await shrinkPicture({ png, maxBytes: png.length }), png);
  const sizes = [];
  for (const maxBytes of [png.length - 1, png.length / 5, 1]) {
    const smaller = await shrinkPicture({ png, maxBytes });
    assert(maxBytes === 1 || smaller.length <= maxBytes);
    const { width, height } = await decodePng(smaller);
    sizes.push([width, height]);
  }
  assertEquals(sizes, [[32, 20], [16, 10], [1, 1]]);
  const none = new Uint8Array([1, 2, 3]);
  await assertRejects(() => shrinkPicture({ png: none, maxBytes: 1 }), PngError);
});
