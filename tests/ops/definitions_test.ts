import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Json, JsonObject } from "../../src/host/json.ts";
import { DEFINITION_LINES } from "../../src/ops/definitions.ts";
import { object, readFacts } from "./support/facts.ts";
import { accepted, ask, refusal } from "./support/verdicts.ts";

const definitions = Object.entries(object(readFacts("op_facts_editor.json").definitions))
  .map(([type, fields]) => [type, object(fields)] as const);

const create = (...entities: readonly Json[]) => ask("entities_create", { entities });

Deno.test("Every type with just what it needs is accepted, in any case of its name", () => {
  for (const [type, fields] of definitions) {
    for (const name of [type, type.toLowerCase(), type.toUpperCase()]) {
      const request = create({ type: name, ...fields, layer: "WALLS", color: 3 });
      assertEquals(accepted(request), { request, warnings: [] }, name);
    }
  }
});

Deno.test("A field that a type cannot do without is asked for, with its place in the list", () => {
  for (const [type, fields] of definitions) {
    for (const name of Object.keys(fields)) {
      for (const lacking of [{ ...fields, [name]: undefined }, { ...fields, [name]: null }]) {
        assertStringIncludes(
          refusal(create({ type: "Point", location: [0, 0] }, { type, ...lacking })),
          `Missing entities[1].${name} for entities_create. Example request: {`,
        );
      }
    }
  }
});

Deno.test("A value that the editor is sure to refuse is refused before it hears of it", () => {
  const bad: [JsonObject, string][] = [
    [{ type: "Line", start: [0], end: [1, 1] }, "start"],
    [{ type: "Line", start: [0, 0], end: "1,1" }, "end"],
    [{ type: "Circle", center: [0, 0], radius: -1 }, "radius"],
    [{ type: "Circle", center: [0, 0], radius: "2" }, "radius"],
    [{ type: "Arc", center: [0, 0], radius: 0 }, "radius"],
    [{ type: "LwPolyline", vertices: [[0, 0]] }, "vertices"],
    [{ type: "Polyline", vertices: [[0, 0], [1]] }, "vertices"],
    [{ type: "Text", value: 5, position: [0, 0] }, "value"],
    [{ type: "Insert", block: {}, position: [0, 0] }, "block"],
    [{ type: "Solid", corners: [[0, 0], [1, 1]] }, "corners"],
    [{ type: "Hatch", boundary: [[0, 0], [1, 0]] }, "boundary"],
  ];
  for (const [definition, field] of bad) {
    assertStringIncludes(
      refusal(create(definition)),
      `Parameter 'entities[0].${field}' of entities_create must be `,
    );
  }
});

Deno.test("What the editor may accept passes: unknown types, odd optional values, odd corners", () => {
  const passing: JsonObject[] = [
    { type: "Ellipse", center: "anything", major_axis: null },
    { type: "Solid", corners: [[0, 0], "x", [1, 1], null] },
    { type: "Insert", block: "D", position: [0, 0], scale: "big" },
    { type: "Circle", center: [0, 0], radius: 1, color: "red" },
    { type: "LwPolyline", vertices: [[0, 0, 0.5], [1, 1, 0.5]] },
    { type: "Arc", center: [0, 0], radius: 1, start_angle_deg: "x" },
  ];
  for (const definition of passing) {
    const request = create(definition);
    assertEquals(accepted(request).request, request);
  }
});

Deno.test("Null in a known field counts as absent; unknown fields of known types are warned about", () => {
  assertEquals(
    accepted(create(
      { type: "Circle", center: [0, 0], radius: 1, layer: null, bulge: 1 },
      { type: "Circle", center: [0, 0], radius: 1, bulge: null },
    )),
    {
      request: create(
        { type: "Circle", center: [0, 0], radius: 1, bulge: 1 },
        { type: "Circle", center: [0, 0], radius: 1, bulge: null },
      ),
      warnings: ["unknown parameter 'entities[].bulge' ignored for op 'entities_create'"],
    },
  );
});

Deno.test("The lines for schema and docs star exactly what is needed", () => {
  const starred = new Map(DEFINITION_LINES.map((line) => {
    const [type = "", ...words] = line.split(" ");
    return [type, words.filter((word) => word.includes("*")).map((word) => word.split("*")[0])];
  }));
  for (const [type, fields] of definitions) {
    if (type !== "Polyline") assertEquals(starred.get(type), Object.keys(fields), type);
  }
});
