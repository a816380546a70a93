/** Numbered badges over a picture, as `capture` draws them with `annotate` (gui-protocol.md 7.3). */

import type { Raster } from "../../image/raster.ts";

/** One badge. */
export interface Badge {
  /** The number to show, from 1. */
  readonly tag: number;
  /** The pixel it points at: whole numbers of the picture it is drawn on. */
  readonly anchor: readonly [x: number, y: number];
  readonly selected: boolean;
}

type Rgba = readonly [r: number, g: number, b: number, a: number];

const HEIGHT = 13;
const DIGIT_WIDTH = 5;
const DIGIT_PITCH = 6;
const SIDE = 4;
const INK: Rgba = [20, 20, 24, 255];
const PLAIN: Rgba = [255, 220, 0, 245];
const PLAIN_DOT: Rgba = [255, 60, 0, 255];
const SELECTED: Rgba = [0, 230, 255, 245];

/** Each digit's seven rows of five pixels, the left one the highest bit. */
const DIGITS: readonly (readonly number[])[] = [
  [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
  [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
  [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
  [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
  [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
  [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
  [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
  [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
  [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
  [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];

/** A copy of the picture with the badges on it, in the order given. */
export function drawBadges(picture: Raster, badges: readonly Badge[]): Raster {
  const copy: Raster = { ...picture, data: picture.data.slice() };
  for (const badge of badges) drawBadge(copy, badge);
  return copy;
}

function drawBadge(target: Raster, { tag, anchor: [x, y], selected }: Badge): void {
  fillBox(target, x - 1, y - 1, 3, 3, selected ? SELECTED : PLAIN_DOT);
  const digits = String(tag);
  const width = digits.length * DIGIT_PITCH - 1 + 2 * SIDE;
  // Just above the anchor's dot, and never outside the picture.
  const left = clamp(Math.round(x - width / 2), target.width - width);
  const top = clamp(y - HEIGHT - 3, target.height - HEIGHT);
  fillBox(target, left, top, width, HEIGHT, selected ? SELECTED : PLAIN);
  [...digits].forEach((digit, index) => {
    (DIGITS[Number(digit)] ?? []).forEach((row, down) => {
      for (let across = 0; across < DIGIT_WIDTH; across++) {
        if ((row >> (DIGIT_WIDTH - 1 - across) & 1) === 0) continue;
        fillBox(target, left + SIDE + index * DIGIT_PITCH + across, top + 3 + down, 1, 1, INK);
      }
    });
  });
}

/** Lays a colour over a box, clipped to the picture. */
function fillBox(
  target: Raster,
  left: number,
  top: number,
  width: number,
  height: number,
  [r, g, b, a]: Rgba,
): void {
  const { data } = target;
  const share = a / 255;
  for (let y = Math.max(0, top); y < Math.min(target.height, top + height); y++) {
    for (let x = Math.max(0, left); x < Math.min(target.width, left + width); x++) {
      const at = (y * target.width + x) * 4;
      [r, g, b, 255].forEach((value, channel) => {
        const below = data[at + channel] ?? 0;
        data[at + channel] = below + (value - below) * share;
      });
    }
  }
}

function clamp(value: number, highest: number): number {
  return Math.max(0, Math.min(highest, value));
}
