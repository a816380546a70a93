/** `query`, `measure`, `get_selection`, `select` and the lists, against values worked out by hand. */

import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { pointerKeys } from "../../src/desk/where.ts";
import { Driver, objectOf, objectsOf } from "./driver.ts";

/** 2B..30: a room of 10 by 6, a diagonal, a column, a door's arc, a label and a mark. */
function plan(): Driver {
  const desk = new Driver();
  desk.draw(
    {
      type: "LwPolyline",
      vertices: [[0, 0], [10, 0], [10, 6], [0, 6]],
      closed: true,
      layer: "WALLS",
    },
    { type: "Line", start: [0, 0], end: [10, 6] },
    { type: "Circle", center: [5, 3], radius: 1, color: 1 },
    { type: "Arc", center: [20, 0], radius: 2, start_angle_deg: 0, end_angle_deg: 90 },
    { type: "Text", value: "Kitchen", position: [1, 4], height: 0.5 },
    { type: "Point", location: [30, 30] },
  );
  return desk;
}

function found(parameters: JsonObject): readonly unknown[] {
  const reply = plan().read("query", parameters);
  assertEquals(reply.ok, true, JSON.stringify(reply));
  return objectsOf(reply.entities).map((entity) => entity.handle);
}

Deno.test("a query without filters shows all in drawing order", () => {
  const reply = plan().read("query");
  assertEquals(
    [reply.document_id, reply.geometry_revision, reply.count, reply.returned, reply.next_offset],
    [2, 1, 6, 6, null],
  );
  assertEquals(found({}), ["2B", "2C", "2D", "2E", "2F", "30"]);
});

Deno.test("filters by type, layer, handle and box", () => {
  assertEquals(found({ type: "polyline" }), ["2B"]);
  assertEquals(found({ type: "lwPolyline" }), ["2B"]);
  assertEquals(found({ layer: "WALLS" }), ["2B"]);
  assertEquals(found({ layer: "walls" }), []);
  assertEquals(found({ handles: ["0x2d", "0X2e", "FFFF"] }), ["2D", "2E"]);
  assertEquals(found({ handle: "2f" }), ["2F"]);
  assertEquals(found({ bounds: [20.5, 1, 40, 40] }), ["2E", "30"]);
  assertEquals(found({ bounds: [10, 6, 11, 7] }), ["2B", "2C"]);
  assertEquals(found({ layer: "0", bounds: [0, 0, 10, 6], type: "Line" }), ["2C"]);
});

Deno.test("every comparison of where", () => {
  const where = (...conditions: readonly JsonObject[]) => found({ where: conditions });
  assertEquals(where({ path: "/common/layer", value: "WALLS" }), ["2B"]);
  assertEquals(where({ path: "/radius", op: "ne", value: 1 }), ["2E"]);
  assertEquals(where({ path: "/radius", op: "lt", value: 2 }), ["2D"]);
  assertEquals(where({ path: "/radius", op: "lte", value: 2 }), ["2D", "2E"]);
  assertEquals(where({ path: "/radius", op: "gt", value: 1 }), ["2E"]);
  assertEquals(where({ path: "/radius", op: "gte", value: 1 }), ["2D", "2E"]);
  assertEquals(where({ path: "/value", op: "contains", value: "itch" }), ["2F"]);
  assertEquals(where({ path: "/value", op: "starts_with", value: "Kit" }), ["2F"]);
  assertEquals(where({ path: "/value", op: "ends_with", value: "Kit" }), []);
  assertEquals(where({ path: "/center/x", op: "in", value: [5, 6] }), ["2D"]);
  assertEquals(where({ path: "/vertices/2/location/y", value: 6 }), ["2B"]);
  assertEquals(where({ path: "/is_closed", op: "exists" }), ["2B"]);
  assertEquals(where({ path: "/common/color", value: { Index: 1 } }), ["2D"]);
  assertEquals(where({ path: "/radius", op: "not_exists" }), ["2B", "2C", "2F", "30"]);
  assertEquals(where({ path: "/radius", op: "exists" }, { path: "/center/x", value: 20 }), ["2E"]);
  assertEquals(where({ path: "/value", op: "lt", value: "Z" }), [], "order is for numbers");
});

