/** Lines and arcs as anti-aliased strokes, clipped so that no coordinate costs more than the picture. */

import type { Coverage } from "./coverage.ts";

/** A point in pixels, (0, 0) at the picture's top left corner. */
export type Pixel = readonly [x: number, y: number];

/** How a stroke ends. */
export type Cap = "round" | "flat";

/** Beyond this many pixels positions carry no meaning; it keeps the arithmetic finite. */
const FAR = 1e12;

/** Strokes the straight line between two points, `width` pixels wide. */
export function strokeLine(
  mask: Coverage,
  from: Pixel,
  to: Pixel,
  width: number,
  startCap: Cap = "round",
  endCap: Cap = "round",
): void {
  const half = Math.min(width, FAR) / 2;
  const reach = half + 1;
  const start = near(from), end = near(to);
  const part = clipToBox(
    start,
    end,
    -reach,
    -reach,
    mask.width + reach,
    mask.height + reach,
  );
  if (part === undefined) return;
  const [[x0, y0], [x1, y1]] = part;
  // An end that was cut off lies outside the picture: its cap does not matter.
  const length = Math.hypot(x1 - x0, y1 - y0);
  const ux = length > 0 ? (x1 - x0) / length : 1;
  const uy = length > 0 ? (y1 - y0) / length : 0;
  const top = Math.max(0, Math.floor(Math.min(y0, y1) - reach));
  const bottom = Math.min(mask.height - 1, Math.ceil(Math.max(y0, y1) + reach));
  for (let y = top; y <= bottom; y++) {
    const py = y + 0.5;
    // Where the row can meet the band around the line: x with |cross| <= reach.
    let left = Math.min(x0, x1) - reach;
    let right = Math.max(x0, x1) + reach;
    if (Math.abs(uy) > 1e-9) {
      const middle = x0 + (py - y0) * ux / uy;
      const spread = reach / Math.abs(uy);
      left = Math.max(left, middle - spread);
      right = Math.min(right, middle + spread);
    }
    const lastX = Math.min(mask.width - 1, Math.ceil(right));
    for (let x = Math.max(0, Math.floor(left)); x <= lastX; x++) {
      const dx = x + 0.5 - x0, dy = py - y0;
      const along = dx * ux + dy * uy;
      const across = Math.abs(dy * ux - dx * uy);
      // How far the pixel lies beyond the nearer end; negative between the ends.
      const over = Math.max(-along, along - length);
      const cap = along < length / 2 ? startCap : endCap;
      const beside = cap === "flat"
        ? Math.max(across, over + half)
        : over > 0
        ? Math.sqrt(over * over + across * across)
        : across;
      const amount = half + 0.5 - beside;
      mask.raise(x, y, Math.min(amount, Math.max(2 * half, 0)));
    }
  }
}

/** Strokes a run of points; closed runs join their ends. `flat` ends suit wide polylines. */
export function strokePath(
  mask: Coverage,
  points: readonly Pixel[],
  closed: boolean,
  width: number,
  cap: Cap = "round",
): void {
  const last = points.length - 1;
  const only = points[0];
  if (last === 0 && only !== undefined) strokeLine(mask, only, only, width);
  for (let index = 0; index < last; index++) {
    const from = points[index], to = points[index + 1];
    if (from === undefined || to === undefined) continue;
    strokeLine(
      mask,
      from,
      to,
      width,
      index === 0 && !closed ? cap : "round",
      index === last - 1 && !closed ? cap : "round",
    );
  }
  const end = points[last];
  if (closed && last > 0 && only !== undefined && end !== undefined) {
    strokeLine(mask, end, only, width);
  }
}

/**
 * Strokes a circle, or the part of it that starts at `start` and runs `sweep` radians in the
 * direction of `turn` (1: from +x towards +y, which is clockwise on the screen). Exact at any size:
 * each row asks the circle where it is, so a huge radius costs no more than the picture.
 */
export function strokeArc(
  mask: Coverage,
  center: Pixel,
  radius: number,
  width: number,
  start: number,
  sweep: number,
  turn: 1 | -1,
): void {
  if (!(Number.isFinite(center[0]) && Number.isFinite(center[1]) && radius < Infinity)) return;
  const [cx, cy] = center;
  const half = width / 2;
  const outer = radius + half + 1;
  const inner = Math.max(0, radius - half - 1);
  const whole = sweep >= 2 * Math.PI - 1e-9;
  const top = Math.max(0, Math.floor(cy - outer));
  const bottom = Math.min(mask.height - 1, Math.ceil(cy + outer));
  const run = (left: number, right: number, y: number) => {
    const dy = y + 0.5 - cy;
    const last = Math.min(mask.width - 1, Math.ceil(right));
    for (let x = Math.max(0, Math.floor(left)); x <= last; x++) {
      const dx = x + 0.5 - cx;
      const amount = half + 0.5 - Math.abs(Math.sqrt(dx * dx + dy * dy) - radius);
      if (amount <= 0) continue;
      if (!whole && turned(Math.atan2(dy, dx) - start, turn) > sweep) continue;
      mask.raise(x, y, amount);
    }
  };
  for (let y = top; y <= bottom; y++) {
    const dy = y + 0.5 - cy;
    const far = Math.sqrt(Math.max(0, outer * outer - dy * dy));
    const close = inner * inner - dy * dy;
    if (close <= 0) {
      run(cx - far, cx + far, y);
    } else {
      const gap = Math.sqrt(close);
      run(cx - far, cx - gap, y);
      run(cx + gap, cx + far, y);
    }
  }
  if (whole) return;
  for (const angle of [start, start + turn * sweep]) {
    const tip: Pixel = [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
    strokeLine(mask, tip, tip, width);
  }
}

/** An angle as 0..2π in the given direction. */
function turned(angle: number, turn: 1 | -1): number {
  const full = 2 * Math.PI;
  return ((turn * angle) % full + full) % full;
}

function near([x, y]: Pixel): Pixel {
  return [clampFar(x), clampFar(y)];
}

function clampFar(value: number): number {
  return Number.isNaN(value) ? FAR : Math.max(-FAR, Math.min(FAR, value));
}

/** The part of a line within a box, or undefined when none is. */
function clipToBox(
  from: Pixel,
  to: Pixel,
  left: number,
  top: number,
  right: number,
  bottom: number,
): readonly [Pixel, Pixel] | undefined {
  const dx = to[0] - from[0], dy = to[1] - from[1];
  let enter = 0, leave = 1;
  const sides: readonly (readonly [number, number])[] = [
    [-dx, from[0] - left],
    [dx, right - from[0]],
    [-dy, from[1] - top],
    [dy, bottom - from[1]],
  ];
  for (const [towards, room] of sides) {
    if (towards === 0) {
      if (room < 0) return undefined;
    } else if (towards < 0) {
      enter = Math.max(enter, room / towards);
    } else {
      leave = Math.min(leave, room / towards);
    }
  }
  if (enter > leave) return undefined;
  return [
    enter === 0 ? from : [from[0] + dx * enter, from[1] + dy * enter],
    leave === 1 ? to : [from[0] + dx * leave, from[1] + dy * leave],
  ];
}
