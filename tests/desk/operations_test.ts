/** Documents, undo and redo, sysvar, set_properties and view_focus. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { activeDocument } from "../../src/desk/desk_state.ts";
import { Driver, listOf, objectOf, objectsOf } from "./driver.ts";

const LINE = { type: "Line", start: [0, 0], end: [10, 0] };

Deno.test("new opens a tab beside the start page, and activate goes back and forth", () => {
  const desk = new Driver();
  assertEquals(objectsOf(desk.read("state").documents), [
    { id: 1, title: "Start", path: null, dirty: false, revision: 0, start: true },
  ]);
  desk.done("new");
  desk.done("new");
  assertEquals(desk.read("state").document_id, 3);
  assertEquals(desk.send("activate", { document_id: 2 }).status, "completed");
  assertEquals(desk.read("state").document_id, 2);
  assertEquals(desk.send("switch_document", { document_id: 9 }).code, "document_closed");
  assertEquals(desk.raw({ op: "activate", request_id: "a" }).code, "document_required");
});

Deno.test("close keeps the start page, asks about unsaved work and names what it closed", () => {
  const desk = new Driver();
  assertEquals(desk.done("close"), { closed: false, reason: "start_page" });
  desk.draw(LINE);
  assertEquals(desk.send("close").code, "document_dirty");
  assertEquals(desk.done("close", { discard: true }), {
    closed: true,
    documents_before: 2,
    documents_after: 1,
    closed_document_id: 2,
  });
  assertEquals(desk.read("state").document_id, 1);
  desk.done("new");
  desk.done("new");
  desk.done("close", { document_id: 3 });
  assertEquals(desk.read("state").document_id, 4, "closing another document leaves the active one");
});

Deno.test("closing the active document makes its neighbour active", () => {
  const desk = new Driver();
  for (let n = 0; n < 4; n++) desk.done("new");
  desk.done("close", { document_id: 2 });
  assertEquals(desk.read("state").document_id, 5, "another document was active");
  desk.done("activate", { document_id: 3 });
  desk.done("close");
  assertEquals(desk.read("state").document_id, 4);
  desk.done("activate", { document_id: 5 });
  desk.done("close");
  assertEquals(desk.read("state").document_id, 4, "the last one has its neighbour before it");
});

Deno.test("a drawing that undo brought back to its start is not dirty", () => {
  const desk = new Driver();
  desk.draw(LINE);
  desk.done("undo");
  assertEquals(desk.done("close").closed, true);
});

Deno.test("undo and redo take whole steps and raise the revisions", () => {
  const desk = new Driver();
  const [line = ""] = desk.draw({ ...LINE, layer: "WALLS" });
  desk.done("select", { handles: [line] });
  const reply = desk.send("undo");
  assertEquals(reply.changes, [{ handle: line, kind: "Removed" }]);
  assertEquals(desk.read("state").selection, [], "what is gone is not selected");
  assertEquals(desk.read("layers").count, 1, "the layer came with the line and goes with it");
  assertEquals(desk.read("state").revision, 2);
  desk.done("redo");
  assertEquals(desk.read("entities").total, 1);
  assertEquals(desk.read("state").geometry_revision, 3);
  desk.done("undo");
  const [other] = desk.draw(LINE);
  assertEquals(desk.done("redo"), {}, "an edit ends what could be redone");
  assertEquals(objectsOf(desk.read("query").entities).map(({ handle }) => handle), [other]);
});

Deno.test("nothing to undo is no failure and no new revision", () => {
  const desk = new Driver();
  desk.done("new");
  desk.done("undo");
  desk.done("redo");
  assertEquals(desk.read("state").revision, 0);
});

Deno.test("undoing everything leads back to the start, redoing everything to the end", () => {
  const op = fc.oneof(
    fc.record({ op: fc.constant("create"), x: fc.integer({ min: -99, max: 99 }) }),
    fc.record({ op: fc.constant("erase"), x: fc.nat(20) }),
    fc.record({ op: fc.constant("move"), x: fc.nat(20) }),
    fc.record({ op: fc.constant("scale"), x: fc.nat(20) }),
    fc.record({ op: fc.constant("layer"), x: fc.nat(3) }),
    fc.record({ op: fc.constant("sysvar"), x: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ op: fc.constant("select"), x: fc.nat(20) }),
    fc.record({ op: fc.constant("undo"), x: fc.constant(0) }),
    fc.record({ op: fc.constant("redo"), x: fc.constant(0) }),
  );
  fc.assert(fc.property(fc.array(op, { maxLength: 40 }), (ops) => {
    const desk = new Driver();
    desk.done("new");
    const start = activeDocument(desk.state).drawing;
    for (const { op, x } of ops) {
      const handles = [...activeDocument(desk.state).drawing.entities.keys()];
      const one = handles[x % Math.max(1, handles.length)] ?? "FFFF";
      switch (op) {
        case "create":
          desk.send("entities_create", {
            entities: [{ type: "Circle", center: [x, 0], radius: 1, layer: `L${x % 3}` }],
          });
          break;
        case "erase":
          desk.send("entities_delete", { handles: [one] });
          break;
        case "move":
          desk.send("entities_transform", { handles: [one], vector: [1, 2] });
          break;
        case "scale":
          desk.send("entities_transform", { handles: [one], action: "scale", factor: 2 });
          break;
        case "layer":
          desk.send("set_properties", {
            collection: "layers",
            name: "0",
            updates: [{ path: "/color", value: { Index: x + 1 } }],
          });
          break;
        case "sysvar":
          desk.send("sysvar", { set: { ltscale: x } });
          break;
        case "select":
          desk.send("select", { handles: [one] });
          break;
        default:
          desk.send(op);
      }
    }
    while (activeDocument(desk.state).redo.length > 0) desk.done("redo");
    const end = activeDocument(desk.state).drawing;
    const steps = activeDocument(desk.state).undo.length;
    for (let n = 0; n < steps; n++) desk.done("undo");
    assertEquals(activeDocument(desk.state).drawing, start);
    for (let n = 0; n < steps; n++) desk.done("redo");
    assertEquals(activeDocument(desk.state).drawing, end);
  }));
});

Deno.test("a handle is not given twice, whatever was undone", () => {
  const desk = new Driver();
  assertEquals(desk.draw(LINE), ["2A"]);
  desk.done("undo");
  assertEquals(desk.draw(LINE), ["2B"]);
  assertEquals(desk.read("state").hand_seed, "2C");
});

Deno.test("sysvar gets and sets by name in any case", () => {
  const desk = new Driver();
  desk.draw({ ...LINE, layer: "WALLS" });
  assertEquals(desk.done("sysvar", { get: ["LTScale", "clayer", "EXTMAX"] }), {
    values: { ltscale: 1, clayer: "0", extmax: [10, 0, 0] },
  });
  assertEquals(desk.done("sysvar", { set: { CLAYER: "walls", PDMODE: 3, mirrtext: 2.5 } }), {
    set: { clayer: "WALLS", pdmode: 3, mirrtext: 1 },
  });
  assertEquals(desk.done("sysvar", { set: { ltscale: 2 }, get: ["ltscale"] }), {
    values: { ltscale: 2 },
  });
  assertEquals(desk.read("header").current_layer, "WALLS");
  assertEquals(desk.read("header").pdmode, 3);
});

Deno.test("sysvar refuses what it does not know or cannot set", () => {
  const desk = new Driver();
  desk.done("new");
  const code = (parameters: Parameters<Driver["send"]>[1]) => desk.send("sysvar", parameters).code;
  assertEquals(code({}), "get_or_set_required");
  assertEquals(code({ get: ["nothing"] }), "unknown_sysvar");
  assertEquals(code({ get: ["extmin"] }), "unknown_sysvar");
  assertEquals(code({ set: { extmin: [0, 0, 0] } }), "invalid_sysvar_value");
  assertEquals(code({ set: { ltscale: 0 } }), "invalid_sysvar_value");
  assertEquals(code({ set: { filletrad: -1 } }), "invalid_sysvar_value");
  assertEquals(code({ set: { pdmode: 40000 } }), "invalid_sysvar_value");
  assertEquals(code({ set: { osmode: 40000 } }), undefined);
  assertEquals(code({ set: { clayer: "NOWHERE" } }), "invalid_sysvar_value");
});

Deno.test("names that sysvar set before a failing one stay set", () => {
  const desk = new Driver();
  desk.done("new");
  const reply = desk.send("sysvar", { set: { ltscale: 5, nothing: 1, pdsize: 9 } });
  assertEquals(reply.code, "unknown_sysvar");
  assertEquals(desk.done("sysvar", { get: ["ltscale", "pdsize"] }), {
    values: { ltscale: 5, pdsize: 0 },
  });
});

Deno.test("set_properties writes layers, header and the common part of entities", () => {
  const desk = new Driver();
  const [line = ""] = desk.draw({ ...LINE, layer: "WALLS" });
  assertEquals(
    desk.done("set_properties", {
      collection: "layers",
      name: "walls",
      updates: [
        { path: "/is_plottable", value: false },
        { path: "/color", value: { Rgb: { r: 1, g: 2, b: 3 } } },
      ],
    }),
    {
      collection: "layers",
      handle: "2A",
      name: "WALLS",
      paths: ["/is_plottable", "/color"],
      changed: true,
    },
  );
  assertEquals(objectsOf(desk.read("layers").layers)[1]?.rgb, [1, 2, 3]);
  const updates = [{ path: "/common/color", value: { Index: 1 }, expected: "ByLayer" }];
  assertEquals(desk.done("set_properties", { collection: "entities", handle: line, updates }), {
    collection: "entities",
    handle: line,
    name: null,
    paths: ["/common/color"],
    changed: true,
  });
  const [entity] = objectsOf(desk.read("query", { detail: "full" }).entities);
  const properties = objectOf(entity?.properties);
  assertEquals(objectOf(properties.common).color, { Index: 1 });
  desk.done("set_properties", {
    collection: "header",
    updates: [{ path: "/insertion_units", value: 6 }],
  });
  assertEquals(desk.read("header").insertion_units, 6);
});

Deno.test("set_properties is all or nothing and answers its codes", () => {
  const desk = new Driver();
  const [line = ""] = desk.draw(LINE);
  const drawing = activeDocument(desk.state).drawing;
  const good = { path: "/common/invisible", value: true };
  const code = (parameters: Parameters<Driver["send"]>[1]) =>
    desk.send("set_properties", { collection: "entities", handle: line, ...parameters }).code;
  assertEquals(code({ collection: null }), "collection_required");
  assertEquals(code({ collection: "classes", updates: [good] }), "read_only_collection");
  assertEquals(code({ handle: "XYZ", updates: [good] }), "invalid_handle");
  assertEquals(code({ handle: "FFFF", updates: [good] }), "record_absent");
  assertEquals(code({ updates: [] }), "invalid_update");
  assertEquals(code({ updates: [good, { path: "/nowhere", value: 1 }] }), "invalid_update");
  assertEquals(code({ updates: [good, { path: "/common/handle", value: 1 }] }), "invalid_update");
  assertEquals(code({ updates: [{ ...good, expected: true }] }), "invalid_update");
  assertEquals(code({ updates: [good, { path: "/common/color", value: 7 }] }), "invalid_value");
  assertEquals(
    code({ collection: "layers", handle: null, name: "X", updates: [good] }),
    "invalid_update",
  );
  assertEquals(activeDocument(desk.state).drawing, drawing);
  desk.done("set_properties", {
    collection: "layers",
    name: "0",
    updates: [{ path: "/is_locked", value: true }],
  });
  assertEquals(code({ updates: [good] }), "layer_locked");
});

Deno.test("an update that changes nothing is no edit", () => {
  const desk = new Driver();
  const [line = ""] = desk.draw(LINE);
  const result = desk.done("set_properties", {
    collection: "entities",
    handle: line,
    updates: [{ path: "/common/layer", value: "0" }],
  });
  assertEquals(result.changed, false);
  assertEquals(desk.read("state").revision, 1);
});

Deno.test("view_focus moves the camera, selects, and is no edit", () => {
  const desk = new Driver();
  const [line = "", circle = ""] = desk.draw(LINE, {
    type: "Circle",
    center: [100, 50],
    radius: 3,
  });
  const before = desk.read("state");
  assertEquals(desk.done("view_focus", { handles: [circle] }), { zoomed: true, selected: 1 });
  const after = desk.read("state");
  assertEquals(after.selection, [circle]);
  assertEquals(listOf(objectOf(after.camera).target), [100, 50, 0]);
  assertEquals(Number(after.camera_revision), Number(before.camera_revision) + 1);
  assertEquals(after.revision, before.revision);
  desk.done("view_focus", { handles: [circle] });
  assertEquals(desk.read("state").camera_revision, after.camera_revision, "the same view again");
  assertEquals(desk.done("view_focus", { handles: [line], highlight: false }).selected, 0);
  assertEquals(desk.read("state").selection, [circle]);
  assertEquals(desk.send("view_focus", { handles: ["FFFF"] }).code, "entity_absent");
});

Deno.test("the state names what the desk can do, and capabilities says the same", () => {
  const desk = new Driver();
  desk.draw(LINE, LINE);
  const capabilities = desk.read("capabilities");
  assertEquals(objectOf(capabilities.transactions).batch, false);
  assertEquals(objectOf(objectsOf(objectOf(capabilities.records).collections)[0]).count, 2);
  for (const op of Object.keys(objectOf(capabilities.operations))) {
    assertEquals(
      desk.send(op, { request_id: `try-${op}` }).code === "unknown_operation",
      false,
      op,
    );
  }
});
