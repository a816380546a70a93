/** The reads that the desk answers about its active document (gui-protocol.md section 4). */

import type { Json, JsonObject } from "../host/json.ts";
import { WHERE_OPS } from "../ops/where_ops.ts";
import { activeDocument, type DeskState } from "./desk_state.ts";
import type { Color, Layer } from "./entity.ts";
import { measure, selectionView } from "./measure.ts";
import { uiName } from "./names.ts";
import { given, unsigned } from "./parameters.ts";
import { page, query } from "./query.ts";
import { Refusal } from "./refusal.ts";

/** The names that the protocol knows as reads; the desk answers some of them (section 4). */
export const READ_NAMES: ReadonlySet<string> = new Set([
  "state",
  "hello",
  "operation",
  "events",
  "commands",
  "properties",
  "measure",
  "snap",
  "grips",
  "query",
  "records",
  "record_schema",
  "capabilities",
  "tools",
  "entities",
  "layers",
  "header",
  "history",
  "xdata_get",
  "get_selection",
  "audit",
  "text_search",
  "text_audit",
]);

type Read = (state: DeskState, request: JsonObject) => JsonObject;

/** The reads about the active document, by name. */
export const READS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["query", (state, request) => query(activeDocument(state), request)],
  ["measure", (state, request) => measure(activeDocument(state), request)],
  ["get_selection", (state) => selectionView(activeDocument(state))],
  ["entities", entities],
  ["layers", layers],
  ["header", header],
  ["history", (state) => ({ ok: true, entries: state.history.map((line) => ({ ...line })) })],
  ["capabilities", capabilities],
]);

/** The events after a sequence number (gui-protocol.md 4.2). */
export function events(state: DeskState, request: JsonObject): JsonObject {
  const after = unsigned(request.after) ?? 0;
  const oldest = state.events[0]?.sequence ?? state.eventCursor + 1;
  return {
    ok: true,
    cursor: state.eventCursor,
    resync: oldest > after + 1,
    events: state.events
      .filter((event) => event.sequence > after)
      .map((event) => ({ ...event })),
  };
}

/** How an operation stands: running, or the answer it settled with (gui-protocol.md 4.1). */
export function operation(state: DeskState, request: JsonObject): JsonObject {
  const id = request.request_id;
  if (state.pending !== null && state.pending.requestId === id) {
    return { ok: true, status: "running", request_id: state.pending.requestId };
  }
  const settled = state.completed.findLast(({ requestId }) => requestId === id);
  if (settled !== undefined) return settled.reply;
  const named = given(id) ? JSON.stringify(id) : "without a request_id";
  throw new Refusal("unknown_operation", `No operation ${named} is pending or remembered.`);
}

function entities(state: DeskState): JsonObject {
  const counts = new Map<string, number>();
  for (const { geometry } of activeDocument(state).drawing.entities.values()) {
    const name = uiName(geometry);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const sorted = [...counts].sort(([one], [other]) => one < other ? -1 : 1);
  return { ok: true, total, by_type: Object.fromEntries(sorted) };
}

function layers(state: DeskState, request: JsonObject): JsonObject {
  const { drawing } = activeDocument(state);
  const { offset, limit } = page(request);
  const all = [...drawing.layers.values()];
  const shown = all.slice(offset, offset + limit);
  return {
    ok: true,
    current: drawing.header.currentLayer,
    count: all.length,
    next_offset: offset + shown.length < all.length ? offset + shown.length : null,
    layers: shown.map(layerView),
  };
}

function layerView(layer: Layer): JsonObject {
  return {
    name: layer.name,
    off: layer.off,
    frozen: layer.frozen,
    locked: layer.locked,
    ...colorView(layer.color),
  };
}

function colorView(color: Color): { readonly [key: string]: Json } {
  if (color.kind === "index") return { color: color.index };
  return color.kind === "rgb" ? { rgb: [color.r, color.g, color.b] } : {};
}

function header(state: DeskState): JsonObject {
  const { header } = activeDocument(state).drawing;
  return {
    ok: true,
    current_layer: header.currentLayer,
    current_text_style: header.textStyle,
    insertion_units: header.insertionUnits,
    pdmode: header.pointMode,
    pdsize: header.pointSize,
    ltscale: header.linetypeScale,
    annotation_scale_value: 1,
  };
}

function capabilities(state: DeskState): JsonObject {
  const { drawing } = activeDocument(state);
  return {
    ok: true,
    api: "ocs-cad-automation",
    version: 1,
    concurrency: { document_id: true, revision: true, request_id: true },
    transactions: { undo: true, redo: true, atomic_property_updates: true, batch: false },
    geometry: {
      query: true,
      kernel_measurements: true,
      spatial_filters: true,
      interactive_commands: false,
    },
    operations: {
      close: true,
      entities_create: true,
      entities_delete: true,
      entities_transform: true,
      sysvar: true,
      view_focus: true,
    },
    records: {
      write: "set_properties",
      path: "A JSON Pointer: /common/... of an entity, /... of a layer or the header.",
      filters: WHERE_OPS,
      collections: [
        {
          name: "entities",
          mutable: true,
          root_type: "EntityType",
          count: drawing.entities.size,
        },
        { name: "layers", mutable: true, root_type: "Layer", count: drawing.layers.size },
        { name: "header", mutable: true, root_type: "HeaderVariables", count: 1 },
      ],
    },
    editor: {
      selection: true,
      properties: false,
      commands: false,
      files: false,
      capture: true,
      events: true,
    },
  };
}
