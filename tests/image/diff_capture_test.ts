import { assert, assertEquals, assertObjectMatch, assertRejects } from "@std/assert";
import { diffCapture } from "../../src/image/diff_capture.ts";
import { decodePng, encodePng, PngError } from "../../src/image/png.ts";
import { filledRaster } from "../../src/image/raster.ts";

async function pictureWithPixel(x: number, y: number, size = 100) {
  const raster = filledRaster(size, size, [20, 20, 20, 255]);
  raster.data.set([250, 250, 250, 255], (y * size + x) * 4);
  return await encodePng(raster);
}

Deno.test("The first diff capture is a baseline, shown as it is", async () => {
  const png = await pictureWithPixel(5, 5);
  const first = await diffCapture({ png, hash: "h1", mode: "highlight" });
  const { report } = first;
  if (!report.is_baseline) throw new Error("The first diff capture is not a baseline.");
  assertEquals({ ...report, message: "" }, {
    is_baseline: true,
    changed: false,
    change_percentage: 0,
    changed_pixels: 0,
    message: "",
    mode: "highlight",
  });
  assert(report.message.length > 0);
  assertEquals(first.png, png);
});

Deno.test("Each diff capture is compared with the one before it", async () => {
  const [one, two] = [await pictureWithPixel(5, 5), await pictureWithPixel(50, 60)];
  const pixelToWorld = [1, 0, 0, -1, 0, 100] as const;
  const first = await diffCapture({ png: one, hash: "h1", mode: "crop", pixelToWorld });
  const second = await diffCapture({
    png: two,
    hash: "h2",
    mode: "crop",
    pixelToWorld,
    baseline: first.baseline,
  });
  assertEquals(second.report, {
    is_baseline: false,
    baseline_hash: "h1",
    changed: true,
    change_percentage: 0.02,
    changed_pixels: 2,
    // From (5, 5) less 16, clamped, to past (50, 60) by 16.
    dirty_pixel_bounds: [0, 0, 67, 77],
    dirty_world_bounds: [0, 23, 67, 100],
    patch_resolution: [67, 77],
    mode: "crop",
  });
  const crop = await decodePng(second.png);
  assertEquals([crop.width, crop.height], [67, 77]);
  const third = await diffCapture({
    png: two,
    hash: "h2",
    mode: "metadata_only",
    pixelToWorld,
    baseline: second.baseline,
  });
  assertEquals(third.report, {
    is_baseline: false,
    baseline_hash: "h2",
    changed: false,
    change_percentage: 0,
    changed_pixels: 0,
    dirty_pixel_bounds: null,
    dirty_world_bounds: null,
    patch_resolution: null,
    mode: "metadata_only",
  });
  assertEquals(third.png, two);
});

Deno.test("A crop of nothing is the capture itself; a highlight is all grey", async () => {
  const png = await pictureWithPixel(5, 5);
  const { baseline } = await diffCapture({ png, hash: "h", mode: "crop" });
  assertEquals((await diffCapture({ png, hash: "h", mode: "crop", baseline })).png, png);
  const marked = await diffCapture({ png, hash: "h", mode: "highlight", baseline });
  // 0.35 · 20 = 7.
  assertEquals([...(await decodePng(marked.png)).data.subarray(0, 4)], [7, 7, 7, 200]);
});

Deno.test("A capture of another size is wholly changed, whichever way the baseline is kept", async () => {
  const small = await pictureWithPixel(5, 5, 40);
  const large = await pictureWithPixel(5, 5, 50);
  let { baseline } = await diffCapture({ png: small, hash: "a", mode: "crop" });
  for (let round = 0; round < 2; round++) {
    const next = await diffCapture({ png: large, hash: "b", mode: "highlight", baseline });
    assertObjectMatch(next.report, { is_baseline: false, changed_pixels: 2500 });
    assertObjectMatch(next.report, { dirty_world_bounds: null });
    ({ baseline } = await diffCapture({ png: small, hash: "a", mode: "crop", baseline }));
    assertEquals(baseline.picture.kind, "raster");
  }
});

Deno.test("A picture above the limit is kept as PNG and compared all the same", async () => {
  const png = await encodePng(filledRaster(2100, 2000, [9, 9, 9, 255]));
  const { baseline } = await diffCapture({ png, hash: "a", mode: "metadata_only" });
  const again = await diffCapture({ png, hash: "b", mode: "metadata_only", baseline });
  assertEquals([again.report.changed, again.baseline.picture.kind], [false, "png"]);
});

Deno.test("Bytes that are no picture are an error and a cancelled capture ends", async () => {
  const png = await pictureWithPixel(5, 5);
  const bad = new Uint8Array([1, 2, 3]);
  await assertRejects(() => diffCapture({ png: bad, hash: "x", mode: "crop" }), PngError);
  const { baseline } = await diffCapture({ png, hash: "h", mode: "crop" });
  await assertRejects(() => diffCapture({ png: bad, hash: "x", mode: "crop", baseline }), PngError);
  const stop = new AbortController();
  const turn = () => Promise.resolve(stop.abort(new DOMException("Stopped", "AbortError")));
  await assertRejects(
    () => diffCapture({ png, hash: "h", mode: "crop", baseline, signal: stop.signal, turn }),
    DOMException,
    "Stopped",
  );
});
