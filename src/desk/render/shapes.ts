/** Each kind of geometry as covered pixels. */

import { applyMatrix, type Matrix6 } from "../../image/matrix.ts";
import type { Geometry, Point2, Point3 } from "../entity.ts";
import type { Coverage } from "./coverage.ts";
import { arcSweep } from "./extents.ts";
import { fillArea, fillLines } from "./fill.ts";
import { layOut, textCorners, type TextGeometry } from "./lettering.ts";
import { mitres } from "./mitre.ts";
import { type Pixel, strokeArc, strokeLine, strokePath } from "./stroke.ts";

/** Everything that is drawn by itself; inserts are drawn as what they stand for. */
export type Shape = Exclude<Geometry, { kind: "Insert" }>;

/** How a shape's lines are drawn. */
export interface Pen {
  /** Line width in pixels. */
  readonly width: number;
  /** Pixels added around everything, for the glow of a selection; 0 otherwise. */
  readonly glow: number;
}

const POINT_SIZE = 4;
/** What reaches less than this many pixels beyond a round corner leaves it as it is. */
const SHOWS = 0.1;
/** Text lower than this many pixels is drawn as a bar. */
const READABLE = 3;
/** Distance of an ANSI31 hatch's lines at scale 1, in drawing units. */
const PATTERN_SPACING = 3.175;
const DEGREE = Math.PI / 180;
/** Line directions, in degrees, of the patterns known by name; all others look like ANSI31. */
const PATTERNS: ReadonlyMap<string, readonly number[]> = new Map([
  ["ANSI37", [45, 135]],
  ["NET", [0, 90]],
  ["LINE", [0]],
  ["ANGLE", [0, 90]],
]);

/** Adds a shape to the mask; `matrix` takes the shape's coordinates to pixels. */
export function coverShape(mask: Coverage, shape: Shape, matrix: Matrix6, pen: Pen): void {
  const pixel = ([x, y]: Point2 | Point3): Pixel => applyMatrix(matrix, x, y);
  const width = pen.width + pen.glow;
  switch (shape.kind) {
    case "Line":
      strokeLine(mask, pixel(shape.start), pixel(shape.end), width);
      return;
    case "Circle":
      coverArc(mask, shape.center, shape.radius, 0, 2 * Math.PI, matrix, width);
      return;
    case "Arc": {
      const { center, radius, startAngle } = shape;
      const sweep = arcSweep(startAngle, shape.endAngle);
      coverArc(mask, center, radius, startAngle, sweep, matrix, width);
      return;
    }
    case "LwPolyline": {
      const wide = shape.constantWidth * scaleOf(matrix);
      const broad = wide > pen.width;
      const points = shape.vertices.map(pixel);
      const full = (broad ? wide : pen.width) + pen.glow;
      strokePath(mask, points, shape.closed, full, broad ? "flat" : "round");
      if (broad) coverCorners(mask, points, shape.closed, full / 2);
      return;
    }
    case "Point": {
      const at = pixel(shape.location);
      strokeLine(mask, at, at, POINT_SIZE + pen.glow);
      return;
    }
    case "Text":
    case "MText":
      coverText(mask, shape, matrix, pen);
      return;
    case "Solid": {
      // A solid's third and fourth corner are stored crosswise.
      const [a, b, c, d] = shape.corners;
      const order = [a, b, d, c].filter((corner) => corner !== undefined).map(pixel);
      if (pen.glow > 0) strokePath(mask, order, true, pen.glow);
      fillArea(mask, order);
      return;
    }
    case "Hatch":
      coverHatch(mask, shape, matrix, pen);
      return;
  }
}

/** Sharpens the corners of a wide path, where that shows. */
function coverCorners(
  mask: Coverage,
  points: readonly Pixel[],
  closed: boolean,
  half: number,
): void {
  for (const mitre of mitres(points, closed, half)) {
    const [corner, , tip] = mitre;
    const beyond = Math.hypot(tip[0] - corner[0], tip[1] - corner[1]) - half;
    if (beyond > SHOWS && touches(mask, mitre)) fillArea(mask, mitre);
  }
}

