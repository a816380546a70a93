/** What goes between the thread that serves and the one that works on pixels. */

import type { Cut, CutPicture } from "./cut.ts";
import type { DiffCapture, DiffCaptureResult } from "./diff_capture.ts";
import type { Raster } from "./raster.ts";
import type { Shrink } from "./shrink.ts";

/** A diff without what cannot be sent. */
export type DiffJob = Omit<DiffCapture, "signal" | "turn">;

/** One piece of work. */
export type Job =
  | { readonly kind: "diff"; readonly asked: DiffJob }
  | { readonly kind: "cut"; readonly asked: Cut }
  | { readonly kind: "shrink"; readonly asked: Shrink };

/** To the pixel thread. */
export type ToPixels =
  /** The PNG codec's bytes, before any job. */
  | { readonly kind: "codec"; readonly bytes: BufferSource }
  | { readonly kind: "job"; readonly id: number; readonly job: Job };

/** A diff's outcome; what is the capture's own PNG, still as it was, is not sent back. */
export interface DiffDone {
  readonly kind: "diff";
  readonly report: DiffCaptureResult["report"];
  /** Absent when the capture itself is what is shown. */
  readonly png?: Uint8Array<ArrayBuffer>;
  /** Absent when the next baseline keeps the capture as it is. */
  readonly raster?: Raster;
}

/** The outcome of a job. */
export type Done =
  | DiffDone
  | { readonly kind: "cut"; readonly cut: CutPicture }
  | { readonly kind: "shrink"; readonly png: Uint8Array<ArrayBuffer> };

/** From the pixel thread. */
export type FromPixels =
  | { readonly kind: "done"; readonly id: number; readonly done: Done }
  /** `refused` tells a ToolError, whose message is for the model, from a defect. */
  | {
    readonly kind: "failed";
    readonly id: number;
    readonly refused: boolean;
    readonly message: string;
  };
