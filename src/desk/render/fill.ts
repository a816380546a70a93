/** Filled areas and line patterns inside a boundary. */

import type { Coverage } from "./coverage.ts";
import { type Pixel, strokeLine } from "./stroke.ts";

/** Sample rows per pixel row; across, coverage is exact. */
const SAMPLES = 4;
/** The closest that pattern lines are drawn, in pixels; denser ones become a tint. */
const CLOSEST_LINES = 2.5;
/** Pattern lines are counted from the pattern's origin up to here, where counting is still exact. */
const MOST_LINES = 2 ** 50;

/** Fills an area by the even-odd rule, so that a boundary crossing itself leaves holes. */
export function fillArea(mask: Coverage, boundary: readonly Pixel[], amount = 1): void {
  const rows = crossings(mask, boundary);
  // A span adds its share to its two end pixels; what lies between is a step up and a step down,
  // so that wide spans cost no more than narrow ones until the row is summed up.
  const ends = new Float64Array(mask.width + 1);
  const steps = new Float64Array(mask.width + 1);
  const add = (list: Float64Array, at: number, value: number) => {
    list[at] = (list[at] ?? 0) + value / SAMPLES;
  };
  for (let y = rows.top; y <= rows.bottom; y++) {
    let left = mask.width, right = -1;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const xs = rows.at(y * SAMPLES + sample);
      for (let pair = 0; pair + 1 < xs.length; pair += 2) {
        const from = Math.max(0, xs[pair] ?? 0);
        const to = Math.min(mask.width, xs[pair + 1] ?? 0);
        if (!(to > from)) continue;
        const first = Math.floor(from), last = Math.floor(to);
        left = Math.min(left, first);
        right = Math.max(right, Math.min(last, mask.width - 1));
        if (first === last) {
          add(ends, first, to - from);
        } else {
          add(ends, first, first + 1 - from);
          add(steps, first + 1, 1);
          add(steps, last, -1);
          add(ends, last, to - last);
        }
      }
    }
    let inside = 0;
    for (let x = left; x <= right; x++) {
      inside += steps[x] ?? 0;
      mask.raise(x, y, ((ends[x] ?? 0) + inside) * amount);
      ends[x] = 0;
      steps[x] = 0;
    }
    ends[mask.width] = 0;
    steps[mask.width] = 0;
  }
}

/** A family of parallel lines: their direction in radians on the screen, and their distance. */
export interface LineFamily {
  readonly angle: number;
  /** Pixels between lines. */
  readonly spacing: number;
  /** A point that one of the lines goes through, so that patterns keep still while the view moves. */
  readonly through: Pixel;
}

/** Draws a family of lines within a boundary. */
export function fillLines(
  mask: Coverage,
  boundary: readonly Pixel[],
  family: LineFamily,
  width: number,
): void {
  if (!(family.spacing >= CLOSEST_LINES)) {
    fillArea(mask, boundary, 0.35);
    return;
  }
  const ux = Math.cos(family.angle), uy = Math.sin(family.angle);
  // In the turned frame the lines are level: `along` runs with them, `across` counts them.
  const across = ([x, y]: Pixel) =>
    ((y - family.through[1]) * ux - (x - family.through[0]) * uy) / family.spacing;
  const along = ([x, y]: Pixel) => x * ux + y * uy;
  const inView: readonly Pixel[] = [
    [0, 0],
    [mask.width, 0],
    [0, mask.height],
    [mask.width, mask.height],
  ];
  const view = range(inView.map(across));
  const area = range(boundary.map(across));
  const first = Math.ceil(Math.max(view[0], area[0]));
  const last = Math.floor(Math.min(view[1], area[1]));
  const count = last - first + 1;
  // So far from the pattern's origin that neighbours are no longer told apart, or nowhere at all.
  if (!(Math.max(Math.abs(first), Math.abs(last)) < MOST_LINES)) return;
  for (let step = 0; step < count; step++) {
    const line = first + step;
    const hits: number[] = [];
    boundary.forEach((from, index) => {
      const to = boundary[(index + 1) % boundary.length] ?? from;
      const a = across(from), b = across(to);
      // Half-open, so that a corner on the line counts once.
      if ((a <= line) === (b <= line)) return;
      const share = (line - a) / (b - a);
      hits.push(along(from) + (along(to) - along(from)) * share);
    });
    hits.sort((a, b) => a - b);
    const base: Pixel = [
      family.through[0] - line * family.spacing * uy,
      family.through[1] + line * family.spacing * ux,
    ];
    const offset = along(base);
    for (let pair = 0; pair + 1 < hits.length; pair += 2) {
      const at = (hit: number): Pixel => [
        base[0] + (hit - offset) * ux,
        base[1] + (hit - offset) * uy,
      ];
      strokeLine(mask, at(hits[pair] ?? 0), at(hits[pair + 1] ?? 0), width, "flat", "flat");
    }
  }
}

function range(values: readonly number[]): readonly [number, number] {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

/** Where a boundary crosses each sample row within the picture, from left to right. */
function crossings(mask: Coverage, boundary: readonly Pixel[]): {
  readonly top: number;
  readonly bottom: number;
  at(row: number): readonly number[];
} {
  const rows = new Map<number, number[]>();
  let top = mask.height, bottom = -1;
  const count = mask.height * SAMPLES;
  boundary.forEach(([x0, y0], index) => {
    const [x1, y1] = boundary[(index + 1) % boundary.length] ?? [x0, y0];
    const high = Math.min(y0, y1) * SAMPLES - 0.5, low = Math.max(y0, y1) * SAMPLES - 0.5;
    const first = Math.max(0, Math.ceil(high));
    const last = Math.min(count - 1, Math.ceil(low) - 1);
    for (let row = first; row <= last; row++) {
      const y = (row + 0.5) / SAMPLES;
      const x = x0 + (x1 - x0) * ((y - y0) / (y1 - y0));
      if (!Number.isFinite(x)) continue;
      const found = rows.get(row);
      if (found === undefined) rows.set(row, [x]);
      else found.push(x);
      top = Math.min(top, Math.floor(row / SAMPLES));
      bottom = Math.max(bottom, Math.floor(row / SAMPLES));
    }
  });
  for (const xs of rows.values()) xs.sort((a, b) => a - b);
  return { top, bottom, at: (row) => rows.get(row) ?? [] };
}
