/** `entities_transform`: every action, its defaults and its refusals (gui-protocol.md 5.5). */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { Driver, objectsOf } from "./driver.ts";

/** A desk with one line from (1, 0) to (3, 0), and what a transformation of it answers. */
function transform(parameters: JsonObject) {
  const desk = new Driver();
  desk.draw({ type: "Line", start: [1, 0], end: [3, 0] });
  const result = desk.done("entities_transform", { handles: ["2A"], ...parameters });
  const ends = objectsOf(desk.read("query").entities).map(({ start, end }) => [start, end]);
  return { result, ends };
}

Deno.test("move is the default, and missing components are 0", () => {
  const { result, ends } = transform({ vector: [5] });
  assertEquals(result, { affected: 1, created: [] });
  assertEquals(ends, [[[6, 0, 0], [8, 0, 0]]]);
  assertEquals(transform({ action: "MOVE " }).ends, [[[1, 0, 0], [3, 0, 0]]]);
});

Deno.test("copy leaves the original and names the copy", () => {
  const { result, ends } = transform({ action: "copy", vector: [0, 2, 1] });
  assertEquals(result, { affected: 1, created: ["2B"] });
  assertEquals(ends, [[[1, 0, 0], [3, 0, 0]], [[1, 2, 1], [3, 2, 1]]]);
});

Deno.test("rotate turns counter-clockwise about the centre", () => {
  const { ends } = transform({ action: "Rotate", center: [1, 0], angle_deg: 90 });
  assertEquals(ends, [[[1, 0, 0], [1, 2, 0]]]);
});

Deno.test("scale multiplies the distances from the centre", () => {
  const { ends } = transform({ action: "scale", center: [1, 0], factor: 2.5 });
  assertEquals(ends, [[[1, 0, 0], [6, 0, 0]]]);
});

Deno.test("mirror reflects in the axis, or makes a reflected copy", () => {
  const axis = [[0, 0], [0, 9]];
  assertEquals(transform({ action: "mirror", axis }).ends, [[[-1, 0, 0], [-3, 0, 0]]]);
  const copied = transform({ action: "mirror", axis, copy: true });
  assertEquals(copied.result.created, ["2B"]);
  assertEquals(copied.ends.length, 2);
});

Deno.test("array keeps the original as its first cell", () => {
  const parameters = { action: "array", rows: 2, columns: 3, row_spacing: 10, column_spacing: 5 };
  const { result, ends } = transform(parameters);
  assertEquals(result, { affected: 1, created: ["2B", "2C", "2D", "2E", "2F"] });
  assertEquals(ends.map(([start]) => start), [
    [1, 0, 0],
    [6, 0, 0],
    [11, 0, 0],
    [1, 10, 0],
    [6, 10, 0],
    [11, 10, 0],
  ]);
  assertEquals(transform({ action: "array" }).result, { affected: 1, created: [] });
  assertEquals(transform({ action: "array", columns: 500 }).ends.length, 100);
});

Deno.test("bad transformations answer their code and change nothing", () => {
  const desk = new Driver();
  desk.draw({ type: "Line", start: [1, 0], end: [3, 0] });
  const code = (parameters: JsonObject) =>
    desk.send("entities_transform", { handles: ["2A"], ...parameters }).code;
  assertEquals(code({ handles: [] }), "handles_required");
  assertEquals(code({ handles: [42] }), "invalid_handle");
  assertEquals(code({ handles: ["2A", "FF"] }), "entity_absent");
  assertEquals(code({ action: "bend" }), "invalid_action");
  assertEquals(code({ action: "scale", factor: 0 }), "invalid_factor");
  assertEquals(code({ action: "scale" }), "invalid_factor");
  assertEquals(code({ action: "mirror" }), "invalid_axis");
  assertEquals(code({ action: "mirror", axis: [[1, 1], [1, 1]] }), "invalid_axis");
  assertEquals(desk.read("state").revision, 1);
});

Deno.test("an entity is not taken where no finite number leads, and stays where it was", () => {
  const desk = new Driver();
  desk.draw(
    { type: "Line", start: [9e307, 0], end: [1, 0] },
    { type: "Circle", center: [0, 0], radius: 2 },
  );
  const code = (parameters: JsonObject) =>
    desk.send("entities_transform", { handles: ["2A", "2B"], ...parameters }).code;
  assertEquals(code({ vector: [1e308, 0] }), "invalid_point");
  assertEquals(code({ action: "copy", vector: [1e308, 0] }), "invalid_point");
  assertEquals(code({ action: "rotate", center: [-1.7e308, -1.7e308] }), "invalid_point");
  assertEquals(code({ action: "scale", factor: 1e308 }), "invalid_factor");
  assertEquals(code({ action: "mirror", axis: [[0, 0], [1e-200, 0]] }), "invalid_axis");
  assertEquals(code({ action: "array", columns: 2, column_spacing: 1e308 }), "invalid_point");
  const [line] = objectsOf(desk.read("query").entities);
  assertEquals(line?.start, [9e307, 0, 0]);
  assertEquals(desk.read("state").revision, 1);
});
