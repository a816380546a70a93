/** What changed since the previous diff capture of a session (bridge.md 7.2). */

import type { JsonObject } from "../host/json.ts";
import type { DiffBaseline } from "../image/diff_capture.ts";
import { isMatrix6 } from "../image/matrix.ts";
import type { PixelWork } from "../image/pixels.ts";
import type { DiffMode } from "./capture_arguments.ts";
import { sha256, type Shot } from "./shot.ts";

/** The outcome: `diff` of the metadata, and a marked or cut picture when the mode makes one. */
export interface Comparison {
  readonly diff: JsonObject;
  readonly picture?: { readonly png: Uint8Array<ArrayBuffer>; readonly hash: string };
  /** What the next comparison starts from. */
  readonly baseline: DiffBaseline;
}

/** Compares a shot with the baseline, if there is one. Raises ToolError for an unreadable PNG. */
export async function compare(
  baseline: DiffBaseline | undefined,
  shot: Shot,
  mode: DiffMode,
  pixels: PixelWork,
  signal: AbortSignal,
): Promise<Comparison> {
  const { png, hash, reported } = shot;
  const matrix = reported.pixel_to_world_matrix;
  // Of a picture of the whole window, the matrix does not hold (gui-protocol.md 7.2).
  const pixelToWorld = isMatrix6(matrix) && reported.scope !== "window" ? matrix : undefined;
  const result = await pixels.diff({ png, hash, mode, baseline, pixelToWorld, signal });
  const diff: JsonObject = { ...result.report };
  const made = result.png === png
    ? {}
    : { picture: { png: result.png, hash: await sha256(result.png) } };
  return { diff, baseline: result.baseline, ...made };
}