Deno.test("a pointer's ~1 is a slash and its ~0 a tilde, each read once", () => {
  assertEquals(pointerKeys("/a~1b/~01/~0"), ["a/b", "~1", "~"]);
});

Deno.test("near sorts planar curves by distance and shows the nearest point", () => {
  const reply = plan().read("query", { near: [5, 5], fields: ["type"], limit: 2 });
  assertEquals([reply.count, reply.returned, reply.next_offset], [4, 2, 2]);
  assertEquals(reply.entities, [
    { handle: "2B", type: "Polyline", distance: 1, closest_point: [5, 6], parameter: 2.5 },
    { handle: "2D", type: "Circle", distance: 1, closest_point: [5, 4], parameter: Math.PI / 2 },
  ]);
});

Deno.test("contains_point keeps closed curves around the point", () => {
  assertEquals(found({ contains_point: [5.5, 3] }), ["2B", "2D"]);
  assertEquals(found({ contains_point: [1, 1] }), ["2B"]);
  assertEquals(found({ contains_point: [21, 1] }), []);
});

Deno.test("intersections are a mode of their own", () => {
  const reply = plan().read("query", { intersections: ["2B", "2C"], layer: "NONE" });
  assertEquals(reply, {
    ok: true,
    document_id: 2,
    geometry_revision: 1,
    handles: ["2B", "2C"],
    count: 2,
    intersections: [
      { point: [0, 0], parameter_first: 0, parameter_second: 0 },
      { point: [10, 6], parameter_first: 2, parameter_second: 1 },
    ],
  });
});

Deno.test("details show less or more, fields keep some, pages go on", () => {
  const desk = plan();
  const first = (parameters: JsonObject) => {
    const reply = desk.read("query", { handle: "2D", ...parameters });
    return objectOf(objectsOf(reply.entities)[0]);
  };
  assertEquals(first({ detail: "summary" }), { handle: "2D", type: "Circle", layer: "0" });
  assertEquals(Object.keys(first({})), ["handle", "type", "layer", "center", "radius"]);
  const full = first({ detail: "full" });
  assertEquals(full.bounds, { min: [4, 2, 0], max: [6, 4, 0] });
  assertEquals(objectOf(full.properties).center, { x: 5, y: 3, z: 0 });
  assertEquals(objectOf(objectOf(full.properties).common).handle, 0x2D);
  assertEquals(first({ fields: ["radius", "nothing"] }), { handle: "2D", radius: 1 });
  const page = desk.read("query", { offset: 4, limit: 1 });
  assertEquals([page.count, page.returned, page.next_offset], [6, 1, 5]);
});

Deno.test("a page has 1000 entries unless told, and 10,000 at most", () => {
  const desk = new Driver();
  desk.draw(...Array.from({ length: 10_001 }, () => ({ type: "Point", location: [0, 0] })));
  const pages = (parameters: JsonObject) => {
    const { count, returned, next_offset } = desk.read("query", { fields: [], ...parameters });
    return [count, returned, next_offset];
  };
  assertEquals(pages({}), [10_001, 1000, 1000]);
  assertEquals(pages({ limit: 50_000 }), [10_001, 10_000, 10_000]);
  assertEquals(pages({ limit: 50_000, offset: 10_000 }), [10_001, 1, null]);
});

Deno.test("bad queries fail without code and status", () => {
  const desk = plan();
  const wrong: readonly JsonObject[] = [
    { detail: "everything" },
    { handles: ["2B", "0x2b"] },
    { handles: [42] },
    { handle: "XYZ" },
    { bounds: [1, 0, 0, 1] },
    { bounds: [0, 1, 1, 0] },
    { bounds: [0, 0, 1] },
    { where: [{ path: "radius" }] },
    { where: [{ path: "/radius", op: "like" }] },
    { where: [{ path: "/radius", op: "in", value: 1 }] },
    { near: [1] },
    { contains_point: "here" },
    { intersections: ["2B"] },
    { intersections: ["2B", "30"] },
    { fields: "radius" },
  ];
  for (const parameters of wrong) {
    const reply = desk.read("query", parameters);
    assertEquals(Object.keys(reply), ["ok", "error"], JSON.stringify(parameters));
    assertEquals(reply.ok, false);
  }
});

