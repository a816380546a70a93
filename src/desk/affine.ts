/** Affine maps of the drawing plane: x' = a·x + b·y + tx, y' = c·x + d·y + ty. */

import type { Point2 } from "./entity.ts";

/** A map in the order of gui-protocol.md 7.2. */
export type Affine = readonly [a: number, b: number, c: number, d: number, tx: number, ty: number];

/** The map that changes nothing. */
export const IDENTITY: Affine = [1, 0, 0, 1, 0, 0];

/** The image of a point. */
export function apply(map: Affine, [x, y]: Point2): Point2 {
  const [a, b, c, d, tx, ty] = map;
  return [a * x + b * y + tx, c * x + d * y + ty];
}

/** The map that applies `first`, then `second`. */
export function compose(second: Affine, first: Affine): Affine {
  const [a, b, c, d, tx, ty] = second;
  const [e, f, g, h, ux, uy] = first;
  return [
    a * e + b * g,
    a * f + b * h,
    c * e + d * g,
    c * f + d * h,
    a * ux + b * uy + tx,
    c * ux + d * uy + ty,
  ];
}

/** The opposite map; six zeros when the determinant is not above 1e-12 (gui-protocol.md 7.2). */
export function inverse(map: Affine): Affine {
  const [a, b, c, d, tx, ty] = map;
  const det = a * d - b * c;
  if (Math.abs(det) <= 1e-12) return [0, 0, 0, 0, 0, 0];
  const [e, f, g, h] = [d / det, -b / det, -c / det, a / det];
  return [e, f, g, h, -(e * tx + f * ty), -(g * tx + h * ty)];
}
