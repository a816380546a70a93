import { assert, assertEquals } from "@std/assert";
import type { Json, JsonObject } from "../../src/host/json.ts";
import { ACTION_NAMES } from "../../src/ops/actions.ts";
import type { OpSpec, Param, ReadSpec } from "../../src/ops/spec.ts";
import { EXECUTE_ENVELOPE, EXECUTE_OPS, executeOp, READ_OPS, readOp } from "../../src/ops/table.ts";
import { list, object, readFacts, words } from "./support/facts.ts";

const ops = readFacts("ops.json");
const reads = readFacts("op_facts_reads.json");
const editor = readFacts("op_facts_editor.json");

Deno.test("The table and ops.json hold the same execute ops, rows equal in every fact", () => {
  const ours = Object.fromEntries(EXECUTE_OPS.map((row) => [row.op, opFacts(row)]));
  const theirs = Object.fromEntries(
    list(ops.execute_ops).map(object).map((row) => [String(row.op), publishedFacts(row)]),
  );
  assertEquals(Object.keys(ours).toSorted(), Object.keys(theirs).toSorted());
  for (const [op, facts] of Object.entries(theirs)) assertEquals(ours[op], facts, op);
});

Deno.test("No op and no parameter of one op stands in the table twice", () => {
  for (const rows of [EXECUTE_OPS, READ_OPS]) {
    assertEquals(new Set(rows.map((row) => row.op)).size, rows.length);
  }
  for (const row of [...EXECUTE_OPS, ...READ_OPS]) {
    assertEquals(new Set(row.params.map((param) => param.name)).size, row.params.length, row.op);
  }
});

Deno.test("The reads are those of ops.json in its order", () => {
  assertEquals(READ_OPS.map((row) => row.op), words(ops.read_ops));
});

Deno.test("The envelope is that of ops.json; steps belongs to batch", () => {
  const ours = ["op", "request_id", ...EXECUTE_ENVELOPE.map((param) => param.name), "steps"];
  assertEquals(ours, words(ops.envelope));
});

Deno.test("The parameters of every read are those of section 4, with defaults and caps", () => {
  const ours = Object.fromEntries(READ_OPS.map((row) => [row.op, readFactsOf(row)]));
  assertEquals(ours, object(reads.reads));
  const ruled = READ_OPS.filter((row) => row.rules !== undefined);
  assertEquals(
    Object.fromEntries(ruled.map((row) => [
      row.op,
      row.rules?.flatMap((rule) => "any_of" in rule ? rule.any_of : ["?"]),
    ])),
    reads.any_of,
  );
});

Deno.test("where of query and records takes path, one of the twelve ops, and any value", () => {
  for (const op of ["query", "records"]) {
    const where = readOp(op)?.params.find((param) => param.name === "where");
    assertEquals(where?.item?.map((param) => [param.name, param.type, param.required ?? false]), [
      ["path", "string", true],
      ["op", "enum_ci", false],
      ["value", "any", false],
    ]);
    assertEquals(where?.item?.[1]?.values, words(reads.where_ops));
  }
});

Deno.test("The action names are the 39 of section 8.1", () => {
  assertEquals(ACTION_NAMES.length, 39);
  assertEquals(ACTION_NAMES.toSorted(), words(editor.actions).toSorted());
});

Deno.test("Picks, completed points, paths and keys beyond the table are as the facts say", () => {
  assertEquals(namesOf((row) => row.kind === "pick"), words(editor.picks));
  assertEquals(
    namesOf((row) => row.params.some((param) => param.complete_z)),
    words(editor.completed_points),
  );
  const beyond = EXECUTE_OPS
    .map((row) => [row.op, row.params.filter((param) => param.beyond_table)] as const)
    .filter(([, params]) => params.length > 0);
  assertEquals(
    Object.fromEntries(beyond.map(([op, params]) => [op, params.map((param) => param.name)])),
    editor.beyond_table,
  );
  const paths = EXECUTE_OPS.flatMap((row) =>
    row.params.filter((param) => param.path).map((param) =>
      [`${row.op}.${param.name}`, param.path] as const
    )
  );
  assertEquals(Object.fromEntries(paths), editor.paths);
});

Deno.test("Every row has a sentence, and its example names the op first", () => {
  for (const row of EXECUTE_OPS) {
    assert(/^[A-Z].*\.$/.test(row.text), row.op);
    assertEquals(Object.keys(row.example)[0], "op");
    assertEquals(row.example.op, row.op);
  }
  for (const row of READ_OPS) assert(/^[A-Z].*\.$/.test(row.text), row.op);
});

Deno.test("Rows are found by name, and names of object members find nothing", () => {
  assertEquals(executeOp("run")?.op, "run");
  assertEquals(readOp("query")?.op, "query");
  for (const name of ["constructor", "__proto__", "toString", "query"]) {
    assertEquals(executeOp(name), undefined);
  }
});

function namesOf(pick: (row: OpSpec) => boolean): readonly string[] {
  return EXECUTE_OPS.filter(pick).map((row) => row.op);
}

/** A row of ours, reduced to what ops.json holds. */
function opFacts(row: OpSpec): Json {
  return {
    batchable: row.batchable,
    params: row.params.filter((param) => !param.beyond_table).map((param) =>
      paramFacts(row, param)
    ),
    rules: (row.rules ?? []).map((rule) => ({ ...rule })),
    example: row.example,
  };
}

function paramFacts(row: OpSpec, param: Param): JsonObject {
  const notEmpty = object(editor.not_empty)[row.op] === param.name;
  assert(!notEmpty || param.min === 1, `${row.op}.${param.name} should not be empty`);
  // What ops.json calls an integer is an unsigned one in gui-protocol.md where it is an id.
  const uint = param.type === "integer";
  const item = param.item?.map((inner) =>
    [inner.name, `${inner.type}${inner.required ? ", required" : ""}`] as const
  );
  return kept({
    name: param.name,
    type: param.type,
    required: param.required,
    values: param.values,
    default: param.default,
    unit: param.unit === "degrees, counter-clockwise" || param.unit === "mm"
      ? param.unit
      : undefined,
    min: notEmpty || uint ? undefined : param.min,
    max: param.max,
    array_of: param.array_of,
    item: item && Object.fromEntries(item),
  });
}

function publishedFacts(row: JsonObject): Json {
  return {
    batchable: row.batchable,
    params: list(row.params).map(object).map(({ note: _note, ...facts }) => facts),
    rules: row.rules ?? [],
    example: row.example,
  };
}

/** A read of ours in the words of the facts. */
function readFactsOf(row: ReadSpec): Json {
  return Object.fromEntries(row.params.map((param) => [
    param.required ? `${param.name}*` : param.name,
    trimmed([readType(param), param.default, param.cap]),
  ]));
}

function readType(param: Param): string {
  if (param.name === "where") return "where";
  if (param.values !== undefined) return param.values.join("|");
  if (param.type === "integer") return param.min === 0 ? "uint" : "integer";
  if (param.type === "handles") return "handle list, not empty";
  if (param.item !== undefined) {
    return param.item.map((inner) => inner.name).join() === "find,replace" ? "pairs" : "?";
  }
  if (param.type !== "array") return param.type;
  return param.min === 2 && param.max === 2 ? `${param.array_of} pair` : `${param.array_of} list`;
}

function trimmed(values: readonly (Json | undefined)[]): readonly Json[] {
  return values.filter((value) => value !== undefined);
}

function kept(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}