function coverArc(
  mask: Coverage,
  center: Point3,
  radius: number,
  start: number,
  sweep: number,
  matrix: Matrix6,
  width: number,
): void {
  const [a, b, c, d] = matrix;
  const middle = applyMatrix(matrix, center[0], center[1]);
  const turn = a * d - b * c < 0 ? -1 : 1;
  const along = Math.hypot(a, c), across = Math.hypot(b, d);
  const even = Math.abs(along - across) <= 1e-9 * along &&
    Math.abs(a * b + c * d) <= 1e-9 * along * across;
  if (even) {
    const direction = Math.atan2(
      c * Math.cos(start) + d * Math.sin(start),
      a * Math.cos(start) + b * Math.sin(start),
    );
    strokeArc(mask, middle, radius * along, width, direction, sweep, turn);
    return;
  }
  // Stretched to an ellipse: short lines, more of them the larger it is, within bounds.
  const size = radius * Math.max(along, across);
  const count = Math.max(16, Math.min(2000, Math.ceil(4 * Math.sqrt(size) * sweep)));
  const points: Pixel[] = [];
  for (let step = 0; step <= count; step++) {
    const angle = start + sweep * step / count;
    points.push(
      applyMatrix(
        matrix,
        center[0] + radius * Math.cos(angle),
        center[1] + radius * Math.sin(angle),
      ),
    );
  }
  strokePath(mask, points, false, width);
}

function coverText(mask: Coverage, text: TextGeometry, matrix: Matrix6, pen: Pen): void {
  const pixel = ([x, y]: Point2): Pixel => applyMatrix(matrix, x, y);
  const corners = textCorners(text).map(pixel);
  if (!touches(mask, corners)) return;
  const height = text.height * scaleOf(matrix);
  if (!(height >= READABLE)) {
    const [a, b, c, d] = corners;
    if (a === undefined || b === undefined || c === undefined || d === undefined) return;
    strokeLine(mask, between(a, d), between(b, c), Math.max(1, height) + pen.glow);
    return;
  }
  const width = Math.max(1.2, Math.min(4, height * 0.09)) + pen.glow;
  for (const stroke of layOut(text).strokes) strokePath(mask, stroke.map(pixel), false, width);
}

function coverHatch(
  mask: Coverage,
  hatch: Extract<Shape, { kind: "Hatch" }>,
  matrix: Matrix6,
  pen: Pen,
): void {
  const boundary = hatch.boundary.map(([x, y]): Pixel => applyMatrix(matrix, x, y));
  if (!touches(mask, boundary)) return;
  if (pen.glow > 0) strokePath(mask, boundary, true, pen.glow);
  const name = hatch.pattern.toUpperCase();
  if (hatch.solid || name === "SOLID") {
    fillArea(mask, boundary);
    return;
  }
  const [a, b, c, d] = matrix;
  for (const degrees of PATTERNS.get(name) ?? [45]) {
    const angle = degrees * DEGREE + hatch.patternAngle;
    const dx = a * Math.cos(angle) + b * Math.sin(angle);
    const dy = c * Math.cos(angle) + d * Math.sin(angle);
    const spacing = PATTERN_SPACING * hatch.patternScale * Math.abs(a * d - b * c) /
      Math.hypot(dx, dy);
    const family = {
      angle: Math.atan2(dy, dx),
      spacing,
      through: applyMatrix(matrix, 0, 0),
    };
    fillLines(mask, boundary, family, pen.width);
  }
}

/** Pixels per unit, about. */
function scaleOf(matrix: Matrix6): number {
  return Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]));
}

function between(a: Pixel, b: Pixel): Pixel {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

/** Whether the box around some points meets the picture; false for points that are nowhere. */
function touches(mask: Coverage, points: readonly Pixel[]): boolean {
  let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return right >= -20 && left <= mask.width + 20 && bottom >= -20 && top <= mask.height + 20;
}
