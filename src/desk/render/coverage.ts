/** How much of each pixel a shape covers, gathered before its colour is laid on. */

import type { Raster } from "../../image/raster.ts";
import type { Rgb } from "./palette.ts";

/**
 * A mask the size of the picture. Shapes add themselves by the larger value, so that pieces of one
 * entity that overlap do not show; `paint` lays a colour on and empties the mask. Only the touched
 * part of each row is looked at, which keeps many small entities cheap.
 */
export class Coverage {
  readonly width: number;
  readonly height: number;
  readonly #mask: Uint8Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #top: number;
  #bottom = -1;

  /** Width and height in pixels. */
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#mask = new Uint8Array(width * height);
    this.#from = new Int32Array(height).fill(width);
    this.#to = new Int32Array(height).fill(-1);
    this.#top = height;
  }

  /** Raises a pixel's coverage to `amount`, 0..1. The pixel lies in the picture. */
  raise(x: number, y: number, amount: number): void {
    const value = amount >= 1 ? 255 : Math.round(amount * 255);
    if (value <= 0) return;
    const index = y * this.width + x;
    if (value <= (this.#mask[index] ?? 255)) return;
    this.#mask[index] = value;
    if (x < (this.#from[y] ?? 0)) this.#from[y] = x;
    if (x > (this.#to[y] ?? 0)) this.#to[y] = x;
    if (y < this.#top) this.#top = y;
    if (y > this.#bottom) this.#bottom = y;
  }

  /** Lays the colour on wherever something was covered, `alpha` 0..1, and empties the mask. */
  paint(target: Raster, color: Rgb, alpha: number): void {
    const { data } = target;
    const [red, green, blue] = color;
    for (let y = this.#top; y <= this.#bottom; y++) {
      const end = y * this.width + (this.#to[y] ?? -1);
      for (let index = y * this.width + (this.#from[y] ?? 0); index <= end; index++) {
        const covered = this.#mask[index] ?? 0;
        if (covered === 0) continue;
        this.#mask[index] = 0;
        const share = covered * alpha / 255;
        const at = index * 4;
        const r = data[at] ?? 0, g = data[at + 1] ?? 0, b = data[at + 2] ?? 0;
        data[at] = r + (red - r) * share;
        data[at + 1] = g + (green - g) * share;
        data[at + 2] = b + (blue - b) * share;
        data[at + 3] = 255;
      }
      this.#from[y] = this.width;
      this.#to[y] = -1;
    }
    this.#top = this.height;
    this.#bottom = -1;
  }
}
