/** A part of a PNG as a PNG: what lies in a window of the drawing (bridge.md 7.3). */

import { cropToWorld } from "./crop.ts";
import type { Bounds4, Matrix6 } from "./matrix.ts";
import { decodePng, encodePng } from "./png.ts";

/** A capture that a window of the drawing is to be cut out of. */
export interface Cut {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly pixelToWorld: Matrix6;
  /** The window, in drawing units. */
  readonly world: Bounds4;
}

/** The part, with the transforms of its own pixels. */
export interface CutPicture {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly pixelToWorld: Matrix6;
  readonly worldToPixel: Matrix6;
}

/**
 * Cuts the window out. Raises ToolError when the picture is no PNG or does not show the window at
 * all.
 */
export async function cutPicture({ png, pixelToWorld, world }: Cut): Promise<CutPicture> {
  const placed = cropToWorld(await decodePng(png), pixelToWorld, world);
  const { width, height } = placed.raster;
  return {
    png: await encodePng(placed.raster),
    width,
    height,
    pixelToWorld: placed.pixelToWorld,
    worldToPixel: placed.worldToPixel,
  };
}
