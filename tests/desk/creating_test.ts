/** `entities_create`: every type, its defaults and its refusals (gui-protocol.md 8.2). */

import { assert, assertEquals } from "@std/assert";
import { activeDocument } from "../../src/desk/desk_state.ts";
import type { Geometry } from "../../src/desk/entity.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { Driver } from "./driver.ts";

function made(definition: JsonObject): Geometry | undefined {
  const desk = new Driver();
  const [handle = ""] = desk.draw(definition);
  return activeDocument(desk.state).drawing.entities.get(handle)?.geometry;
}

function refusal(...entities: readonly unknown[]): unknown {
  const desk = new Driver();
  desk.done("new");
  const reply = desk.send("entities_create", JSON.parse(JSON.stringify({ entities })));
  assertEquals(desk.read("entities").total, 0);
  return reply.code;
}

Deno.test("every type is made with the defaults of the protocol", () => {
  assertEquals(made({ type: "LINE", start: [0, 1], end: [2, 3, 4] }), {
    kind: "Line",
    start: [0, 1, 0],
    end: [2, 3, 4],
    thickness: 0,
  });
  assertEquals(made({ type: "circle", center: [0, 0], radius: 0 }), {
    kind: "Circle",
    center: [0, 0, 0],
    radius: 0,
  });
  assertEquals(made({ type: "Arc", center: [0, 0], radius: 1, end_angle_deg: 180 }), {
    kind: "Arc",
    center: [0, 0, 0],
    radius: 1,
    startAngle: 0,
    endAngle: Math.PI,
  });
  assertEquals(made({ type: "Polyline", vertices: [[0, 0], [1, 1, 9]], closed: true }), {
    kind: "LwPolyline",
    vertices: [[0, 0], [1, 1]],
    closed: true,
    constantWidth: 0,
  });
  assertEquals(made({ type: "Text", value: "A", position: [1, 1], height: -3 }), {
    kind: "Text",
    value: "A",
    position: [1, 1, 0],
    height: 3,
    width: 0,
    rotation: 0,
    style: "Standard",
  });
  assertEquals(made({ type: "MText", value: "A", position: [1, 1], width: 40, height: 0 }), {
    kind: "MText",
    value: "A",
    position: [1, 1, 0],
    height: 1e-6,
    width: 40,
    rotation: 0,
    style: "Standard",
  });
  assertEquals(made({ type: "Insert", block: "DOOR", position: [0, 0], scale: [1, 2] }), {
    kind: "Insert",
    block: "DOOR",
    position: [0, 0, 0],
    scale: [1, 1, 1],
    rotation: 0,
  });
  assertEquals(made({ type: "Solid", corners: [[1, 1], [2, "x"], [3, 3]] }), {
    kind: "Solid",
    corners: [[1, 1, 0], [2, 0, 0], [3, 3, 0], [0, 0, 0]],
  });
  assertEquals(made({ type: "Hatch", boundary: [[0, 0], [1, 0], [1, 1]] }), {
    kind: "Hatch",
    boundary: [[0, 0], [1, 0], [1, 1]],
    solid: false,
    pattern: "ANSI31",
    patternScale: 1,
    patternAngle: 0,
  });
});

Deno.test("bad definitions answer their code, and nothing at all is made", () => {
  const good = { type: "Point", location: [0, 0] };
  const cases: readonly (readonly [unknown, JsonObject])[] = [
    ["unknown_entity_type", { type: "Ellipse" }],
    ["unknown_entity_type", {}],
    ["invalid_point", { type: "Line", start: [0, 0] }],
    ["invalid_point", { type: "Point", location: [0] }],
    ["invalid_radius", { type: "Circle", center: [0, 0], radius: -1 }],
    ["invalid_radius", { type: "Arc", center: [0, 0], radius: 0 }],
    ["invalid_vertices", { type: "LwPolyline", vertices: [[0, 0]] }],
    ["invalid_text", { type: "Text", position: [0, 0] }],
    ["block_required", { type: "Insert", position: [0, 0] }],
    ["invalid_scale", { type: "Insert", block: "B", position: [0, 0], scale: 0 }],
    ["invalid_scale", { type: "Insert", block: "B", position: [0, 0], scale: [1, 0, 1] }],
    ["invalid_corners", { type: "Solid", corners: [[0, 0], [1, 1]] }],
    ["invalid_boundary", { type: "Hatch", boundary: [[0, 0], [1, 1]] }],
    ["layer_failed", { ...good, layer: "a/b" }],
  ];
  for (const [code, definition] of cases) assertEquals(refusal(good, definition), code);
  assertEquals(refusal(), "entities_required");
});

Deno.test("missing layers are made once, and a layer keeps its spelling", () => {
  const desk = new Driver();
  desk.done("new");
  const result = desk.done("entities_create", {
    entities: [
      { type: "Point", location: [0, 0], layer: "WALLS", color: 1 },
      { type: "Point", location: [1, 0], layer: "walls", color: 1.5 },
      { type: "Point", location: [2, 0] },
    ],
  });
  assertEquals(result, { handles: ["2B", "2C", "2D"], created: 3, layers_created: ["WALLS"] });
  const common = [...activeDocument(desk.state).drawing.entities.values()].map((e) => e.common);
  assertEquals(common.map((c) => c.layer), ["WALLS", "WALLS", "0"]);
  assertEquals(common.map((c) => c.color.kind), ["index", "by_layer", "by_layer"]);
});

Deno.test("one call is one step to undo", () => {
  const desk = new Driver();
  desk.draw({ type: "Point", location: [0, 0] }, { type: "Point", location: [1, 0] });
  desk.done("undo");
  assertEquals(desk.read("entities"), { ok: true, total: 0, by_type: {} });
});

Deno.test("an angle of any size is a finite number of radians", () => {
  const { startAngle } = {
    startAngle: 0,
    ...made({ type: "Arc", center: [0, 0], radius: 1, start_angle_deg: 1.7e308 }),
  };
  assert(Number.isFinite(startAngle));
});
