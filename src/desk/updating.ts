/** `set_properties`: writing fields of records, all of them or none (gui-protocol.md 5.4). */

import { isJsonObject, type Json, type JsonObject } from "../host/json.ts";
import { layerNamed } from "./creating.ts";
import type { Drawing } from "./drawing.ts";
import { entityJson, headerJson, layerJson } from "./entity_json.ts";
import { parseHandle } from "./handles.ts";
import { given, list, text } from "./parameters.ts";
import { ENTITY_FIELDS, type Fields, HEADER_FIELDS, LAYER_FIELDS } from "./record_fields.ts";
import { Refusal } from "./refusal.ts";
import { at, same } from "./where.ts";

/** What came of an update. */
export interface Updated {
  readonly drawing: Drawing;
  readonly result: JsonObject;
}

interface Update {
  readonly path: string;
  readonly value: Json;
  readonly expected: Json | undefined;
}

const READ_ONLY: ReadonlySet<string> = new Set([
  "classes",
  "block_visibility",
  "context_scales",
  "block_representations",
  "fields",
  "dgn_line_style_definitions",
  "dgn_line_style_components",
  "vx_control_entries",
  "section_view_style",
  "view_rep_references",
  "section_view_representations",
  "notifications",
  "preview",
  "document",
]);

const IDENTITY: ReadonlySet<string> = new Set([
  "/common/handle",
  "/common/owner_handle",
  "/handle",
  "/name",
  "/handle_seed",
]);

/** Writes the updates of a request into its record. */
export function setProperties(drawing: Drawing, request: JsonObject): Updated {
  const collection = text(request.collection) ?? "";
  if (collection === "") {
    throw new Refusal("collection_required", "The string 'collection' is missing or empty.");
  }
  if (READ_ONLY.has(collection)) {
    throw new Refusal("read_only_collection", `The records of '${collection}' are read-only.`);
  }
  switch (collection) {
    case "entities":
      return updateEntity(drawing, request);
    case "layers":
      return updateLayer(drawing, request);
    case "header":
      return updateHeader(drawing, request);
    default:
      throw new Refusal(
        "unknown_collection",
        `There is no collection '${collection}' here; there are entities, layers and header.`,
      );
  }
}

function updateEntity(drawing: Drawing, request: JsonObject): Updated {
  const handle = parseHandle(request.handle);
  if (handle === undefined) {
    throw new Refusal("invalid_handle", "The parameter 'handle' must be a handle in hexadecimal.");
  }
  const entity = drawing.entities.get(handle);
  if (entity !== undefined && drawing.layers.get(entity.common.layer)?.locked === true) {
    throw new Refusal("layer_locked", `The layer '${entity.common.layer}' of ${handle} is locked.`);
  }
  if (entity === undefined) {
    throw new Refusal("record_absent", `There is no entity ${handle} in this drawing.`);
  }
  const updates = updatesOf(request);
  const common = written(entity.common, ENTITY_FIELDS, updates, entityJson(entity), drawing);
  const result = answer("entities", handle, null, updates, common !== entity.common);
  if (common === entity.common) return { drawing, result };
  const entities = new Map(drawing.entities).set(handle, { ...entity, common });
  return { drawing: { ...drawing, entities }, result };
}

function updateLayer(drawing: Drawing, request: JsonObject): Updated {
  const name = text(request.name);
  const handle = given(request.handle) ? parseHandle(request.handle) : undefined;
  if (given(request.handle) && handle === undefined) {
    throw new Refusal("invalid_handle", "The parameter 'handle' must be a handle in hexadecimal.");
  }
  const layer = handle === undefined
    ? layerNamed(drawing.layers, name ?? "")
    : [...drawing.layers.values()].find((known) => known.handle === handle);
  if (layer === undefined) {
    throw new Refusal(
      "invalid_update",
      `There is no layer ${JSON.stringify(name ?? handle ?? null)}.`,
    );
  }
  const updates = updatesOf(request);
  const after = written(layer, LAYER_FIELDS, updates, layerJson(layer), drawing);
  const result = answer("layers", layer.handle, layer.name, updates, after !== layer);
  if (after === layer) return { drawing, result };
  const layers = new Map(drawing.layers).set(layer.name, after);
  return { drawing: { ...drawing, layers }, result };
}

function updateHeader(drawing: Drawing, request: JsonObject): Updated {
  const updates = updatesOf(request);
  const properties = headerJson(drawing.header);
  const header = written(drawing.header, HEADER_FIELDS, updates, properties, drawing);
  const result = answer("header", null, null, updates, header !== drawing.header);
  return { drawing: header === drawing.header ? drawing : { ...drawing, header }, result };
}

function answer(
  collection: string,
  handle: string | null,
  name: string | null,
  updates: readonly Update[],
  changed: boolean,
): JsonObject {
  return { collection, handle, name, paths: updates.map(({ path }) => path), changed };
}

function updatesOf(request: JsonObject): readonly Update[] {
  const items = list(request.updates);
  if (items === undefined || items.length === 0) {
    throw new Refusal("invalid_update", "The list 'updates' is missing or empty.");
  }
  return items.map((item) => {
    if (!isJsonObject(item) || typeof item.path !== "string" || item.value === undefined) {
      throw new Refusal("invalid_update", "Each item of 'updates' needs a 'path' and a 'value'.");
    }
    return { path: item.path, value: item.value, expected: item.expected };
  });
}

/** The record with every update written, or the very record when none changes anything. */
function written<T extends object>(
  record: T,
  fields: Fields<T>,
  updates: readonly Update[],
  properties: JsonObject,
  drawing: Drawing,
): T {
  const changed = updates.map(({ path, value, expected }) => {
    if (IDENTITY.has(path)) {
      throw new Refusal("invalid_update", `The path '${path}' is the record's identity.`);
    }
    const field = fields.get(path);
    if (field === undefined) {
      throw new Refusal(
        "invalid_update",
        `The path '${path}' cannot be written; ${[...fields.keys()].join(", ")} can.`,
      );
    }
    const now = at(properties, path);
    if (expected !== undefined && !same(now, expected)) {
      throw new Refusal("invalid_update", `At '${path}' stands ${JSON.stringify(now ?? null)}.`);
    }
    const part = field(value, drawing);
    if (part === undefined) {
      throw new Refusal("invalid_value", `${JSON.stringify(value)} is no value for '${path}'.`);
    }
    return same(now, value) ? {} : part;
  });
  return changed.some((part) => Object.keys(part).length > 0)
    ? Object.assign({}, record, ...changed)
    : record;
}
