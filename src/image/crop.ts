/** Parts of pictures, with the transforms that say where they lie in the drawing. */

import { ToolError } from "../host/faults.ts";
import {
  type Bounds4,
  chainMatrices,
  invertMatrix,
  type Matrix6,
  transformedBounds,
} from "./matrix.ts";
import type { Raster } from "./raster.ts";

/** `[left, top, right, bottom]` in whole pixels; right and bottom are the first not in the box. */
export type PixelBox = readonly [left: number, top: number, right: number, bottom: number];

/** A part of a picture that knows its place in the drawing. */
export interface PlacedRaster {
  readonly raster: Raster;
  readonly pixelToWorld: Matrix6;
  /** Six zeros when `pixelToWorld` has no inverse. */
  readonly worldToPixel: Matrix6;
}

/** The pixels of a box. Throws a RangeError when the box is empty or reaches outside the picture. */
export function cropRaster(raster: Raster, box: PixelBox): Raster {
  const [left, top, right, bottom] = box;
  const inside = box.every(Number.isInteger) && 0 <= left && left < right &&
    right <= raster.width && 0 <= top && top < bottom && bottom <= raster.height;
  if (!inside) {
    throw new RangeError(
      `The box ${box.join(", ")} is not within a picture of ${raster.width} x ${raster.height}.`,
    );
  }
  const width = right - left, height = bottom - top;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * raster.width + left) * 4;
    data.set(raster.data.subarray(from, from + width * 4), y * width * 4);
  }
  return { width, height, data };
}

/** The pixels of a box, with the transforms of the whole picture moved to its corner. */
export function cropPlaced(raster: Raster, pixelToWorld: Matrix6, box: PixelBox): PlacedRaster {
  const moved = chainMatrices([1, 0, 0, 1, box[0], box[1]], pixelToWorld);
  return {
    raster: cropRaster(raster, box),
    pixelToWorld: moved,
    worldToPixel: invertMatrix(moved, 0),
  };
}

/**
 * The part of a picture that shows a window of the drawing: the whole pixels that come closest to
 * it, at least one. The editor fits a window into its own shape, so its picture shows more than was
 * asked for; a tile shows no more than its cell (bridge.md 7.3). The transforms are those of the
 * pixels kept. Throws a {@link ToolError} when the picture does not show the window at all.
 */
export function cropToWorld(
  raster: Raster,
  pixelToWorld: Matrix6,
  world: Bounds4,
): PlacedRaster {
  const worldToPixel = invertMatrix(pixelToWorld, 0);
  const [left, top, right, bottom] = transformedBounds(worldToPixel, world);
  const fits = worldToPixel[0] !== 0 || worldToPixel[1] !== 0;
  const meets = fits && right > 0 && left < raster.width && bottom > 0 && top < raster.height;
  if (!meets) {
    throw new ToolError(
      `The picture does not show the window [${world.join(", ")}]. The view moved while it was ` +
        "taken, or the window is too small to be shown. Capture again.",
    );
  }
  const [x0, x1] = nearestPixels(left, right, raster.width);
  const [y0, y1] = nearestPixels(top, bottom, raster.height);
  return cropPlaced(raster, pixelToWorld, [x0, y0, x1, y1]);
}

/** The whole pixels closest to a stretch, clamped to the picture and never none. */
function nearestPixels(from: number, to: number, size: number): readonly [number, number] {
  const first = Math.max(0, Math.min(size - 1, Math.round(from)));
  const last = Math.max(first + 1, Math.min(size, Math.round(to)));
  return [first, last];
}
