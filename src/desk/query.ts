/** The read `query`: filters, levels of detail, nearness and intersections (gui-protocol.md 4.8). */

import type { Json, JsonObject } from "../host/json.ts";
import { boundsOf, overlaps } from "./bounds.ts";
import { crossings } from "./crossing.ts";
import { contains, curveOf, type Nearest, nearest } from "./curve.ts";
import type { Document } from "./document.ts";
import type { Drawing } from "./drawing.ts";
import type { Entity } from "./entity.ts";
import { entityJson } from "./entity_json.ts";
import { detailOf, entityView } from "./entity_view.ts";
import { parseHandle } from "./handles.ts";
import { isOfType } from "./names.ts";
import { flat, given, list, numbers, point, text, unsigned } from "./parameters.ts";
import { codelessRefusal } from "./refusal.ts";
import { matches, parseWhere } from "./where.ts";

const DEFAULT_LIMIT = 1000;
const MOST = 10_000;

type Test = (entity: Entity) => boolean;

interface Hit {
  readonly entity: Entity;
  readonly near?: Nearest;
}

/** Answers a query about a document; failures carry neither code nor status. */
export function query(document: Document, request: JsonObject): JsonObject {
  const head = {
    ok: true,
    document_id: document.id,
    geometry_revision: document.geometryRevision,
  };
  if (given(request.intersections)) {
    return { ...head, ...intersections(document.drawing, request.intersections) };
  }
  const detail = given(request.detail) ? detailOf(request.detail) : "geometry";
  if (detail === undefined) {
    throw codelessRefusal("The parameter 'detail' must be summary, geometry or full.");
  }
  const tests = filters(document.drawing, request);
  const found = [...document.drawing.entities.values()]
    .filter((entity) => tests.every((test) => test(entity)))
    .map((entity): Hit => ({ entity }));
  const hits = given(request.near) ? byDistance(found, request.near) : found;
  const { offset, limit } = page(request);
  const shown = hits.slice(offset, offset + limit);
  const fields = fieldsOf(request.fields);
  return {
    ...head,
    count: hits.length,
    returned: shown.length,
    next_offset: offset + shown.length < hits.length ? offset + shown.length : null,
    entities: shown.map(({ entity, near }) => ({
      ...fields(entityView(entity, document.drawing, detail)),
      ...(near === undefined ? {} : {
        distance: near.distance,
        closest_point: near.point,
        parameter: near.parameter,
      }),
    })),
  };
}

/** Where a page starts and how much it holds: 1000 unless told, at most 10,000. */
export function page(request: JsonObject): { offset: number; limit: number } {
  return {
    offset: unsigned(request.offset) ?? 0,
    limit: Math.min(unsigned(request.limit) ?? DEFAULT_LIMIT, MOST),
  };
}

function filters(drawing: Drawing, request: JsonObject): readonly Test[] {
  const tests: Test[] = [];
  const type = text(request.type);
  if (type !== undefined) tests.push(({ geometry }) => isOfType(geometry, type));
  const layer = text(request.layer);
  if (layer !== undefined) tests.push(({ common }) => common.layer === layer);
  const handles = wantedHandles(request);
  if (handles !== undefined) tests.push(({ common }) => handles.has(common.handle));
  if (given(request.bounds)) {
    const [x0, y0, x1, y1, ...rest] = numbers(request.bounds) ?? [];
    if (
      x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined ||
      rest.length > 0 || x0 > x1 || y0 > y1
    ) {
      throw codelessRefusal(
        "The parameter 'bounds' must be [minx, miny, maxx, maxy], finite, min <= max.",
      );
    }
    tests.push(({ geometry }) => {
      const own = boundsOf(geometry, drawing.blocks);
      return own !== undefined && overlaps(own, [x0, y0], [x1, y1]);
    });
  }
  const where = parseWhere(request.where);
  if (typeof where === "string") throw codelessRefusal(where);
  if (where.length > 0) tests.push((entity) => matches(entityJson(entity), where));
  if (given(request.contains_point)) {
    const inside = point(request.contains_point);
    if (inside === undefined) throw badPoint("contains_point");
    tests.push(({ geometry }) => {
      const curve = curveOf(geometry);
      return curve !== undefined && contains(curve, flat(inside));
    });
  }
  return tests;
}

function wantedHandles(request: JsonObject): ReadonlySet<string> | undefined {
  if (given(request.handles)) {
    const items = list(request.handles);
    const handles = new Set(items?.map(parseHandle));
    // Two spellings of one handle would leave fewer entities than were asked for, without a word.
    if (items === undefined || handles.has(undefined) || handles.size !== items.length) {
      throw codelessRefusal("The parameter 'handles' must be an array of different hex handles.");
    }
    return new Set([...handles].filter((handle) => handle !== undefined));
  }
  if (!given(request.handle)) return undefined;
  const handle = parseHandle(request.handle);
  if (handle === undefined) throw codelessRefusal("The parameter 'handle' must be a hex handle.");
  return new Set([handle]);
}

function byDistance(hits: readonly Hit[], near: Json): readonly Hit[] {
  const from = point(near);
  if (from === undefined) throw badPoint("near");
  return hits
    .flatMap(({ entity }) => {
      const curve = curveOf(entity.geometry);
      const found = curve === undefined ? undefined : nearest(curve, flat(from));
      return found === undefined ? [] : [{ entity, near: found }];
    })
    .sort((one, other) => one.near.distance - other.near.distance);
}

function intersections(drawing: Drawing, parameter: Json): JsonObject {
  const items = list(parameter);
  const handles = items?.map(parseHandle) ?? [];
  const curves = handles.map((handle) => {
    const entity = handle === undefined ? undefined : drawing.entities.get(handle);
    return entity === undefined ? undefined : curveOf(entity.geometry);
  });
  const [one, other] = curves;
  if (curves.length !== 2 || one === undefined || other === undefined) {
    throw codelessRefusal(
      "The parameter 'intersections' must be the handles of two planar curves.",
    );
  }
  const found = crossings(one, other);
  return {
    handles: handles.map((handle) => handle ?? null),
    count: found.length,
    intersections: found.map(({ point, first, second }) => ({
      point,
      parameter_first: first,
      parameter_second: second,
    })),
  };
}

function fieldsOf(parameter: Json | undefined): (view: JsonObject) => JsonObject {
  if (!given(parameter)) return (view) => view;
  const names = list(parameter);
  if (names === undefined || names.some((name) => typeof name !== "string")) {
    throw codelessRefusal("The parameter 'fields' must be an array of strings.");
  }
  const kept = new Set<Json>(["handle", ...names]);
  return (view) => Object.fromEntries(Object.entries(view).filter(([key]) => kept.has(key)));
}

function badPoint(name: string): Error {
  return codelessRefusal(`The parameter '${name}' must be two or three finite numbers.`);
}
