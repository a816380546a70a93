/** `entities_transform`: moving, turning, scaling, mirroring, copying (gui-protocol.md 5.5). */

import type { Json, JsonObject } from "../host/json.ts";
import type { Drawing } from "./drawing.ts";
import type { Entity, Geometry, Point3 } from "./entity.ts";
import { handleOf } from "./handles.ts";
import { finite, flag, list, point, requiredHandles, text, unsigned } from "./parameters.ts";
import { Refusal } from "./refusal.ts";
import { mirroring, moving, scaling, type Similarity, transformed, turning } from "./similarity.ts";

/** What came of a transformation. */
export interface Transformed {
  readonly drawing: Drawing;
  /** The number of the next handle. */
  readonly seed: number;
  readonly affected: number;
  readonly created: readonly string[];
}

/** The most rows or columns of an array. */
const MOST_CELLS = 100;

interface Change {
  /** Whether the originals stay and copies are made. */
  readonly copies: boolean;
  readonly maps: readonly Similarity[];
  /** What is to blame when an entity ends up where no finite number leads. */
  readonly blame: "invalid_point" | "invalid_factor" | "invalid_axis";
}

/** Applies the action of a request to its entities. */
export function transformEntities(
  drawing: Drawing,
  seed: number,
  request: JsonObject,
): Transformed {
  const originals = presentEntities(drawing, requiredHandles(request.handles));
  const { copies, maps, blame } = changeOf(request);
  const entities = new Map(drawing.entities);
  const created: string[] = [];
  for (const map of maps) {
    for (const entity of originals) {
      const geometry = transformed(entity.geometry, map);
      if (!isSomewhere(geometry)) {
        throw new Refusal(blame, `This would take ${entity.common.handle} beyond all numbers.`);
      }
      const handle = copies ? handleOf(seed + created.length) : entity.common.handle;
      if (copies) created.push(handle);
      entities.set(handle, { common: { ...entity.common, handle }, geometry });
    }
  }
  return {
    drawing: maps.length === 0 ? drawing : { ...drawing, entities },
    seed: seed + created.length,
    affected: originals.length,
    created,
  };
}

/** The entities of these handles; one that is missing is `entity_absent`. */
export function presentEntities(drawing: Drawing, handles: readonly string[]): readonly Entity[] {
  return handles.map((handle) => {
    const entity = drawing.entities.get(handle);
    if (entity === undefined) {
      throw new Refusal("entity_absent", `There is no entity ${handle} in this drawing.`);
    }
    return entity;
  });
}

function changeOf(request: JsonObject): Change {
  const action = (text(request.action) ?? "move").trim().toLowerCase();
  switch (action) {
    case "move":
      return { copies: false, maps: [moving(loosePoint(request.vector))], blame: "invalid_point" };
    case "copy":
      return { copies: true, maps: [moving(loosePoint(request.vector))], blame: "invalid_point" };
    case "rotate": {
      const angle = (finite(request.angle_deg) ?? 0) * (Math.PI / 180);
      return {
        copies: false,
        maps: [turning(loosePoint(request.center), angle)],
        blame: "invalid_point",
      };
    }
    case "scale": {
      const factor = finite(request.factor);
      if (factor === undefined || factor === 0) {
        throw new Refusal("invalid_factor", "The number 'factor' must be finite and not 0.");
      }
      return {
        copies: false,
        maps: [scaling(loosePoint(request.center), factor)],
        blame: "invalid_factor",
      };
    }
    case "mirror":
      return {
        copies: flag(request.copy, false),
        maps: [axisOf(request.axis)],
        blame: "invalid_axis",
      };
    case "array":
      return { copies: true, maps: cells(request), blame: "invalid_point" };
    default:
      throw new Refusal(
        "invalid_action",
        `The action '${action}' is unknown; use move, copy, rotate, scale, mirror or array.`,
      );
  }
}

/** Whether every number of a geometry is finite. */
function isSomewhere(geometry: Geometry): boolean {
  return Object.values(geometry).flat(2).every((part) =>
    typeof part !== "number" || Number.isFinite(part)
  );
}

/** Numbers of a point, 0 where they are missing. */
function loosePoint(value: Json | undefined): Point3 {
  const [x, y, z] = list(value) ?? [];
  return [finite(x) ?? 0, finite(y) ?? 0, finite(z) ?? 0];
}

function axisOf(value: Json | undefined): Similarity {
  const ends = list(value) ?? [];
  const [from, to] = [point(ends[0]), point(ends[1])];
  if (
    ends.length !== 2 || from === undefined || to === undefined ||
    (from[0] === to[0] && from[1] === to[1])
  ) throw new Refusal("invalid_axis", "The parameter 'axis' must be two different points.");
  return mirroring([from[0], from[1]], [to[0], to[1]]);
}

function cells(request: JsonObject): readonly Similarity[] {
  const count = (value: Json | undefined) =>
    Math.min(MOST_CELLS, Math.max(1, unsigned(value) ?? 1));
  const [rows, columns] = [count(request.rows), count(request.columns)];
  const [dx, dy] = [finite(request.column_spacing) ?? 0, finite(request.row_spacing) ?? 0];
  return Array.from({ length: rows * columns }, (_, cell) => cell)
    .slice(1)
    .map((cell) => moving([(cell % columns) * dx, Math.floor(cell / columns) * dy, 0]));
}
