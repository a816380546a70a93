/** The boxes around entities, in drawing units. */

import { applyMatrix, chainMatrices, IDENTITY, type Matrix6 } from "../image/matrix.ts";
import type { Block, Entity, Geometry, Point2, Point3 } from "./entity.ts";
import { insertMatrix, roundJoins, wideCorners } from "./render/extents.ts";

/** An axis-parallel box. */
export interface Bounds {
  readonly min: Point3;
  readonly max: Point3;
}

type Blocks = ReadonlyMap<string, Block>;
type TextGeometry = Extract<Geometry, { readonly kind: "Text" | "MText" }>;

/** How deep blocks within blocks are followed; deeper ones, as in a circle, count as empty. */
const MAX_DEPTH = 8;

/** The box around an entity, or undefined when it has no extent, such as an empty block. */
export function boundsOf(geometry: Geometry, blocks: Blocks): Bounds | undefined {
  return under(geometry, blocks, IDENTITY, 0, 0);
}

/** The box around all of them, or undefined when there is nothing. */
export function boundsOfAll(entities: Iterable<Entity>, blocks: Blocks): Bounds | undefined {
  let all: Bounds | undefined;
  for (const entity of entities) all = union(all, boundsOf(entity.geometry, blocks));
  return all;
}

/** Width and height of a text, in drawing units, by the rule of gui-protocol.md 4.8. */
export function textSize(text: TextGeometry): { width: number; height: number } {
  const lines = text.kind === "MText" ? text.value.split(/\\P|\n/) : [text.value];
  const longest = Math.max(...lines.map((line) => [...line].length));
  const height = Math.abs(text.height);
  return {
    width: text.width > 0 ? text.width : Math.max(1, 0.8 * height * longest),
    height: height * (1 + (lines.length - 1) * 5 / 3),
  };
}

/** Whether two boxes share a point of the plane. */
export function overlaps(one: Bounds, min: Point2, max: Point2): boolean {
  return one.min[0] <= max[0] && one.max[0] >= min[0] && one.min[1] <= max[1] &&
    one.max[1] >= min[1];
}

/** Whether a box lies within another, edges included. */
export function within(one: Bounds, min: Point2, max: Point2): boolean {
  return one.min[0] >= min[0] && one.max[0] <= max[0] && one.min[1] >= min[1] &&
    one.max[1] <= max[1];
}

/** The box around both, as far as there are any. */
export function union(one: Bounds | undefined, other: Bounds | undefined): Bounds | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return around([one.min, one.max, other.min, other.max]);
}

function around(points: readonly Point3[]): Bounds | undefined {
  if (points.length === 0) return undefined;
  const least = (axis: 0 | 1 | 2) => points.reduce((m, p) => Math.min(m, p[axis]), Infinity);
  const most = (axis: 0 | 1 | 2) => points.reduce((m, p) => Math.max(m, p[axis]), -Infinity);
  return { min: [least(0), least(1), least(2)], max: [most(0), most(1), most(2)] };
}

function under(
  geometry: Geometry,
  blocks: Blocks,
  map: Matrix6,
  z: number,
  depth: number,
): Bounds | undefined {
  const at = (p: Point3 | Point2): Point3 => {
    const [x, y] = applyMatrix(map, p[0], p[1]);
    return [x, y, z + (p[2] ?? 0)];
  };
  switch (geometry.kind) {
    case "Line":
      return around([at(geometry.start), at(geometry.end)]);
    case "Circle":
    case "Arc":
      return around(extremes(geometry, map).map(at));
    case "LwPolyline":
      return around([
        ...geometry.vertices,
        ...wideCorners(geometry),
        ...roundJoins(geometry).flatMap(([x, y]) =>
          extremes({ kind: "Circle", center: [x, y, 0], radius: geometry.constantWidth / 2 }, map)
        ),
      ].map(at));
    case "Point":
      return around([at(geometry.location)]);
    case "Text":
    case "MText":
      return around(textCorners(geometry).map(at));
    case "Solid":
      return around(geometry.corners.map(at));
    case "Hatch":
      return around(geometry.boundary.map(at));
    case "Insert": {
      const block = blocks.get(geometry.block);
      if (block === undefined || depth >= MAX_DEPTH) return undefined;
      const inner = chainMatrices(insertMatrix(geometry, block), map);
      return block.entities
        .map((entity) => under(entity.geometry, blocks, inner, z + geometry.position[2], depth + 1))
        .reduce(union, undefined);
    }
  }
}

/** The ends of an arc and the points where it runs parallel to an axis, before the map. */
function extremes(
  geometry: Extract<Geometry, { readonly kind: "Circle" | "Arc" }>,
  [a, b, c, d]: Matrix6,
): readonly Point3[] {
  const { center, radius } = geometry;
  const turns = [Math.atan2(b, a), Math.atan2(d, c)].flatMap((t) => [t, t + Math.PI]);
  const angles = geometry.kind === "Circle" ? turns : [
    geometry.startAngle,
    geometry.endAngle,
    ...turns.filter((t) =>
      sweep(geometry.startAngle, t) <= sweep(geometry.startAngle, geometry.endAngle)
    ),
  ];
  return angles.map((t) => [
    center[0] + radius * Math.cos(t),
    center[1] + radius * Math.sin(t),
    center[2],
  ]);
}

/** Counter-clockwise angle from one direction to another, above 0 and at most a full turn. */
export function sweep(from: number, to: number): number {
  const full = 2 * Math.PI;
  const turn = (to - from) % full;
  return turn <= 0 ? turn + full : turn;
}

function textCorners(text: TextGeometry): readonly Point3[] {
  const { width, height } = textSize(text);
  const [cos, sin] = [Math.cos(text.rotation), Math.sin(text.rotation)];
  const [x, y, z] = text.position;
  const [low, high] = text.kind === "Text" ? [0, height] : [-height, 0];
  return [[0, low], [width, low], [width, high], [0, high]]
    .map(([u = 0, v = 0]) => [x + cos * u - sin * v, y + sin * u + cos * v, z]);
}
