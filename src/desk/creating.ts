/** New entities from the definitions of `entities_create` (gui-protocol.md 5.5, 8.2). */

import { isJsonObject, type Json, type JsonObject } from "../host/json.ts";
import { type Drawing, newLayer } from "./drawing.ts";
import type { Color, Entity, Geometry, Layer, Point2, Point3 } from "./entity.ts";
import { handleOf } from "./handles.ts";
import { finite, flag, flat, given, list, point, requiredPoint, text } from "./parameters.ts";
import { Refusal } from "./refusal.ts";

/** What came of a list of definitions: all of them, or a refusal instead. */
export interface Created {
  readonly drawing: Drawing;
  /** The number of the next handle. */
  readonly seed: number;
  readonly handles: readonly string[];
  readonly layersCreated: readonly string[];
}

/** Heights and pattern scales are made absolute and no smaller than this. */
const FLOOR = 1e-6;

/** Makes every entity of the list, and the layers they name that do not exist yet. */
export function createEntities(
  drawing: Drawing,
  seed: number,
  definitions: Json | undefined,
): Created {
  const items = list(definitions);
  if (items === undefined || items.length === 0) {
    throw new Refusal("entities_required", "The list 'entities' is missing or empty.");
  }
  let next = seed;
  const entities = new Map(drawing.entities);
  const layers = new Map(drawing.layers);
  const handles: string[] = [];
  const layersCreated: string[] = [];
  for (const item of items) {
    const definition = isJsonObject(item) ? item : {};
    const geometry = geometryOf(definition, drawing);
    const wanted = text(definition.layer) ?? drawing.header.currentLayer;
    const known = layerNamed(layers, wanted);
    if (known === undefined) {
      if (wanted.trim() === "" || /[<>/\\":;?*|=`]/.test(wanted)) {
        throw new Refusal("layer_failed", `'${wanted}' cannot be the name of a layer.`);
      }
      layers.set(wanted, newLayer(wanted, handleOf(next++)));
      layersCreated.push(wanted);
    }
    const handle = handleOf(next++);
    const entity = newEntity(handle, known?.name ?? wanted, colorOf(definition.color), geometry);
    entities.set(handle, entity);
    handles.push(handle);
  }
  return {
    drawing: { ...drawing, entities, layers: layersCreated.length > 0 ? layers : drawing.layers },
    seed: next,
    handles,
    layersCreated,
  };
}

/** An entity with the common part of a newly made one. */
export function newEntity(handle: string, layer: string, color: Color, geometry: Geometry): Entity {
  return {
    common: {
      handle,
      layer,
      color,
      invisible: false,
      lineWeight: -1,
      linetype: "ByLayer",
      linetypeScale: 1,
      transparency: 0,
    },
    geometry,
  };
}

/** The layer of that name; the names of layers differ by more than case. */
export function layerNamed(layers: ReadonlyMap<string, Layer>, name: string): Layer | undefined {
  const exact = layers.get(name);
  if (exact !== undefined) return exact;
  const folded = name.toLowerCase();
  return [...layers.values()].find((layer) => layer.name.toLowerCase() === folded);
}

function colorOf(value: Json | undefined): Color {
  const index = finite(value);
  if (index === undefined || !Number.isInteger(index)) return { kind: "by_layer" };
  if (index === 0) return { kind: "by_block" };
  return index >= 1 && index <= 255 ? { kind: "index", index } : { kind: "by_layer" };
}

function geometryOf(definition: JsonObject, drawing: Drawing): Geometry {
  const type = text(definition.type)?.trim().toLowerCase();
  switch (type) {
    case "line":
      return {
        kind: "Line",
        start: requiredPoint(definition.start, "start"),
        end: requiredPoint(definition.end, "end"),
        thickness: finite(definition.thickness) ?? 0,
      };
    case "circle":
      return {
        kind: "Circle",
        center: requiredPoint(definition.center, "center"),
        radius: radius(definition, (value) => value >= 0, "at least 0"),
      };
    case "arc":
      return {
        kind: "Arc",
        center: requiredPoint(definition.center, "center"),
        radius: radius(definition, (value) => value > 0, "above 0"),
        startAngle: radians(definition.start_angle_deg),
        endAngle: radians(definition.end_angle_deg),
      };
    case "lwpolyline":
    case "polyline":
      return {
        kind: "LwPolyline",
        vertices: path(definition.vertices, 2, "invalid_vertices", "vertices"),
        closed: flag(definition.closed, false),
        constantWidth: finite(definition.constant_width) ?? 0,
      };
    case "point":
      return { kind: "Point", location: requiredPoint(definition.location, "location") };
    case "text":
    case "mtext":
      return lettering(type, definition, drawing);
    case "insert":
      return insert(definition);
    case "solid":
      return { kind: "Solid", corners: solidCorners(definition.corners) };
    case "hatch":
      return hatch(definition);
    default:
      throw new Refusal(
        "unknown_entity_type",
        `Entities of type ${
          JSON.stringify(definition.type ?? null)
        } cannot be created; use Line, ` +
          "Circle, Arc, LwPolyline, Polyline, Point, Text, MText, Insert, Solid or Hatch.",
      );
  }
}

function lettering(type: "text" | "mtext", definition: JsonObject, drawing: Drawing): Geometry {
  const value = text(definition.value);
  if (value === undefined) throw new Refusal("invalid_text", "The string 'value' is missing.");
  const width = finite(definition.width) ?? 0;
  return {
    kind: type === "text" ? "Text" : "MText",
    value,
    position: requiredPoint(definition.position, "position"),
    height: positive(definition.height, 2.5),
    width: type === "mtext" && width > 0 ? width : 0,
    rotation: radians(definition.rotation_deg),
    style: (type === "text" ? text(definition.style) : undefined) ?? drawing.header.textStyle,
  };
}

function insert(definition: JsonObject): Geometry {
  const block = text(definition.block);
  if (block === undefined || block === "") {
    throw new Refusal("block_required", "The string 'block' is missing or empty.");
  }
  return {
    kind: "Insert",
    block,
    position: requiredPoint(definition.position, "position"),
    scale: scaleOf(definition.scale),
    rotation: radians(definition.rotation_deg),
  };
}

function scaleOf(value: Json | undefined): Point3 {
  const one = finite(value);
  const three = list(value)?.length === 3 ? point(value) : undefined;
  const scale: Point3 = one === undefined ? three ?? [1, 1, 1] : [one, one, one];
  if (scale.some((factor) => factor === 0)) {
    throw new Refusal("invalid_scale", "The factors of 'scale' must not be 0.");
  }
  return scale;
}

function solidCorners(value: Json | undefined): readonly Point3[] {
  const items = list(value);
  if (items === undefined || items.length < 3 || items.length > 4) {
    throw new Refusal("invalid_corners", "The list 'corners' must hold 3 or 4 points.");
  }
  const corners = items.map((item): Point3 => {
    const [x, y, z] = list(item) ?? [];
    return [finite(x) ?? 0, finite(y) ?? 0, finite(z) ?? 0];
  });
  // The editor fills a missing fourth corner with the origin; a triangle is said by repeating one.
  return corners.length === 3 ? [...corners, [0, 0, 0]] : corners;
}

function hatch(definition: JsonObject): Geometry {
  const solid = flag(definition.solid, false);
  return {
    kind: "Hatch",
    boundary: path(definition.boundary, 3, "invalid_boundary", "boundary"),
    solid,
    pattern: solid ? "SOLID" : text(definition.pattern) ?? "ANSI31",
    patternScale: positive(definition.pattern_scale, 1),
    patternAngle: radians(definition.pattern_angle_deg),
  };
}

function path(
  value: Json | undefined,
  least: number,
  code: string,
  name: string,
): readonly Point2[] {
  const items = list(value) ?? [];
  const points = items.map((item) => point(item)).filter((item) => item !== undefined);
  if (points.length !== items.length || points.length < least) {
    throw new Refusal(code, `The list '${name}' must hold at least ${least} points [x, y].`);
  }
  return points.map(flat);
}

function radius(definition: JsonObject, fits: (value: number) => boolean, rule: string): number {
  const value = finite(definition.radius);
  if (value === undefined || !fits(value)) {
    throw new Refusal("invalid_radius", `The number 'radius' must be ${rule}.`);
  }
  return value;
}

function positive(value: Json | undefined, otherwise: number): number {
  return given(value) ? Math.max(FLOOR, Math.abs(finite(value) ?? otherwise)) : otherwise;
}

function radians(degrees: Json | undefined): number {
  return (finite(degrees) ?? 0) * (Math.PI / 180);
}
