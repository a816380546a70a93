/** `select`: which entities become selected (gui-protocol.md 5.4 and 9, Q1). */

import type { JsonObject } from "../host/json.ts";
import { boundsOf, overlaps, within } from "./bounds.ts";
import { touchesBox } from "./crossing.ts";
import { curveOf } from "./curve.ts";
import { type Drawing, isShown } from "./drawing.ts";
import type { Entity, Point2 } from "./entity.ts";
import { entityJson } from "./entity_json.ts";
import { isOfType } from "./names.ts";
import { corners, given, handles, list, text } from "./parameters.ts";
import { Refusal } from "./refusal.ts";
import { presentEntities } from "./transforming.ts";
import { matches, parseWhere } from "./where.ts";

type Test = (entity: Entity) => boolean;

/**
 * The new selection: the handles in the order given, then whatever fits type, layer, window and
 * conditions together, in drawing order. Without any of these, and with `clear`, it is empty.
 */
export function selected(drawing: Drawing, request: JsonObject): readonly string[] {
  if (request.clear === true) return [];
  const named = given(request.handles) ? handles(list(request.handles) ?? [null]) : [];
  presentEntities(drawing, named);
  const tests = filters(drawing, request);
  const fitting = tests.length === 0 ? [] : [...drawing.entities.values()]
    .filter((entity) => tests.every((test) => test(entity)))
    .map((entity) => entity.common.handle);
  return [...new Set([...named, ...fitting])];
}

function filters(drawing: Drawing, request: JsonObject): readonly Test[] {
  const tests: Test[] = [];
  const type = text(request.type);
  if (type !== undefined) tests.push(({ geometry }) => isOfType(geometry, type));
  const layer = text(request.layer);
  if (layer !== undefined) tests.push(({ common }) => common.layer === layer);
  if (given(request.window)) {
    const box = corners(request.window);
    if (box === undefined) {
      throw new Refusal("invalid_window", "The parameter 'window' must be [x0, y0, x1, y1].");
    }
    const inWindow = request.crossing === true ? touched : inside;
    tests.push((entity) => isShown(drawing, entity) && inWindow(entity, drawing, box.min, box.max));
  }
  const where = parseWhere(request.where);
  if (typeof where === "string") throw new Refusal("invalid_filter", where);
  if (where.length > 0) tests.push((entity) => matches(entityJson(entity), where));
  return tests;
}

function inside({ geometry }: Entity, drawing: Drawing, min: Point2, max: Point2): boolean {
  const bounds = boundsOf(geometry, drawing.blocks);
  return bounds !== undefined && within(bounds, min, max);
}

function touched({ geometry }: Entity, drawing: Drawing, min: Point2, max: Point2): boolean {
  const curve = curveOf(geometry);
  if (curve !== undefined) return touchesBox(curve, min, max);
  const bounds = boundsOf(geometry, drawing.blocks);
  return bounds !== undefined && overlaps(bounds, min, max);
}
