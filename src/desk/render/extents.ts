/** How far entities, blocks and scenes reach. */

import {
  type Bounds4,
  chainMatrices,
  type Matrix6,
  transformedBounds,
} from "../../image/matrix.ts";
import type { Block, Entity, Geometry, Point2, Point3, Scene } from "../entity.ts";
import { textCorners } from "./lettering.ts";
import { mitres } from "./mitre.ts";

type Insert = Extract<Geometry, { kind: "Insert" }>;
type Path = Extract<Geometry, { kind: "LwPolyline" }>;
type Extent = { readonly min: Point2; readonly max: Point2 };

/** How long a chain of blocks within blocks is followed; it keeps the stack small. */
const MAX_CHAIN = 200;

/** The box around everything that shows, in drawing units; undefined when nothing does. */
export function sceneExtents(scene: Scene): Extent | undefined {
  const boundsOf = createBlockBounds(scene.blocks);
  const bounds = unite(
    scene.entities
      .filter((entity) => shows(scene, entity))
      .map((entity) => geometryBounds(entity.geometry, scene.blocks, boundsOf)),
  );
  if (bounds === undefined) return undefined;
  return { min: [bounds[0], bounds[1]], max: [bounds[2], bounds[3]] };
}

/** Whether an entity and its layer are switched on. */
export function shows(scene: Scene, entity: Entity): boolean {
  const layer = scene.layers.get(entity.common.layer);
  return !entity.common.invisible && layer?.off !== true && layer?.frozen !== true;
}

/** The bounds of blocks by name, in their own coordinates. */
export type BlockBounds = (name: string) => Bounds4 | undefined;

/** Bounds of the given blocks, each worked out once; a block within itself counts as empty. */
export function createBlockBounds(blocks: ReadonlyMap<string, Block>): BlockBounds {
  const found = new Map<string, Bounds4 | undefined>();
  let depth = 0;
  const boundsOf = (name: string): Bounds4 | undefined => {
    if (found.has(name) || depth > MAX_CHAIN) return found.get(name);
    // Seen from within itself a block is empty: this ends a circle of blocks.
    found.set(name, undefined);
    depth++;
    const entities = blocks.get(name)?.entities ?? [];
    const bounds = unite(
      entities
        .filter((entity) => !entity.common.invisible)
        .map((entity) => geometryBounds(entity.geometry, blocks, boundsOf)),
    );
    depth--;
    found.set(name, bounds);
    return bounds;
  };
  return boundsOf;
}

/** The box of one entity's geometry in drawing units; undefined when it is nowhere. */
export function geometryBounds(
  geometry: Geometry,
  blocks: ReadonlyMap<string, Block>,
  boundsOf: BlockBounds,
): Bounds4 | undefined {
  switch (geometry.kind) {
    case "Line":
      return around([geometry.start, geometry.end]);
    case "Circle":
      return grown(around([geometry.center]), geometry.radius);
    case "Arc":
      return around(arcPoints(geometry));
    case "LwPolyline":
      return unite([
        around([...geometry.vertices, ...wideCorners(geometry)]),
        grown(around(roundJoins(geometry)), geometry.constantWidth / 2),
      ]);
    case "Point":
      return around([geometry.location]);
    case "Text":
    case "MText":
      return around(textCorners(geometry));
    case "Solid":
      return around(geometry.corners);
    case "Hatch":
      return around(geometry.boundary);
    case "Insert": {
      const block = blocks.get(geometry.block);
      const bounds = block === undefined ? undefined : boundsOf(block.name);
      if (block === undefined || bounds === undefined) return around([geometry.position]);
      const box = transformedBounds(insertMatrix(geometry, block), bounds);
      return box.every(Number.isFinite) ? box : undefined;
    }
  }
}

/**
 * The corners of what a path with a width is drawn as: a bar for each segment, and a mitre where
 * two meet.
 */
