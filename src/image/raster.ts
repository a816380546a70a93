/** A picture in memory. */

/** 8-bit RGBA, not premultiplied, rows from the top, `data.length === width * height * 4`. */
export interface Raster {
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** A picture of one colour. */
export function filledRaster(
  width: number,
  height: number,
  rgba: readonly [number, number, number, number],
): Raster {
  const data = new Uint8ClampedArray(width * height * 4);
  new Uint32Array(data.buffer).fill(
    new Uint32Array(new Uint8ClampedArray(rgba).buffer)[0] ?? 0,
  );
  return { width, height, data };
}
