import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { decodePng, encodePng, PngError, pngSize } from "../../src/image/png.ts";
import { filledRaster } from "../../src/image/raster.ts";

Deno.test("A picture comes back from PNG exactly as it went in", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 255 })),
      async (width, height, bytes) => {
        const data = Uint8ClampedArray.from(
          { length: width * height * 4 },
          () => bytes.next().value ?? 0,
        );
        const png = await encodePng({ width, height, data });
        assertEquals(pngSize(png), { width, height });
        assertEquals(await decodePng(png), { width, height, data });
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("A raster that is part of a larger buffer is encoded alone", async () => {
  const whole = new Uint8ClampedArray(32).map((_, index) => index);
  const data = whole.subarray(8, 16);
  const back = await decodePng(await encodePng({ width: 2, height: 1, data }));
  assertEquals([...back.data], [8, 9, 10, 11, 12, 13, 14, 15]);
});

Deno.test("PNG bytes that are part of a larger buffer are decoded alone", async () => {
  const png = await encodePng(filledRaster(3, 2, [1, 2, 3, 4]));
  const padded = new Uint8Array(png.length + 20);
  padded.set(png, 10);
  const back = await decodePng(padded.subarray(10, 10 + png.length));
  assertEquals(back, filledRaster(3, 2, [1, 2, 3, 4]));
});

Deno.test("Bytes that are no PNG are refused with what is wrong", async () => {
  const png = await encodePng(filledRaster(30, 20, [9, 8, 7, 255]));
  const broken = (change: (bytes: Uint8Array) => void) => {
    const copy = png.slice();
    change(copy);
    return copy;
  };
  const cases: readonly [Uint8Array, string][] = [
    [new Uint8Array(0), "empty"],
    [png.slice(0, 20), "within the header"],
    [new TextEncoder().encode("<html>not a picture, whatever its name says</html>"), "signature"],
    [broken((b) => b.set([0x4a], 12)), "IHDR"],
    [png.slice(0, png.length - 15), "cut off"],
    [png.slice(0, png.length - 12), "end mark is missing"],
    [broken((b) => b.set([0, 0, 0, 0], 16)), "nothing in it"],
    [broken((b) => b.fill(0xff, 45, png.length - 16)), "damaged"],
  ];
  for (const [bytes, reason] of cases) {
    await assertRejects(() => decodePng(bytes), PngError, reason);
  }
  // The codec still works after it has met broken data.
  assertEquals(await decodePng(png), filledRaster(30, 20, [9, 8, 7, 255]));
});

Deno.test("An absurd size is refused before anything is decoded or encoded", async () => {
  const png = await encodePng(filledRaster(1, 1, [0, 0, 0, 0]));
  new DataView(png.buffer).setUint32(16, 100_000);
  new DataView(png.buffer).setUint32(20, 100_000);
  assertThrows(() => pngSize(png), PngError, "100000 x 100000");
  await assertRejects(() => decodePng(png), PngError, "64000000");
  await assertRejects(
    () => encodePng({ width: 3, height: 1, data: new Uint8ClampedArray(8) }),
    PngError,
    "needs 12 bytes and has 8",
  );
});

Deno.test("Palette, grey, 16-bit and transparent-colour pictures decode to 8-bit RGBA", async () => {
  const palette = [
    chunk("PLTE", [10, 20, 30, 200, 100, 50]),
    chunk("tRNS", [255, 7]),
  ];
  const cases: readonly [
    depth: number,
    type: number,
    extra: Uint8Array[],
    row: number[],
    number[],
  ][] = [
    [8, 3, palette, [1, 0], [200, 100, 50, 7, 10, 20, 30, 255]],
    [1, 3, palette, [0b01000000], [10, 20, 30, 255, 200, 100, 50, 7]],
    [8, 0, [], [0, 129], [0, 0, 0, 255, 129, 129, 129, 255]],
    [1, 0, [], [0b01000000], [0, 0, 0, 255, 255, 255, 255, 255]],
    [8, 4, [], [5, 6, 7, 8], [5, 5, 5, 6, 7, 7, 7, 8]],
    [8, 2, [], [1, 2, 3, 4, 5, 6], [1, 2, 3, 255, 4, 5, 6, 255]],
    [16, 0, [], [0x12, 0, 0xff, 0xff], [18, 18, 18, 255, 255, 255, 255, 255]],
    [
      16,
      6,
      [],
      [1, 0, 2, 0, 3, 0, 4, 0, 0xff, 0xff, 0, 0, 0x80, 0, 0xff, 0xff],
      [1, 2, 3, 4, 255, 0, 128, 255],
    ],
  ];
  for (const [depth, type, extra, row, expected] of cases) {
    const png = await handMadePng(2, 1, depth, type, extra, row);
    const raster = await decodePng(png);
    assertEquals([...raster.data], expected, `depth ${depth}, colour type ${type}`);
    assert(raster.data instanceof Uint8ClampedArray);
  }
});

async function handMadePng(
  width: number,
  height: number,
  depth: number,
  type: number,
  extra: readonly Uint8Array[],
  row: readonly number[],
): Promise<Uint8Array> {
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header.set([depth, type, 0, 0, 0], 8);
  const packed = new Blob([new Uint8Array([0, ...row])]).stream()
    .pipeThrough(new CompressionStream("deflate"));
  const data = new Uint8Array(await new Response(packed).arrayBuffer());
  const parts = [
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...extra,
    chunk("IDAT", data),
    chunk("IEND", []),
  ];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function chunk(type: string, content: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(12 + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(Array.from(content), 8);
  view.setUint32(8 + content.length, checksum(bytes.subarray(4, 8 + content.length)));
  return bytes;
}

/** The checksum of PNG's chunks, bit by bit. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
