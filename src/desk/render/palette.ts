/** The drawing colours: AutoCAD's colour index, and what an entity's colour comes to. */

import type { Color } from "../entity.ts";

/** Red, green and blue, 0..255. */
export type Rgb = readonly [r: number, g: number, b: number];

/** The picture's ground. */
export const BACKGROUND: Rgb = [0x1e, 0x22, 0x27];

/** What index 7 is on a dark ground. */
export const FOREGROUND: Rgb = [255, 255, 255];

const NAMED: readonly Rgb[] = [
  FOREGROUND,
  [255, 0, 0],
  [255, 255, 0],
  [0, 255, 0],
  [0, 255, 255],
  [0, 0, 255],
  [255, 0, 255],
  FOREGROUND,
  [128, 128, 128],
  [192, 192, 192],
];
const GREYS = [51, 91, 132, 173, 214, 255];
/** Brightness by the tens' even digit: 0, 2, 4, 6, 8. */
const BRIGHTNESS = [1, 0.65, 0.5, 0.3, 0.15];

/** The colour of an index 1..255: 24 hues 15 degrees apart, each in five strengths, full and pale. */
export function indexColor(index: number): Rgb {
  const named = NAMED[index];
  if (named !== undefined) return named;
  const grey = GREYS[index - 250];
  if (grey !== undefined) return [grey, grey, grey];
  if (!(index >= 10 && index < 250)) return FOREGROUND;
  const hue = Math.floor(index / 10 - 1) * 15;
  const value = 255 * (BRIGHTNESS[Math.floor((index % 10) / 2)] ?? 1);
  const saturation = index % 2 === 1 ? 0.5 : 1;
  const channel = (shift: number) => {
    const sector = (shift + hue / 60) % 6;
    const fade = Math.max(0, Math.min(1, sector, 4 - sector));
    return Math.floor(value * (1 - saturation * fade));
  };
  return [channel(5), channel(3), channel(1)];
}

/** What a colour comes to, given what by layer and by block stand for. */
export function resolveColor(color: Color, layer: Rgb, block: Rgb): Rgb {
  switch (color.kind) {
    case "by_layer":
      return layer;
    case "by_block":
      return block;
    case "index":
      return indexColor(color.index);
    case "rgb":
      return [color.r, color.g, color.b];
  }
}

/** A colour moved towards another; `share` 0 leaves it, 1 replaces it. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const blend = (a: number, b: number) => Math.round(a + (b - a) * share);
  return [blend(from[0], to[0]), blend(from[1], to[1]), blend(from[2], to[2])];
}
