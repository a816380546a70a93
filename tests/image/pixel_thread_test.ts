import { assert, assertEquals, assertRejects } from "@std/assert";
import { setImmediate } from "node:timers";
import { InfrastructureError, ToolError } from "../../src/host/faults.ts";
import { silentLog } from "../../src/host/log.ts";
import type { DiffCapture } from "../../src/image/diff_capture.ts";
import { pixelThread } from "../../src/image/pixel_thread.ts";
import { pixelsHere, type PixelWork } from "../../src/image/pixels.ts";
import { decodePng, encodePng } from "../../src/image/png.ts";
import { filledRaster } from "../../src/image/raster.ts";

async function spotAt(x: number, y: number, width = 100, height = 80) {
  const raster = filledRaster(width, height, [20, 20, 20, 255]);
  raster.data.set([250, 250, 250, 255], (y * width + x) * 4);
  return await encodePng(raster);
}

/** Two captures of which the second is to be compared. */
async function pair(pixels: PixelWork, width?: number, height?: number): Promise<DiffCapture> {
  const png = await spotAt(5, 6, width, height);
  const first = await pixels.diff({ png, hash: "a", mode: "highlight" });
  return {
    png: await spotAt(50, 40, width, height),
    hash: "b",
    mode: "highlight",
    pixelToWorld: [0.5, 0, 0, -0.5, 0, 40],
    baseline: first.baseline,
  };
}

async function withThread(work: (pixels: PixelWork) => Promise<void>): Promise<void> {
  const complaints: string[] = [];
  const pixels = pixelThread({ log: { ...silentLog, warn: (line) => complaints.push(line) } });
  try {
    await work(pixels);
    assertEquals(complaints, []);
  } finally {
    pixels.close();
  }
}

Deno.test("A diff in a thread of its own gives what it gives here, time after time", async () => {
  await withThread(async (pixels) => {
    for (const mode of ["highlight", "crop", "metadata_only"] as const) {
      const there = await pixels.diff({ ...await pair(pixels), mode });
      assertEquals(there, await pixelsHere.diff({ ...await pair(pixelsHere), mode }));
      const { png, baseline } = { png: await spotAt(50, 40), baseline: there.baseline };
      const again = await pixels.diff({ png, hash: "c", mode, baseline });
      assertEquals([again.report.changed, again.report.is_baseline], [false, false]);
      // The very bytes: by that a capture is told from a picture that was made of it.
      assertEquals(again.png === png, mode !== "highlight");
    }
  });
});

Deno.test("A picture is cut and scaled down in the thread as it is here", async () => {
  await withThread(async (pixels) => {
    const png = await spotAt(50, 40);
    // The upper right quarter: x 25..50, y 20..40 at half a unit per pixel.
    const asked = {
      png,
      pixelToWorld: [0.5, 0, 0, -0.5, 0, 40],
      world: [25, 20, 50, 40],
    } as const;
    const cut = await pixels.cut(asked);
    assertEquals([cut.width, cut.height], [50, 40]);
    assertEquals(cut.pixelToWorld, [0.5, 0, 0, -0.5, 25, 40]);
    assertEquals(cut, await pixelsHere.cut(asked));
    assertEquals((await decodePng(cut.png)).height, 40);
    const shrink = { png, maxBytes: png.length - 1 };
    const smaller = await pixels.shrink(shrink);
    assertEquals(smaller, await pixelsHere.shrink(shrink));
    assertEquals((await decodePng(smaller)).height, 40);
    assertEquals(await pixels.shrink({ png, maxBytes: png.length }) === png, true);
  });
});

Deno.test("The thread that serves goes on while pictures are compared", async () => {
  await withThread(async (pixels) => {
    const asked = await pair(pixels, 1600, 1000);
    const turnsDuring = async (work: Promise<unknown>) => {
      let turns = 0;
      let busy = true;
      work.finally(() => busy = false);
      while (busy) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        turns++;
      }
      return turns;
    };
    const aside = await turnsDuring(pixels.diff(asked));
    const here = await turnsDuring(pixelsHere.diff(asked));
    assert(aside > 5 * here, `${aside} turns beside the thread, ${here} when it is done here`);
  });
});

Deno.test("What cannot be done is refused in the thread's own words", async () => {
  await withThread(async (pixels) => {
    const asked = await pair(pixels);
    const png = new Uint8Array([1, 2, 3]);
    const error = await assertRejects(() => pixels.diff({ ...asked, png }), ToolError);
    assert(error.message.includes("not a PNG"), error.message);
    const outside = { png: asked.png, pixelToWorld: [1, 0, 0, -1, 0, 0] } as const;
    await assertRejects(() => pixels.cut({ ...outside, world: [500, 500, 600, 600] }), ToolError);
    assertEquals((await pixels.diff(asked)).report.changed_pixels, 2);
  });
});

Deno.test("A comparison that is cancelled ends at once with the signal's reason", async () => {
  await withThread(async (pixels) => {
    const stop = new AbortController();
    const going = pixels.diff({ ...await pair(pixels), signal: stop.signal });
    stop.abort(new DOMException("enough", "AbortError"));
    await assertRejects(() => going, DOMException, "enough");
  });
});

Deno.test("Closing ends what is under way, and a thread that was never needed", async () => {
  const pixels = pixelThread();
  const asked = await pair(pixelsHere);
  const going = assertRejects(() => pixels.diff(asked), DOMException);
  await new Promise<void>((resolve) => setImmediate(resolve));
  pixels.close();
  await going;
  pixelThread().close();
});

Deno.test("Where no thread can be had the work is done here, and that is said once", async () => {
  const complaints: string[] = [];
  const pixels = pixelThread({
    module: new URL("data:text/javascript,throw new Error('this thread fails as its test asks')"),
    log: { ...silentLog, warn: (line) => complaints.push(line) },
  });
  const asked = await pair(pixels);
  assertEquals((await pixels.diff(asked)).report.changed_pixels, 2);
  assertEquals(complaints.length, 1);
  pixels.close();
});

Deno.test("A failure of the work itself is not tried again elsewhere", async () => {
  const instead: PixelWork = {
    diff: () => Promise.reject(new InfrastructureError("never asked")),
    cut: () => Promise.reject(new InfrastructureError("never asked")),
    shrink: () => Promise.reject(new InfrastructureError("never asked")),
    close() {},
  };
  const pixels = pixelThread({ instead });
  try {
    const asked = { png: new Uint8Array(0), hash: "x", mode: "crop" } as const;
    await assertRejects(() => pixels.diff(asked), ToolError, "empty");
  } finally {
    pixels.close();
  }
});
