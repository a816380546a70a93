/** The pixel thread: bytes in, bytes out, and no right to anything at all. */

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />

// Loaded with the thread: later it has no right to load anything.
import "@jsquash/png/decode.js";
import "@jsquash/png/encode.js";
import { ToolError } from "../host/faults.ts";
import { cutPicture } from "./cut.ts";
import { diffCapture } from "./diff_capture.ts";
import type { DiffJob, Done, FromPixels, Job, ToPixels } from "./pixel_jobs.ts";
import { warmPng } from "./png.ts";
import { providePngWasm } from "./png_wasm.ts";
import { shrinkPicture } from "./shrink.ts";

self.addEventListener("message", (event: MessageEvent<ToPixels>) => {
  const message = event.data;
  if (message.kind === "codec") {
    providePngWasm(() => Promise.resolve(message.bytes));
    // A codec that cannot be loaded fails the job that needs it, which can say so.
    warmPng().catch(() => {});
  } else void answer(message.id, message.job);
});

async function answer(id: number, job: Job): Promise<void> {
  try {
    const done = await doneWith(job);
    // Handed over, not copied: the other thread must not spend its time on it.
    self.postMessage({ kind: "done", id, done } satisfies FromPixels, buffersOf(done));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const refused = error instanceof ToolError;
    self.postMessage({ kind: "failed", id, refused, message } satisfies FromPixels);
  }
}

async function doneWith(job: Job): Promise<Done> {
  switch (job.kind) {
    case "diff":
      return await diff(job.asked);
    case "cut":
      return { kind: "cut", cut: await cutPicture(job.asked) };
    case "shrink":
      return { kind: "shrink", png: await shrinkPicture(job.asked) };
  }
}

async function diff(asked: DiffJob): Promise<Done> {
  const { report, png, baseline: { picture } } = await diffCapture(asked);
  return {
    kind: "diff",
    report,
    ...(png !== asked.png && { png }),
    ...(picture.kind === "raster" && { raster: picture.raster }),
  };
}

function buffersOf(done: Done): ArrayBuffer[] {
  switch (done.kind) {
    case "diff":
      return [done.png, done.raster?.data].flatMap((part) =>
        part === undefined ? [] : [part.buffer]
      );
    case "cut":
      return [done.cut.png.buffer];
    case "shrink":
      return [done.png.buffer];
  }
}
