/** Where planar curves meet. */

import {
  type ArcPiece,
  contains,
  type Curve,
  distance,
  type Piece,
  placeOnArc,
  pointAt,
  type Segment,
} from "./curve.ts";
import type { Point2 } from "./entity.ts";

/** A common point of two curves, with the parameter of each. */
export interface Crossing {
  readonly point: Point2;
  readonly first: number;
  readonly second: number;
}

/** How far apart two results still are the same point, in drawing units. */
const SAME = 1e-9;

/** A piece's places `t` may miss 0..1 by this much through rounding. */
const SLACK = 1e-12;

/** The points that two curves have in common; stretches that they share give only their ends. */
export function crossings(one: Curve, other: Curve): readonly Crossing[] {
  const found: Crossing[] = [];
  one.pieces.forEach((a, i) =>
    other.pieces.forEach((b, j) => {
      for (const [s, t] of meet(a, b)) {
        const point = pointAt(a, s);
        if (found.some((known) => distance(known.point, point) <= SAME)) continue;
        found.push({ point, first: one.parameter(i, s), second: other.parameter(j, t) });
      }
    })
  );
  return found;
}

/** Whether a curve touches a box, or lies in it, or, when closed, holds it (gui-protocol.md 9, Q1). */
export function touchesBox(curve: Curve, min: Point2, max: Point2): boolean {
  const box = polygon([min, [max[0], min[1]], max, [min[0], max[1]]]);
  const [first] = curve.pieces;
  if (first !== undefined && contains(box, pointAt(first, 0))) return true;
  return crossings(curve, box).length > 0;
}

/** The closed curve through the given corners. */
export function polygon(corners: readonly Point2[]): Curve {
  const pieces = corners.map((from, index): Piece => ({
    kind: "segment",
    from,
    to: corners[(index + 1) % corners.length] ?? from,
  }));
  return { pieces, closed: true, parameter: (piece, t) => piece + t };
}

type Places = readonly (readonly [number, number])[];

function meet(a: Piece, b: Piece): Places {
  const places = a.kind === "segment"
    ? b.kind === "segment" ? segments(a, b) : segmentArc(a, b)
    : b.kind === "segment"
    ? segmentArc(b, a).map(([t, s]) => [s, t] as const)
    : arcs(a, b);
  const on = (t: number) => t >= -SLACK && t <= 1 + SLACK;
  const clamp = (t: number) => Math.min(1, Math.max(0, t));
  return places.filter(([s, t]) => on(s) && on(t)).map(([s, t]) => [clamp(s), clamp(t)] as const);
}

function segments(a: Segment, b: Segment): Places {
  const [ax, ay] = [a.to[0] - a.from[0], a.to[1] - a.from[1]];
  const [bx, by] = [b.to[0] - b.from[0], b.to[1] - b.from[1]];
  const [cx, cy] = [b.from[0] - a.from[0], b.from[1] - a.from[1]];
  const cross = ax * by - ay * bx;
  if (Math.abs(cross) > 1e-12 * Math.hypot(ax, ay) * Math.hypot(bx, by)) {
    return [[(cx * by - cy * bx) / cross, (cx * ay - cy * ax) / cross]];
  }
  // Parallel: they meet at most where an end of one lies on the other.
  const along = (s: Segment, p: Point2) => {
    const [dx, dy] = [s.to[0] - s.from[0], s.to[1] - s.from[1]];
    const square = dx * dx + dy * dy;
    const t = square === 0 ? 0 : ((p[0] - s.from[0]) * dx + (p[1] - s.from[1]) * dy) / square;
    return distance(pointAt(s, t), p) <= SAME ? t : NaN;
  };
  return [
    [0, along(b, a.from)],
    [1, along(b, a.to)],
    [along(a, b.from), 0],
    [along(a, b.to), 1],
  ];
}

function segmentArc(segment: Segment, arc: ArcPiece): Places {
  const [dx, dy] = [segment.to[0] - segment.from[0], segment.to[1] - segment.from[1]];
  const [fx, fy] = [segment.from[0] - arc.center[0], segment.from[1] - arc.center[1]];
  const a = dx * dx + dy * dy;
  if (a === 0) return [];
  const b = fx * dx + fy * dy;
  const root = b * b - a * (fx * fx + fy * fy - arc.radius * arc.radius);
  // A tangent's root is zero but for rounding.
  if (root < -SAME * a * Math.max(1, arc.radius * arc.radius)) return [];
  const reach = Math.sqrt(Math.max(0, root));
  return [(-b - reach) / a, (-b + reach) / a].map((t) => {
    const [x, y] = pointAt(segment, t);
    return [t, placeOnArc(arc, Math.atan2(y - arc.center[1], x - arc.center[0]))] as const;
  });
}

function arcs(one: ArcPiece, other: ArcPiece): Places {
  const apart = distance(one.center, other.center);
  if (apart === 0) return [];
  const along = (apart * apart + one.radius * one.radius - other.radius * other.radius) /
    (2 * apart);
  const square = one.radius * one.radius - along * along;
  if (square < -SAME * Math.max(1, one.radius * one.radius)) return [];
  const aside = Math.sqrt(Math.max(0, square));
  const [ux, uy] = [
    (other.center[0] - one.center[0]) / apart,
    (other.center[1] - one.center[1]) / apart,
  ];
  return [aside, -aside].map((h) => {
    const [x, y] = [one.center[0] + ux * along - uy * h, one.center[1] + uy * along + ux * h];
    const place = (arc: ArcPiece) =>
      placeOnArc(arc, Math.atan2(y - arc.center[1], x - arc.center[0]));
    return [place(one), place(other)] as const;
  });
}
