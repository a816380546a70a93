/** What can be written and how it reads afterwards: variables, fields of records, whole answers. */

import { assertEquals } from "@std/assert";
import type { Json, JsonObject } from "../../src/host/json.ts";
import { Driver, objectOf, objectsOf } from "./driver.ts";

const LINE = { type: "Line", start: [0, 0], end: [3, 4] };

/** Values that a variable takes, and values that it does not (gui-protocol.md 5.7). */
const VARIABLES: readonly (readonly [string, readonly Json[], readonly Json[]])[] = [
  ["ltscale", [0.1, 3], [0, -1, "1", null]],
  ["celtscale", [0.1, 3], [0, -1, "1"]],
  ["textsize", [0.1, 3], [0, -1, "1"]],
  ["filletrad", [0, 3], [-0.1, "1"]],
  ["pdsize", [-5, 0, 2.5], ["1", null]],
  ["pdmode", [-32_768, 32_767], [-32_769, 32_768, 1.5]],
  ["insunits", [-32_768, 32_767], [-32_769, 32_768, 1.5]],
  ["osmode", [-2_147_483_648, 2_147_483_647], [-2_147_483_649, 2_147_483_648, 1.5]],
  ["mirrtext", [0, 1], ["1", null]],
  ["clayer", ["0", "WALLS"], ["NOWHERE", 0]],
  ["ctextstyle", ["Standard"], ["Nowhere", 0]],
  ["extmin", [], [[0, 0, 0]]],
  ["extmax", [], [[0, 0, 0]]],
];

for (const [name, good, bad] of VARIABLES) {
  Deno.test(`the variable ${name} takes what fits it and nothing else`, () => {
    const desk = new Driver();
    desk.draw({ ...LINE, layer: "WALLS" });
    for (const value of good) {
      assertEquals(desk.done("sysvar", { set: { [name]: value } }), { set: { [name]: value } });
      assertEquals(desk.done("sysvar", { get: [name] }), { values: { [name]: value } });
    }
    const before = desk.done("sysvar", { get: [name] });
    for (const value of bad) {
      const { code } = desk.send("sysvar", { set: { [name]: value } });
      assertEquals(code, "invalid_sysvar_value", JSON.stringify(value));
      assertEquals(desk.done("sysvar", { get: [name] }), before);
    }
  });
}

const RED = { Rgb: { r: 255, g: 0, b: 0 } };

/** Fields of the layer WALLS, what they take, and what they do not (gui-protocol.md 8.4). */
const FIELDS: readonly (readonly [string, Json, readonly Json[], JsonObject])[] = [
  ["/is_off", true, [1, "true"], { off: true }],
  ["/is_frozen", true, [1, null], { frozen: true }],
  ["/is_locked", true, [1, null], { locked: true }],
  ["/color", { Index: 1 }, ["ByLayer", "ByBlock", { Index: 0 }, { Index: 256 }, 1], { color: 1 }],
  ["/color", RED, [{ Rgb: { r: 256, g: 0, b: 0 } }, { Rgb: { r: 1 } }], { rgb: [255, 0, 0] }],
];

for (const [path, good, bad, shown] of FIELDS) {
  Deno.test(`the layer's ${path} takes ${JSON.stringify(good)} and shows it alone`, () => {
    const desk = new Driver();
    desk.draw({ ...LINE, layer: "WALLS" });
    const write = (value: Json) =>
      desk.send("set_properties", {
        collection: "layers",
        name: "WALLS",
        updates: [{ path, value }],
      });
    for (const value of bad) {
      assertEquals(write(value).code, "invalid_value", JSON.stringify(value));
    }
    assertEquals(write(good).status, "completed");
    const plain = { name: "WALLS", off: false, frozen: false, locked: false };
    const color = path === "/color" ? {} : { color: 7 };
    assertEquals(objectsOf(desk.read("layers").layers)[1], { ...plain, ...color, ...shown });
  });
}

Deno.test("the header's mirror_text is the variable mirrtext", () => {
  const desk = new Driver();
  desk.done("new");
  for (const [value, mirrtext] of [[true, 1], [false, 0]] as const) {
    const updates = [{ path: "/mirror_text", value }];
    desk.done("set_properties", { collection: "header", updates });
    assertEquals(desk.done("sysvar", { get: ["mirrtext"] }), { values: { mirrtext } });
  }
});

Deno.test("the header is told whole", () => {
  const desk = new Driver();
  desk.done("new");
  desk.done("sysvar", { set: { pdmode: 3, pdsize: 2.5, ltscale: 4, insunits: 6 } });
  assertEquals(desk.read("header"), {
    ok: true,
    current_layer: "0",
    current_text_style: "Standard",
    insertion_units: 6,
    pdmode: 3,
    pdsize: 2.5,
    ltscale: 4,
    annotation_scale_value: 1,
  });
});

Deno.test("a measurement is told whole", () => {
  const desk = new Driver();
  const [handle = ""] = desk.draw(LINE);
  assertEquals(desk.read("measure", { handles: [handle] }).measurements, [{
    handle,
    type: "Line",
    bounds: { min: [0, 0, 0], max: [3, 4, 0] },
    curve: { bounded: true, closed: false, length: 5, area: null },
    mesh: null,
  }]);
});

Deno.test("an insert goes by both of its names, and a new entity is on the current layer", () => {
  const desk = new Driver();
  desk.draw({ ...LINE, layer: "WALLS" });
  desk.done("sysvar", { set: { clayer: "WALLS" } });
  desk.draw({ type: "Insert", block: "DOOR", position: [0, 0] });
  for (const type of ["Block Reference", "INSERT"]) {
    const [insert] = objectsOf(desk.read("query", { type, detail: "summary" }).entities);
    assertEquals([insert?.type, insert?.layer], ["Block Reference", "WALLS"]);
  }
});

Deno.test("no handle is given twice, whatever made or took back its entity", () => {
  const desk = new Driver();
  const [line = ""] = desk.draw(LINE);
  const given = [line];
  const copy = { handles: [line], action: "copy", vector: [1, 1] };
  for (const undo of [false, true, false]) {
    const { created } = desk.done("entities_transform", copy);
    given.push(...(Array.isArray(created) ? created.map(String) : []));
    if (undo) desk.done("undo");
    given.push(...desk.draw(LINE));
  }
  assertEquals(given.length, 7);
  assertEquals(new Set(given).size, given.length);
});

Deno.test("a document is dirty while it differs from what it was opened with", () => {
  const desk = new Driver();
  const dirty = () => objectsOf(desk.read("state").documents).map((document) => document.dirty);
  desk.done("new");
  assertEquals(dirty(), [false, false]);
  desk.draw(LINE);
  assertEquals(dirty(), [false, true]);
  desk.done("undo");
  assertEquals(dirty(), [false, false]);
});

Deno.test("going to another document tells no changes, however its drawing differs", () => {
  const desk = new Driver();
  desk.draw(LINE);
  assertEquals(desk.send("new").changes, []);
  assertEquals(desk.send("activate", { document_id: 2 }).changes, []);
});

Deno.test("capabilities and state claim what the desk has, and all of it", () => {
  const desk = new Driver();
  assertEquals(Object.keys(objectOf(desk.read("capabilities").operations)), [
    ...["close", "entities_create", "entities_delete", "entities_transform", "sysvar"],
    "view_focus",
  ]);
  assertEquals(desk.read("state").capabilities, [
    ...["selection", "user_select", "atomic_record_updates", "layers", "history", "documents"],
    ...["events", "capture", "viewport_capture", "measure", "spatial_query"],
  ]);
});
