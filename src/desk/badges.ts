/** Numbered badges on a picture (gui-protocol.md 7.3). */

import type { Raster } from "../image/raster.ts";
import type { Badge } from "./pending.ts";

type Rgba = readonly [number, number, number, number];

const HEIGHT = 13;
const SELECTED: Rgba = [0, 230, 255, 245];
const OTHERS: Rgba = [255, 220, 0, 245];
const DOT_SELECTED: Rgba = [0, 230, 255, 255];
const DOT_OTHERS: Rgba = [255, 60, 0, 255];
const INK: Rgba = [0, 0, 0, 255];

/** Digits of 5 by 7 pixels: a row per number, its bits from the left. */
const DIGITS: readonly (readonly number[])[] = [
  [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
  [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
  [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
  [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
  [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
  [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
  [0b01110, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b01110],
  [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000],
  [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
  [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110],
];

/** Draws the badges into the picture, the first on top. */
export function drawBadges(picture: Raster, badges: readonly Badge[]): void {
  for (const badge of badges.toReversed()) drawBadge(picture, badge);
}

/** The box of a badge: centred over its anchor, just above it, moved to lie in the picture. */
export function badgeBox(
  picture: { readonly width: number; readonly height: number },
  { tag, x, y }: Badge,
): { left: number; top: number; width: number; height: number } {
  const width = String(tag).length * 6 - 1 + 8;
  return {
    left: clamp(x - Math.floor(width / 2), picture.width - width),
    top: clamp(y - 2 - HEIGHT, picture.height - HEIGHT),
    width,
    height: HEIGHT,
  };
}

function drawBadge(picture: Raster, badge: Badge): void {
  const { left, top, width, height } = badgeBox(picture, badge);
  fill(picture, left, top, width, height, badge.selected ? SELECTED : OTHERS);
  [...String(badge.tag)].forEach((digit, index) => {
    DIGITS[Number(digit)]?.forEach((bits, row) => {
      for (let column = 0; column < 5; column++) {
        if ((bits >> (4 - column) & 1) === 0) continue;
        fill(picture, left + 4 + index * 6 + column, top + 3 + row, 1, 1, INK);
      }
    });
  });
  fill(picture, badge.x - 1, badge.y - 1, 3, 3, badge.selected ? DOT_SELECTED : DOT_OTHERS);
}

/** Lays a colour over a box, as far as it lies in the picture. */
function fill(
  { data, width, height }: Raster,
  left: number,
  top: number,
  w: number,
  h: number,
  [r, g, b, a]: Rgba,
): void {
  const over = (below: number, own: number) => Math.round(below + (own - below) * a / 255);
  for (let y = Math.max(0, top); y < Math.min(height, top + h); y++) {
    for (let x = Math.max(0, left); x < Math.min(width, left + w); x++) {
      const at = (y * width + x) * 4;
      data[at] = over(data[at] ?? 0, r);
      data[at + 1] = over(data[at + 1] ?? 0, g);
      data[at + 2] = over(data[at + 2] ?? 0, b);
      data[at + 3] = 255;
    }
  }
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