Deno.test("measure gives length and area, and skips what is not there", () => {
  const desk = plan();
  const reply = desk.read("measure", { handles: ["2b", "2d", "2F", "FFFF", "?"] });
  const measured = objectsOf(reply.measurements);
  assertEquals(measured.map((m) => m.handle), ["2B", "2D", "2F"]);
  assertEquals(measured.map((m) => m.curve), [
    { bounded: true, closed: true, length: 32, area: 60 },
    { bounded: true, closed: true, length: 2 * Math.PI, area: Math.PI },
    null,
  ]);
  desk.done("select", { handles: ["2C"] });
  const [line] = objectsOf(desk.read("measure").measurements);
  assertAlmostEquals(Number(objectOf(line?.curve).length), Math.sqrt(136));
  assertEquals(line?.bounds, { min: [0, 0, 0], max: [10, 6, 0] });
});

Deno.test("select takes handles, then what fits type and layer together", () => {
  const desk = plan();
  const selection = (parameters: JsonObject) => {
    desk.done("select", parameters);
    return desk.read("state").selection;
  };
  assertEquals(selection({ handles: ["30", "2B"] }), ["30", "2B"]);
  assertEquals(selection({ layer: "0", type: "CIRCLE" }), ["2D"]);
  assertEquals(selection({ handles: ["30"], layer: "WALLS" }), ["30", "2B"]);
  assertEquals(selection({ window: [10, 6, 0, 0] }), ["2B", "2C", "2D", "2F"]);
  assertEquals(selection({ window: [4, 2.5, 6, 6.5] }), []);
  assertEquals(selection({ window: [3, 5.5, 6, 7], crossing: true }), ["2B"]);
  assertEquals(selection({ window: [3.5, 1.5, 6.5, 4.5], crossing: true }), ["2C", "2D", "2F"]);
  assertEquals(selection({ where: [{ path: "/radius", op: "exists" }], type: "Arc" }), ["2E"]);
  assertEquals(selection({ handles: ["2B"], clear: true }), []);
  assertEquals(desk.read("state").revision, 1, "selecting is no edit");
  assertEquals(desk.send("select", { handles: ["FFFF"] }).code, "entity_absent");
  assertEquals(desk.send("select", { handles: ["?"] }).code, "invalid_handle");
  assertEquals(desk.send("select", { window: [1, 2] }).code, "invalid_window");
  assertEquals(desk.send("select", { where: "x" }).code, "invalid_filter");
});

Deno.test("get_selection says what is selected", () => {
  const desk = plan();
  desk.done("select", { handles: ["2F", "30"] });
  const result = objectOf(desk.read("get_selection").result);
  assertEquals(result.count, 2);
  const [label, mark] = objectsOf(result.entities);
  assertEquals([label?.text, label?.value, label?.position, label?.block], [
    "Kitchen",
    "Kitchen",
    [1, 4, 0],
    null,
  ]);
  assertEquals([mark?.text, mark?.position], [null, null]);
});

Deno.test("entities, layers and header count and list", () => {
  const desk = plan();
  assertEquals(desk.read("entities"), {
    ok: true,
    total: 6,
    by_type: { Arc: 1, Circle: 1, Line: 1, Point: 1, Polyline: 1, Text: 1 },
  });
  assertEquals(desk.read("layers", { limit: 1 }), {
    ok: true,
    current: "0",
    count: 2,
    next_offset: 1,
    layers: [{ name: "0", off: false, frozen: false, locked: false, color: 7 }],
  });
  assertEquals(desk.read("header").current_text_style, "Standard");
});

Deno.test("the codes of formatted text are not part of its text", () => {
  const desk = new Driver();
  desk.draw({ type: "MText", value: "{\\fArial|b0;A\\P\\LB\\l} \\{C\\}", position: [0, 0] });
  const [entity] = objectsOf(desk.read("query").entities);
  assertEquals(entity?.text, "A\nB {C}");
});
