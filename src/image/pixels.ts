/** The heavy pixel work behind one door, so that it can be done in a thread of its own. */

import type { Cut, CutPicture } from "./cut.ts";
import type { DiffCapture, DiffCaptureResult } from "./diff_capture.ts";
import type { Shrink } from "./shrink.ts";

/** What pictures need that takes longer than a client should wait for its `ping`. */
export interface PixelWork {
  /** Like `diffCapture`. */
  diff(capture: DiffCapture): Promise<DiffCaptureResult>;
  /** Like `cutPicture`. */
  cut(cut: Cut): Promise<CutPicture>;
  /** Like `shrinkPicture`. */
  shrink(shrink: Shrink): Promise<Uint8Array<ArrayBuffer>>;
  /** Lets go of what it holds; nothing is asked of it afterwards. */
  close(): void;
}

/** The work done by the thread that asks for it. The codec is loaded at the first use. */
export const pixelsHere: PixelWork = {
  diff: async (capture) => await (await import("./diff_capture.ts")).diffCapture(capture),
  cut: async (cut) => await (await import("./cut.ts")).cutPicture(cut),
  shrink: async (shrink) => await (await import("./shrink.ts")).shrinkPicture(shrink),
  close() {},
};
