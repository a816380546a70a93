import { assertEquals, assertStringIncludes } from "@std/assert";
import { READ_OPS } from "../../src/ops/table.ts";
import { acceptedRead, parsed, readRefusal } from "./support/verdicts.ts";
import { checkRead } from "../../src/ops/check.ts";

Deno.test("The example of every read is valid, without warnings, and forwarded as it stands", () => {
  for (const row of READ_OPS) {
    assertEquals(acceptedRead(row.op, row.example), { request: row.example, warnings: [] }, row.op);
  }
});

Deno.test("Without an op it is state, without parameters there are none", () => {
  for (const absent of [undefined, null]) {
    const checked = checkRead(absent, absent);
    assertEquals(checked.ok && [checked.op.op, checked.request], ["state", {}]);
  }
});

Deno.test("What is not a read is refused with the way to go", () => {
  assertEquals(
    readRefusal("undo", {}),
    'undo is not a read; use ocs_execute with request.op "undo".',
  );
  const unknown = readRefusal("erase", {});
  assertStringIncludes(unknown, 'Unknown read "erase". Reads are state, hello, query,');
  assertStringIncludes(unknown, "ocs_execute");
  assertStringIncludes(readRefusal(7, {}), "must be a string");
  assertStringIncludes(readRefusal("constructor", {}), "Unknown read");
});

Deno.test("Parameters must be an object, of the right types, and hold what is required", () => {
  assertStringIncludes(readRefusal("query", [1]), "The parameters of query must be an object.");
  assertEquals(
    readRefusal("operation", {}),
    'Missing request_id for operation. Example request: {"op":"operation","parameters":{"request_id":"w-17"}}',
  );
  assertStringIncludes(
    readRefusal("xdata_get", { handles: null }),
    "Missing handles for xdata_get",
  );
  assertStringIncludes(readRefusal("text_search", {}), "Missing find or search for text_search.");
  assertStringIncludes(readRefusal("snap", {}), "Missing point for snap.");
  assertEquals(
    readRefusal("query", { limit: -1 }),
    "Parameter 'limit' of query must be an integer, at least 0, but it is -1.",
  );
  assertStringIncludes(
    readRefusal("query", { intersections: ["4C"] }),
    "an array of exactly 2 handles",
  );
  assertStringIncludes(
    readRefusal("query", { where: [{ path: "/x", op: "like" }] }),
    "Parameter 'where[0].op' of query must be one of eq,",
  );
  assertStringIncludes(readRefusal("query", { where: [{}] }), "Missing where[0].path for query.");
  assertStringIncludes(readRefusal("text_audit", { types: "Text" }), "'types' of text_audit");
});

Deno.test("A limit above the cap passes: the editor cuts it down", () => {
  assertEquals(acceptedRead("query", { limit: 50000 }).request, { limit: 50000 });
});

Deno.test("Unknown parameters are forwarded with a warning, preconditions are known", () => {
  const parameters = {
    document_id: 3,
    revision: 1,
    geometry_revision: 1,
    camera_revision: 1,
    x: 2,
  };
  assertEquals(acceptedRead("layers", parameters), {
    request: parameters,
    warnings: ["unknown parameter 'x' ignored for op 'layers'"],
  });
  assertStringIncludes(readRefusal("layers", { document_id: "3" }), "'document_id' of layers");
});

Deno.test("Null counts as absent, but null to compare with stays", () => {
  const where = [{ path: "/common/color_name", op: "eq", value: null }];
  assertEquals(acceptedRead("query", { layer: null, where }).request, { where });
});

Deno.test("Another op cannot slip in through the parameters", () => {
  assertStringIncludes(readRefusal("state", { op: "stop" }), "must not name another op");
  assertStringIncludes(readRefusal("state", { op: 5 }), "must not name another op");
  assertEquals(acceptedRead("query", { op: "query", layer: "0" }), {
    request: { layer: "0" },
    warnings: [],
  });
});

Deno.test("What cannot arrive as sent is refused", () => {
  assertStringIncludes(
    readRefusal("query", parsed('{"where":[{"path":"/x","value":[1e999]}]}')),
    "Parameter 'where[0].value[0]' of query must be a finite number",
  );
});
