/** Whatever comes in, the desk answers in the protocol's shapes and keeps its state sound. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { activeDocument } from "../../src/desk/desk_state.ts";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { Driver } from "./driver.ts";

const OPS = [
  ...["state", "operation", "events", "query", "entities", "layers", "header", "capabilities"],
  ...["measure", "get_selection", "history", "tools", "new", "activate", "close", "select"],
  ...["entities_create", "entities_delete", "entities_transform", "undo", "redo", "cancel"],
  ...["set_properties", "sysvar", "view_focus", "user_select", "getpoint", "capture", "nonsense"],
];

const TYPES = ["Line", "Circle", "Arc", "LwPolyline", "Point", "Text", "MText", "Insert", "Solid"];

/** Values that parameters are made of: right ones, nearly right ones, and any JSON. */
const point = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 4 });
const handle = fc.constantFrom<unknown>("2A", "0x2b", "2C", "FFFF", "XYZ", 42);
const definition = fc.record({
  type: fc.constantFrom<unknown>(...TYPES, "Hatch", "Spline", 1),
  start: point,
  end: point,
  center: point,
  location: point,
  position: point,
  radius: fc.oneof(fc.integer(), fc.double()),
  vertices: fc.array(point, { maxLength: 5 }),
  boundary: fc.array(point, { maxLength: 5 }),
  corners: fc.array(point, { maxLength: 5 }),
  value: fc.oneof(fc.string(), fc.jsonValue()),
  layer: fc.oneof(fc.string(), fc.constant("WALLS")),
  block: fc.string(),
}, { requiredKeys: ["type"] });
const request = fc.record({
  op: fc.constantFrom(...OPS),
  document_id: fc.constantFrom<unknown>(2, 2, 2, 1, 9, null, "2"),
  handles: fc.oneof(fc.array(handle, { maxLength: 3 }), fc.jsonValue()),
  handle,
  entities: fc.oneof(fc.array(definition, { maxLength: 3 }), fc.jsonValue()),
  action: fc.constantFrom<unknown>("move", "copy", "rotate", "scale", "mirror", "array", "x", 3),
  axis: fc.array(point, { maxLength: 3 }),
  factor: fc.oneof(fc.double(), fc.integer({ min: -3, max: 3 })),
  rows: fc.integer({ min: -1, max: 3 }),
  columns: fc.integer({ min: -1, max: 3 }),
  vector: point,
  bounds: point,
  window: point,
  near: point,
  contains_point: point,
  intersections: fc.array(handle, { maxLength: 3 }),
  where: fc.oneof(
    fc.array(fc.record({ path: fc.constantFrom("", "/radius", "x"), value: fc.jsonValue() })),
    fc.jsonValue(),
  ),
  detail: fc.constantFrom<unknown>("summary", "geometry", "full", "?"),
  collection: fc.constantFrom<unknown>("layers", "entities", "header", "classes", "?", 1),
  name: fc.constantFrom<unknown>("0", "WALLS", 1),
  updates: fc.oneof(
    fc.array(
      fc.record({
        path: fc.constantFrom("/color", "/common/layer", "/is_off", "?"),
        value: fc.oneof(fc.jsonValue(), fc.constant(true), fc.constant({ Index: 3 })),
      }),
      { maxLength: 2 },
    ),
    fc.jsonValue(),
  ),
  get: fc.jsonValue(),
  set: fc.oneof(fc.record({ ltscale: fc.jsonValue() }), fc.jsonValue()),
  path: fc.constantFrom<unknown>("/p.png", "", 1),
  view: fc.constantFrom<unknown>("extents", "selection", "?", 1),
  fields: fc.jsonValue(),
}, { requiredKeys: ["op"] });

function asJson(value: unknown): JsonObject {
  const json: unknown = JSON.parse(JSON.stringify(value));
  if (!isJsonObject(json)) throw new Error("Not an object.");
  return json;
}

/** What is wrong with a reply, or nothing. */
function flaw(reply: JsonObject): string | undefined {
  if (typeof reply.ok !== "boolean") return "ok is no boolean";
  if (!reply.ok && typeof reply.error !== "string") return "a failure without an error";
  if (!reply.ok && "code" in reply && reply.status !== "failed") return "a coded failure's status";
  if ("changes" in reply && !isJsonObject(reply.state)) return "settled without a state";
  return undefined;
}

Deno.test("any sequence of requests is answered and leaves a sound drawing", () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
      const desk = new Driver();
      desk.draw(
        { type: "Line", start: [0, 0], end: [4, 4] },
        { type: "Circle", center: [2, 2], radius: 1 },
      );
      requests.forEach((item, n) => {
        const request = { request_id: `r-${n}`, ...asJson(item) };
        const reply = desk.raw(request);
        assertEquals(flaw(reply), undefined, JSON.stringify({ request, reply }).slice(0, 2000));
        const { pending } = desk.state;
        if (pending?.work.kind === "capture") desk.finishPicture(pending.requestId);
        if (pending?.work.kind === "pick") desk.raw({ op: "cancel", request_id: `c-${n}` });
      });
      assertEquals(desk.state.pending, null);
      const { drawing, selection, seed } = activeDocument(desk.state);
      for (const [key, { common }] of drawing.entities) {
        assertEquals(common.handle, key);
        assert(Number.parseInt(key, 16) < seed, "the next handle is free");
        assert(drawing.layers.has(common.layer), "every entity's layer exists");
      }
      assert(selection.every((handle) => drawing.entities.has(handle)), "the selection exists");
    }),
    { numRuns: 100 },
  );
});

Deno.test("any JSON object at all is answered", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
    assertEquals(flaw(new Driver().raw(asJson(value))), undefined);
  }));
});