export function wideCorners({ vertices, closed, constantWidth }: Path): readonly Point2[] {
  if (!(constantWidth > 0)) return [];
  const bars = vertices.flatMap(([x, y], index): readonly Point2[] => {
    const next = vertices[index + 1] ?? (closed ? vertices[0] : undefined);
    const length = next === undefined ? 0 : Math.hypot(next[0] - x, next[1] - y);
    if (next === undefined || length === 0) return [];
    const across = constantWidth / 2 / length;
    const [dx, dy] = [(y - next[1]) * across, (next[0] - x) * across];
    return [
      [x + dx, y + dy],
      [x - dx, y - dy],
      [next[0] + dx, next[1] + dy],
      [next[0] - dx, next[1] - dy],
    ];
  });
  return [...bars, ...mitres(vertices, closed, constantWidth / 2).flat()];
}

/** Where the bars of a path with a width meet: a disc as wide as the path is drawn there too. */
export function roundJoins({ vertices, closed, constantWidth }: Path): readonly Point2[] {
  if (!(constantWidth > 0)) return [];
  return closed ? vertices : vertices.slice(1, -1);
}

/** From a block's coordinates to those of the drawing that holds the insert. */
export function insertMatrix(insert: Insert, block: Block): Matrix6 {
  const cos = Math.cos(insert.rotation), sin = Math.sin(insert.rotation);
  const [sx, sy] = insert.scale;
  const toOrigin: Matrix6 = [1, 0, 0, 1, -block.base[0], -block.base[1]];
  return chainMatrices(toOrigin, [
    cos * sx,
    -sin * sy,
    sin * sx,
    cos * sy,
    insert.position[0],
    insert.position[1],
  ]);
}

/**
 * How far an arc runs counter-clockwise, in radians: above 0, up to 2π. Equal angles are a whole
 * circle, as in a drawing file.
 */
export function arcSweep(startAngle: number, endAngle: number): number {
  const full = 2 * Math.PI;
  const sweep = ((endAngle - startAngle) % full + full) % full;
  return sweep < 1e-12 ? full : sweep;
}

/** The ends of an arc and the places where it turns back along an axis. */
function arcPoints(arc: Extract<Geometry, { kind: "Arc" }>): readonly Point2[] {
  const sweep = arcSweep(arc.startAngle, arc.endAngle);
  const quarter = Math.PI / 2;
  const angles = [arc.startAngle, arc.startAngle + sweep];
  const first = Math.ceil(arc.startAngle / quarter);
  for (const step of [0, 1, 2, 3, 4]) {
    const angle = (first + step) * quarter;
    if (angle <= arc.startAngle + sweep) angles.push(angle);
  }
  return angles.map((angle): Point2 => [
    arc.center[0] + arc.radius * Math.cos(angle),
    arc.center[1] + arc.radius * Math.sin(angle),
  ]);
}

function around(points: readonly (Point2 | Point3)[]): Bounds4 | undefined {
  let minx = Infinity, miny = Infinity, maxx = -Infinity, maxy = -Infinity;
  for (const [x, y] of points) {
    if (!(Number.isFinite(x) && Number.isFinite(y))) continue;
    minx = Math.min(minx, x);
    miny = Math.min(miny, y);
    maxx = Math.max(maxx, x);
    maxy = Math.max(maxy, y);
  }
  return minx <= maxx ? [minx, miny, maxx, maxy] : undefined;
}

function grown(bounds: Bounds4 | undefined, by: number): Bounds4 | undefined {
  if (bounds === undefined || !(by > 0 && by < Infinity)) return bounds;
  return [bounds[0] - by, bounds[1] - by, bounds[2] + by, bounds[3] + by];
}

function unite(boxes: readonly (Bounds4 | undefined)[]): Bounds4 | undefined {
  return around(
    boxes.flatMap((box): readonly Point2[] =>
      box === undefined ? [] : [[box[0], box[1]], [box[2], box[3]]]
    ),
  );
}
