/** Entities as `query` shows them, at its three levels of detail (gui-protocol.md 4.8). */

import type { JsonObject } from "../host/json.ts";
import { boundsOf } from "./bounds.ts";
import type { Drawing } from "./drawing.ts";
import type { Entity, Geometry } from "./entity.ts";
import { entityJson } from "./entity_json.ts";
import { uiName } from "./names.ts";

/** How much of an entity is shown. */
export const DETAILS = ["summary", "geometry", "full"] as const;

/** One of the levels of detail. */
export type Detail = typeof DETAILS[number];

/** The level of that name, or undefined. */
export function detailOf(name: unknown): Detail | undefined {
  return DETAILS.find((detail) => detail === name);
}

/** An entity at a level of detail. */
export function entityView(entity: Entity, drawing: Drawing, detail: Detail): JsonObject {
  const { handle, layer } = entity.common;
  const summary = { handle, type: uiName(entity.geometry), layer };
  if (detail === "summary") return summary;
  const geometry = { ...summary, ...geometryView(entity.geometry) };
  if (detail === "geometry") return geometry;
  return {
    ...geometry,
    bounds: boundsView(entity, drawing),
    properties: entityJson(entity),
  };
}

/** The box around an entity as JSON; null when it has none. */
export function boundsView(entity: Entity, drawing: Drawing): JsonObject | null {
  const bounds = boundsOf(entity.geometry, drawing.blocks);
  return bounds === undefined ? null : { min: bounds.min, max: bounds.max };
}

/** A text without its formatting: codes of MTEXT dropped, its line breaks as line breaks. */
export function plainText(
  geometry: Extract<Geometry, { readonly kind: "Text" | "MText" }>,
): string {
  if (geometry.kind === "Text") return geometry.value;
  return geometry.value
    .replace(/\\P/g, "\n")
    .replace(/\\[LlOoKk]/g, "")
    .replace(/\\[A-Za-z][^;\\{}]*;/g, "")
    .replace(/(?<!\\)[{}]/g, "")
    .replace(/\\([\\{}])/g, "$1");
}

function geometryView(geometry: Geometry): JsonObject {
  switch (geometry.kind) {
    case "Line":
      return { start: geometry.start, end: geometry.end };
    case "Circle":
      return { center: geometry.center, radius: geometry.radius };
    case "Arc":
      return {
        center: geometry.center,
        radius: geometry.radius,
        start_angle: geometry.startAngle,
        end_angle: geometry.endAngle,
      };
    case "LwPolyline":
      return { vertices: geometry.vertices };
    case "Point":
      return { location: geometry.location };
    case "Text":
    case "MText":
      return {
        value: geometry.value,
        text: plainText(geometry),
        position: geometry.position,
        height: geometry.height,
      };
    case "Insert":
      return { block: geometry.block, position: geometry.position, attributes: {} };
    case "Hatch":
      return { boundary: [geometry.boundary] };
    case "Solid":
      return {};
  }
}
