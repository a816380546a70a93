/** Planar curves: what an entity draws in the drawing plane, as straight and round pieces. */

import { sweep } from "./bounds.ts";
import type { Geometry, Point2 } from "./entity.ts";
import { flat } from "./parameters.ts";

/** A straight piece; its parameter runs from 0 at `from` to 1 at `to`. */
export interface Segment {
  readonly kind: "segment";
  readonly from: Point2;
  readonly to: Point2;
}

/** A round piece, counter-clockwise; its parameter runs from 0 at `start` to 1 after `sweep`. */
export interface ArcPiece {
  readonly kind: "arc";
  readonly center: Point2;
  readonly radius: number;
  /** Radians. */
  readonly start: number;
  /** Radians, above 0 and at most a full turn. */
  readonly sweep: number;
}

/** One piece of a curve. */
export type Piece = Segment | ArcPiece;

/** A planar curve. */
export interface Curve {
  readonly pieces: readonly Piece[];
  readonly closed: boolean;
  /** The curve's own parameter at place `t` (0..1) of a piece. */
  parameter(piece: number, t: number): number;
}

/** The point of a curve that is nearest to another point. */
export interface Nearest {
  readonly distance: number;
  readonly point: Point2;
  readonly parameter: number;
}

/**
 * The curve of an entity, or undefined for what is not a planar curve. The parameter is 0..1 along a
 * line, the angle in radians along a circle or arc, and piece number plus 0..1 along a polyline.
 */
export function curveOf(geometry: Geometry): Curve | undefined {
  switch (geometry.kind) {
    case "Line":
      return {
        pieces: [{ kind: "segment", from: flat(geometry.start), to: flat(geometry.end) }],
        closed: false,
        parameter: (_piece, t) => t,
      };
    case "Circle":
      return round(geometry.center, geometry.radius, 0, 2 * Math.PI, true);
    case "Arc": {
      const turn = sweep(geometry.startAngle, geometry.endAngle);
      return round(geometry.center, geometry.radius, geometry.startAngle, turn, false);
    }
    case "LwPolyline": {
      const { vertices, closed } = geometry;
      const pieces = vertices.flatMap((from, index): Piece[] => {
        const to = vertices[index + 1] ?? (closed ? vertices[0] : undefined);
        return to === undefined ? [] : [{ kind: "segment", from, to }];
      });
      return { pieces, closed, parameter: (piece, t) => piece + t };
    }
    default:
      return undefined;
  }
}

/** The length of a curve, in drawing units. */
export function lengthOf(curve: Curve): number {
  return curve.pieces.reduce(
    (length, piece) =>
      length + (piece.kind === "arc" ? piece.radius * piece.sweep : distance(piece.from, piece.to)),
    0,
  );
}

/** The area within a closed curve, in square drawing units; null for an open one. */
export function areaOf(curve: Curve): number | null {
  if (!curve.closed) return null;
  const doubled = curve.pieces.reduce(
    (sum, piece) =>
      sum +
      (piece.kind === "arc"
        ? piece.radius * piece.radius * piece.sweep
        : piece.from[0] * piece.to[1] - piece.to[0] * piece.from[1]),
    0,
  );
  return Math.abs(doubled) / 2;
}

/** The nearest point of a curve. */
export function nearest(curve: Curve, to: Point2): Nearest | undefined {
  let best: Nearest | undefined;
  curve.pieces.forEach((piece, index) => {
    const t = piece.kind === "arc" ? nearestOnArc(piece, to) : nearestOnSegment(piece, to);
    const point = pointAt(piece, t);
    const away = distance(point, to);
    if (best === undefined || away < best.distance) {
      best = { distance: away, point, parameter: curve.parameter(index, t) };
    }
  });
  return best;
}

/** Whether a closed curve holds a point, its edge included. */
export function contains(curve: Curve, point: Point2): boolean {
  if (!curve.closed) return false;
  const near = nearest(curve, point);
  if (near !== undefined && near.distance <= 1e-9) return true;
  const [only] = curve.pieces;
  if (only?.kind === "arc") return distance(only.center, point) <= only.radius;
  const [x, y] = point;
  return curve.pieces.reduce((inside, piece) => {
    if (piece.kind === "arc") return inside;
    const [[x0, y0], [x1, y1]] = [piece.from, piece.to];
    const crosses = (y0 > y) !== (y1 > y) && x < (x1 - x0) * (y - y0) / (y1 - y0) + x0;
    return crosses ? !inside : inside;
  }, false);
}

/** The point at place `t` (0..1) of a piece. */
export function pointAt(piece: Piece, t: number): Point2 {
  if (piece.kind === "segment") {
    const { from, to } = piece;
    return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
  }
  const angle = piece.start + piece.sweep * t;
  return [
    piece.center[0] + piece.radius * Math.cos(angle),
    piece.center[1] + piece.radius * Math.sin(angle),
  ];
}

/** The distance of two points of the plane. */
export function distance(one: Point2, other: Point2): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

function round(
  center: Point2 | readonly [number, number, number],
  radius: number,
  start: number,
  turn: number,
  closed: boolean,
): Curve {
  return {
    pieces: [{ kind: "arc", center: [center[0], center[1]], radius, start, sweep: turn }],
    closed,
    parameter: (_piece, t) => start + turn * t,
  };
}

function nearestOnSegment({ from, to }: Segment, point: Point2): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const square = dx * dx + dy * dy;
  if (square === 0) return 0;
  const t = ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / square;
  return Math.min(1, Math.max(0, t));
}

function nearestOnArc(arc: ArcPiece, point: Point2): number {
  const t = placeOnArc(arc, Math.atan2(point[1] - arc.center[1], point[0] - arc.center[0]));
  if (t <= 1) return t;
  return distance(pointAt(arc, 0), point) <= distance(pointAt(arc, 1), point) ? 0 : 1;
}

/** Where a direction lies on an arc: 0..1 on it, above 1 beside it. */
export function placeOnArc(arc: ArcPiece, angle: number): number {
  const full = 2 * Math.PI;
  const turn = (((angle - arc.start) % full) + full) % full;
  return full - turn < 1e-12 ? 0 : turn / arc.sweep;
}
