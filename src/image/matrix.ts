/** Plane transforms as the editor spells them: six numbers (gui-protocol.md 7.2). */

/** `[a, b, c, d, tx, ty]`: `x' = a·x + b·y + tx`, `y' = c·x + d·y + ty`. */
export type Matrix6 = readonly [
  a: number,
  b: number,
  c: number,
  d: number,
  tx: number,
  ty: number,
];

/** `[minx, miny, maxx, maxy]`. */
export type Bounds4 = readonly [minx: number, miny: number, maxx: number, maxy: number];

/** The transform that leaves every point where it is. */
export const IDENTITY: Matrix6 = [1, 0, 0, 1, 0, 0];

/** Below this determinant the editor gives six zeros for the inverse (gui-protocol.md 7.2). */
const SINGULAR = 1e-12;

/** Whether an unknown value is six finite numbers. */
export function isMatrix6(value: unknown): value is Matrix6 {
  return Array.isArray(value) && value.length === 6 && value.every(Number.isFinite);
}

/** The point a transform takes (x, y) to. */
export function applyMatrix(matrix: Matrix6, x: number, y: number): readonly [number, number] {
  const [a, b, c, d, tx, ty] = matrix;
  return [a * x + b * y + tx, c * x + d * y + ty];
}

/**
 * The inverse, or six zeros when the determinant is not above `singular`, as the editor does
 * (gui-protocol.md 7.2). Views of less than about a thousandth of a unit need `singular` 0.
 */
export function invertMatrix(matrix: Matrix6, singular = SINGULAR): Matrix6 {
  const [a, b, c, d, tx, ty] = matrix;
  const determinant = a * d - b * c;
  if (!(Math.abs(determinant) > singular)) return [0, 0, 0, 0, 0, 0];
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (b * ty - d * tx) / determinant,
    (c * tx - a * ty) / determinant,
  ];
}

/** The transform that does `first`, then `then`. */
export function chainMatrices(first: Matrix6, then: Matrix6): Matrix6 {
  const [a, b, c, d] = then;
  const [tx, ty] = applyMatrix(then, first[4], first[5]);
  return [
    a * first[0] + b * first[2],
    a * first[1] + b * first[3],
    c * first[0] + d * first[2],
    c * first[1] + d * first[3],
    tx,
    ty,
  ];
}

/** The smallest upright box around a transformed box: all four corners count, for turned views. */
export function transformedBounds(matrix: Matrix6, bounds: Bounds4): Bounds4 {
  const [minx, miny, maxx, maxy] = bounds;
  const corners = [
    applyMatrix(matrix, minx, miny),
    applyMatrix(matrix, maxx, miny),
    applyMatrix(matrix, maxx, maxy),
    applyMatrix(matrix, minx, maxy),
  ];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
