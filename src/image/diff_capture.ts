/** A whole diff capture: PNG bytes and what was kept of the last one in, picture and figures out. */

import { setImmediate } from "node:timers";
import { type DiffMode, visualDiffInTurns } from "./diff.ts";
import type { Bounds4, Matrix6 } from "./matrix.ts";
import { decodePng, encodePng, pngSize } from "./png.ts";
import type { Raster } from "./raster.ts";
import type { PixelBox } from "./crop.ts";

/** What a session keeps of its last diff capture, to compare the next one with. */
export interface DiffBaseline {
  /** SHA-256 of the capture's PNG. */
  readonly hash: string;
  readonly picture:
    /** Small pictures stay decoded: the next comparison decodes one picture instead of two. */
    | { readonly kind: "raster"; readonly raster: Raster }
    /** Large ones (64 MiB at 4096 x 4096) are decoded again when they are needed. */
    | { readonly kind: "png"; readonly png: Uint8Array };
}

/** A capture to compare. */
export interface DiffCapture {
  readonly png: Uint8Array<ArrayBuffer>;
  /** SHA-256 of `png`. */
  readonly hash: string;
  readonly mode: DiffMode;
  readonly pixelToWorld?: Matrix6 | undefined;
  /** The session's last diff capture; undefined for the first, or after a reset. */
  readonly baseline?: DiffBaseline | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Lets the event loop turn; unless given, the machine's own. */
  readonly turn?: () => Promise<void>;
}

/** The figures of bridge.md 7.2, as they are sent. */
export type DiffReport =
  | {
    readonly is_baseline: true;
    readonly changed: false;
    readonly change_percentage: 0;
    readonly changed_pixels: 0;
    readonly message: string;
    readonly mode: DiffMode;
  }
  | {
    readonly is_baseline: false;
    readonly baseline_hash: string;
    readonly changed: boolean;
    readonly change_percentage: number;
    readonly changed_pixels: number;
    readonly dirty_pixel_bounds: PixelBox | null;
    readonly dirty_world_bounds: Bounds4 | null;
    readonly patch_resolution: readonly [number, number] | null;
    readonly mode: DiffMode;
  };

/** What a diff capture gives. */
export interface DiffCaptureResult {
  readonly report: DiffReport;
  /** The picture to show: `highlight` or `crop` as asked for, else the capture's own bytes. */
  readonly png: Uint8Array<ArrayBuffer>;
  /** What to keep for the next diff capture. */
  readonly baseline: DiffBaseline;
}

/** Pictures up to this size are kept decoded: 4 million pixels, 16 MiB a session. */
const KEPT_PIXELS = 1 << 22;

/**
 * Compares a capture with the session's last one. The event loop turns between decoding, comparing
 * and encoding, so the longest stretch is the decoding of one picture. Throws a PngError for bytes
 * that are no PNG, and the signal's reason once it is aborted.
 */
export async function diffCapture(capture: DiffCapture): Promise<DiffCaptureResult> {
  const { png, hash, mode, baseline, signal } = capture;
  const turn = async () => {
    await (capture.turn ?? nextTurn)();
    signal?.throwIfAborted();
  };
  signal?.throwIfAborted();
  if (baseline === undefined) {
    pngSize(png);
    // Not decoded yet: the first diff capture has nothing to compare, and may have no second.
    return {
      report: {
        is_baseline: true,
        changed: false,
        change_percentage: 0,
        changed_pixels: 0,
        message: "This is the first diff capture: the next one is compared with it.",
        mode,
      },
      png,
      baseline: { hash, picture: { kind: "png", png } },
    };
  }
  const after = await decodePng(png);
  await turn();
  const before = await decodedBaseline(baseline, after);
  await turn();
  const diff = await visualDiffInTurns(
    before,
    after,
    { mode, pixelToWorld: capture.pixelToWorld },
    turn,
  );
  const shown = diff.image === undefined ? png : await encodePng(diff.image);
  await turn();
  return {
    report: {
      is_baseline: false,
      baseline_hash: baseline.hash,
      changed: diff.changed,
      change_percentage: diff.changePercentage,
      changed_pixels: diff.changedPixels,
      dirty_pixel_bounds: diff.dirtyPixelBounds,
      dirty_world_bounds: diff.dirtyWorldBounds,
      patch_resolution: diff.patchResolution,
      mode,
    },
    png: shown,
    baseline: { hash, picture: kept(png, after) },
  };
}

/** The baseline's pixels. */
async function decodedBaseline(baseline: DiffBaseline, after: Raster): Promise<Raster> {
  const { picture } = baseline;
  if (picture.kind === "raster") return picture.raster;
  const { width, height } = pngSize(picture.png);
  if (width !== after.width || height !== after.height) {
    // Another size is a change as a whole: its pixels are not looked at.
    return { width, height, data: new Uint8ClampedArray(0) };
  }
  return await decodePng(picture.png);
}

function kept(png: Uint8Array, raster: Raster): DiffBaseline["picture"] {
  return raster.width * raster.height <= KEPT_PIXELS
    ? { kind: "raster", raster }
    : { kind: "png", png };
}

function nextTurn(): Promise<void> {
  // A timer of 0 ms waits 4 ms once timers are nested; this lets waiting work in and goes on.
  return new Promise((resolve) => setImmediate(resolve));
}
