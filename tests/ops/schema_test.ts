import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Json, JsonObject } from "../../src/host/json.ts";
import { isJsonObject } from "../../src/host/json.ts";
import {
  executeArgumentsSchema,
  readArgumentsSchema,
  requestSchema,
  sharedShapes,
} from "../../src/ops/schema.ts";
import type { OpPolicy } from "../../src/ops/spec.ts";
import { EXECUTE_OPS, READ_OPS } from "../../src/ops/table.ts";
import { list, object, words } from "./support/facts.ts";

const styles = ["full", "flat"] as const;
const ajv = new AjvJsonSchemaValidator();

/** What a client that validates thinks of arguments, by the schema's own text. */
function validator(schema: JsonObject): (value: Json) => boolean {
  const check = ajv.getValidator(JSON.parse(JSON.stringify(schema)));
  return (value) => check(value).valid;
}

const call = (request: Json) => ({ ocs_session_id: "s", request });

Deno.test("Every example matches the advertised schema, in both styles", () => {
  for (const style of styles) {
    const passes = validator(executeArgumentsSchema(style, {}));
    for (const row of EXECUTE_OPS) {
      assert(passes(call({ request_id: "r", ...row.example })), `${style} ${row.op}`);
    }
    const reads = validator(readArgumentsSchema(style));
    for (const row of READ_OPS) {
      const args = { ocs_session_id: "s", op: row.op, parameters: row.example };
      assert(reads(args), row.op);
    }
  }
});

Deno.test("An example without one of its required parameters does not match the full schema", () => {
  const passes = validator(executeArgumentsSchema("full", {}));
  for (const row of EXECUTE_OPS) {
    for (const param of row.params.filter((each) => each.required)) {
      const { [param.name]: _gone, ...rest } = row.example;
      assert(!passes(call({ request_id: "r", ...rest })), `${row.op} ${param.name}`);
    }
  }
});

Deno.test("What no request may look like does not match", () => {
  for (const style of styles) {
    const passes = validator(executeArgumentsSchema(style, {}));
    for (
      const request of [
        { op: "undo" },
        { op: "query", request_id: "r" },
        { op: "undo", request_id: "" },
        { op: "undo", request_id: "r", revision: -1 },
        { op: "click", request_id: "r", point: [1] },
        { op: "entities_delete", request_id: "r", handles: ["G"] },
        { op: "entities_delete", request_id: "r", handles: [] },
        { op: "batch", request_id: "r", steps: [] },
        "undo",
      ]
    ) assert(!passes(call(request)), `${style} ${JSON.stringify(request)}`);
    assert(!passes({ request: { op: "undo", request_id: "r" } }));
  }
});

Deno.test("The full schema has one variant per op, and shared shapes stand once", () => {
  const request = object(requestSchema("full", {}));
  assertEquals(
    list(request.anyOf).map((variant) => object(object(object(variant).properties).op).const),
    EXECUTE_OPS.map((row) => row.op),
  );
  assertEquals(request.required, ["op", "request_id"]);
  const shapes = Object.keys(object(sharedShapes("full", {})));
  for (const shape of ["point", "window", "handle", "batch_step"]) assert(shapes.includes(shape));
  const text = JSON.stringify(executeArgumentsSchema("full", {}));
  assertEquals(text.split('"pattern":"^(0[xX])?[0-9A-Fa-f]+$"').length - 1, 1);
  for (const [, used] of text.matchAll(/#\/\$defs\/(\w+)/g)) assert(shapes.includes(String(used)));
});

Deno.test("The flat schemas have no $ref, no $defs, no unions; the ops are in the description", () => {
  const text = JSON.stringify(executeArgumentsSchema("flat", {}));
  for (const schema of [text, JSON.stringify(readArgumentsSchema("flat"))]) {
    for (const word of ["$ref", "$defs", "anyOf", "oneOf", "allOf", "const"]) {
      assert(!schema.includes(`"${word}":`), word);
    }
  }
  const request = object(requestSchema("flat", {}));
  for (const row of EXECUTE_OPS) {
    assertStringIncludes(String(request.description), `\n${row.op}: ${row.text}`);
    for (const param of row.params) assert(param.name in object(request.properties), param.name);
  }
});

Deno.test("Every schema in them has a type, every array items, no enum is empty", () => {
  const policies: OpPolicy[] = [{}, { allow: new Set() }, { deny: new Set(["run"]) }];
  for (const policy of policies) {
    for (const style of styles) {
      walk(executeArgumentsSchema(style, policy), "request");
      walk(readArgumentsSchema(style), "read");
    }
  }
});

Deno.test("The schema lists only what the policy allows, also as batch steps", () => {
  const policy = { allow: new Set(["run", "undo", "batch"]), deny: new Set(["undo"]) };
  for (const style of styles) {
    const request = object(requestSchema(style, policy));
    assertEquals(words(object(object(request.properties).op).enum), ["run", "batch"]);
  }
  assertEquals(list(object(requestSchema("full", policy)).anyOf).length, 2);
  const step = object(object(sharedShapes("full", policy)).batch_step);
  assertEquals(words(object(object(step.properties).op).enum), ["run"]);
  assert(!JSON.stringify(executeArgumentsSchema("flat", policy)).includes("\\nundo:"));
});

Deno.test("Every read parameter is described with the reads that take it", () => {
  const parameters = object(object(readArgumentsSchema().properties).parameters);
  const properties = object(parameters.properties);
  for (const row of READ_OPS) {
    for (const param of row.params) {
      const { description } = object(properties[param.name]);
      assert(new RegExp(`[[ ]${row.op}[\\],]`).test(String(description)), param.name);
    }
  }
  assertEquals(
    object(properties.limit).description,
    "[query, records, record_schema, layers, text_audit] at most 10000 have effect; default 1000 " +
      "[commands] at most 1000 have effect; default 200 [text_search] at most 5000 have effect; default 500",
  );
});

Deno.test("The schemas are small: below 28 KiB for execute, below 10 KiB for read", () => {
  for (const style of styles) {
    const size = (schema: JsonObject) => new TextEncoder().encode(JSON.stringify(schema)).length;
    assert(size(executeArgumentsSchema(style, {})) < 28 * 1024);
    assert(size(readArgumentsSchema(style)) < 10 * 1024);
  }
});

/** Fails on a schema that a picky client would refuse. */
function walk(schema: JsonObject, at: string): void {
  if (schema.$ref !== undefined) return;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  assert(types.every((type) => typeof type === "string"), `${at} has no type`);
  if (types.includes("array")) assert(isJsonObject(schema.items), `${at} has no items`);
  if (schema.enum !== undefined) assert(words(schema.enum).length > 0, `${at} has an empty enum`);
  // The empty schema after a list of types stands for any value.
  if (isJsonObject(schema.items) && Object.keys(schema.items).length > 0) {
    walk(schema.items, `${at}[]`);
  }
  for (const group of [schema.properties, schema.$defs]) {
    if (group === undefined) continue;
    for (const [name, inner] of Object.entries(object(group))) walk(object(inner), `${at}.${name}`);
  }
  if (Array.isArray(schema.anyOf)) {
    for (const [index, inner] of schema.anyOf.entries()) walk(object(inner), `${at}|${index}`);
  }
}
