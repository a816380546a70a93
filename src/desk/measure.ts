/** The reads `measure` and `get_selection` (gui-protocol.md 4.5, 4.17). */

import type { JsonObject } from "../host/json.ts";
import { areaOf, curveOf, lengthOf } from "./curve.ts";
import type { Document } from "./document.ts";
import type { Entity } from "./entity.ts";
import { boundsView, plainText } from "./entity_view.ts";
import { parseHandle } from "./handles.ts";
import { uiName } from "./names.ts";
import { list } from "./parameters.ts";

/** Bounds, length and area of entities; of the selection when no handles are given. */
export function measure(document: Document, request: JsonObject): JsonObject {
  const wanted = list(request.handles)?.map(parseHandle) ?? document.selection;
  return {
    ok: true,
    document_id: document.id,
    geometry_revision: document.geometryRevision,
    measurements: entitiesOf(document, wanted).map((entity) => ({
      handle: entity.common.handle,
      type: uiName(entity.geometry),
      bounds: boundsView(entity, document.drawing),
      curve: curveView(entity),
      mesh: null,
    })),
  };
}

/** The selected entities in a few words each. */
export function selectionView(document: Document): JsonObject {
  const entities = entitiesOf(document, document.selection).map((entity) => {
    const { common, geometry } = entity;
    const isText = geometry.kind === "Text" || geometry.kind === "MText";
    return {
      handle: common.handle,
      type: uiName(geometry),
      layer: common.layer,
      bounds: boundsView(entity, document.drawing),
      text: isText ? plainText(geometry) : null,
      value: isText ? geometry.value : null,
      block: geometry.kind === "Insert" ? geometry.block : null,
      position: isText || geometry.kind === "Insert" ? geometry.position : null,
    };
  });
  return { ok: true, status: "completed", result: { count: entities.length, entities } };
}

function curveView({ geometry }: Entity): JsonObject | null {
  const curve = curveOf(geometry);
  if (curve === undefined) return null;
  // A line has height too: its length is that in space, not that of its shadow.
  const length = geometry.kind === "Line"
    ? Math.hypot(...geometry.start.map((from, axis) => from - (geometry.end[axis] ?? 0)))
    : lengthOf(curve);
  return { bounded: true, closed: curve.closed, length, area: areaOf(curve) };
}

function entitiesOf(
  document: Document,
  handles: readonly (string | undefined)[],
): readonly Entity[] {
  return handles.flatMap((handle) =>
    handle === undefined ? [] : document.drawing.entities.get(handle) ?? []
  );
}
