/** Pictures too large for a message, scaled down until they fit (bridge.md 7.4). */

import { decodePng, encodePng } from "./png.ts";
import type { Raster } from "./raster.ts";

/** A picture and how many bytes its PNG may have. */
export interface Shrink {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly maxBytes: number;
}

/**
 * The PNG itself when it fits, else the picture at half its size, or a quarter, and so on. Raises a
 * PngError when it is no PNG.
 */
export async function shrinkPicture({ png, maxBytes }: Shrink): Promise<Uint8Array<ArrayBuffer>> {
  if (png.length <= maxBytes) return png;
  let raster = await decodePng(png);
  for (;;) {
    raster = halved(raster);
    const smaller = await encodePng(raster);
    if (smaller.length <= maxBytes || raster.width * raster.height === 1) return smaller;
  }
}

/** Each pixel is the mean of four; of two or one at an odd edge. */
export function halved({ width, height, data }: Raster): Raster {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const out = new Uint8ClampedArray(half.width * half.height * 4);
  for (let y = 0; y < half.height; y++) {
    const above = 2 * y * width;
    const below = Math.min(2 * y + 1, height - 1) * width;
    for (let x = 0; x < half.width; x++) {
      const left = 2 * x;
      const right = Math.min(2 * x + 1, width - 1);
      const at = (y * half.width + x) * 4;
      for (let channel = 0; channel < 4; channel++) {
        const sum = (data[(above + left) * 4 + channel] ?? 0) +
          (data[(above + right) * 4 + channel] ?? 0) +
          (data[(below + left) * 4 + channel] ?? 0) +
          (data[(below + right) * 4 + channel] ?? 0);
        out[at + channel] = sum / 4;
      }
    }
  }
  return { ...half, data: out };
}
