/** The sharp outer corners of paths with a width. */

import type { Point2 } from "../entity.ts";

/** How far a tip may lie from its corner, in half widths; sharper corners stay round. */
const FARTHEST_TIP = 4;

/** What sharpens one corner: a kite from the corner over both outer edges to the tip. */
export type Mitre = readonly [corner: Point2, before: Point2, tip: Point2, after: Point2];

/**
 * The mitres of a path, `half` its width, in whatever unit the points are. There is none where the
 * path goes straight on or turns back too sharply, nor at the ends of an open one.
 */
export function mitres(points: readonly Point2[], closed: boolean, half: number): Mitre[] {
  const steps = points.filter((point, index) => {
    const next = points[index + 1] ?? (closed ? points[0] : undefined);
    return next === undefined || next[0] !== point[0] || next[1] !== point[1];
  });
  return steps.flatMap((corner, index) => {
    const before = steps[index - 1] ?? (closed ? steps.at(-1) : undefined);
    const after = steps[index + 1] ?? (closed ? steps[0] : undefined);
    if (before === undefined || after === undefined) return [];
    return mitre(before, corner, after, half);
  });
}

function mitre(before: Point2, corner: Point2, after: Point2, half: number): Mitre[] {
  const [ux, uy] = direction(before, corner);
  const [vx, vy] = direction(corner, after);
  // The outer edges are to the right of a turn to the left, and the other way round.
  const outside = Math.sign(ux * vy - uy * vx) * half;
  const bend = 1 + ux * vx + uy * vy;
  if (outside === 0 || !(bend >= 2 / FARTHEST_TIP ** 2)) return [];
  const at = (x: number, y: number): Point2 => [
    corner[0] + x * outside,
    corner[1] + y * outside,
  ];
  return [[corner, at(uy, -ux), at((uy + vy) / bend, -(ux + vx) / bend), at(vy, -vx)]];
}

/** The direction from one point to another, of length 1. */
function direction(from: Point2, to: Point2): Point2 {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  return [dx / length, dy / length];
}
