/** Tests of `ocs_read`. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { InfrastructureError, ToolError } from "../../src/host/faults.ts";
import { answer, bench, call, IDENTITY, textJson } from "./fake_editor.ts";

Deno.test("a read goes out with what the caller sent and nothing more", async () => {
  const { face, editor } = bench();
  const parameters = { type: "Line", limit: 5, document_id: null };
  await answer(face, "ocs_read", { ocs_session_id: "s1", op: "query", parameters });
  assertEquals(editor.the("s1").of("read"), [{ op: "query", type: "Line", limit: 5 }]);
});

Deno.test("without op the state is read", async () => {
  const { face, editor } = bench();
  await answer(face, "ocs_read", { ocs_session_id: "s1", parameters: null });
  assertEquals(editor.the("s1").of("read"), [{ op: "state" }]);
});

Deno.test("what is no read is refused before connecting and points to ocs_execute", async () => {
  const { face, editor } = bench();
  const error = await assertRejects(
    () => face.callTool("ocs_read", { ocs_session_id: "s1", op: "save" }, call()),
    ToolError,
  );
  assertStringIncludes(error.message, "ocs_execute");
  assertEquals(editor.touched, 0);
});

Deno.test("the session id comes first and must be a non-empty string", async () => {
  const { face, editor } = bench();
  const missing = await assertRejects(
    () => face.callTool("ocs_read", { op: "nonsense" }, call()),
    ToolError,
  );
  assertEquals(
    missing.message,
    "Missing ocs_session_id for ocs_read: the session_id of an entry of ocs_sessions, a non-empty string.",
  );
  const empty = await assertRejects(
    () => face.callTool("ocs_read", { ocs_session_id: "" }, call()),
    ToolError,
  );
  assertEquals(
    empty.message,
    "Invalid ocs_session_id for ocs_read: expected the session_id of an entry of ocs_sessions, a non-empty string, " +
      'got "".',
  );
  assertEquals(editor.touched, 0);
});

Deno.test("tools is answered by the bridge itself", async () => {
  const { face, editor } = bench();
  const result = await answer(face, "ocs_read", { ocs_session_id: "gone", op: "tools" });
  const json = textJson(result);
  assertEquals(json.ok, true);
  assertEquals(json.status, "completed");
  assertEquals(json.tools, JSON.parse(JSON.stringify(face.tools)));
  assertEquals(json.instructions, face.instructions);
  assertEquals(editor.touched, 0);
});

Deno.test("capture is answered with use_capture_tool and what to do next", async () => {
  const { face, editor } = bench();
  const result = await answer(face, "ocs_read", { ocs_session_id: "s1", op: "capture" });
  assertEquals(result.isError, true);
  assertEquals(result.structuredContent, undefined);
  const json = textJson(result);
  assertEquals([json.ok, json.status, json.code], [false, "failed", "use_capture_tool"]);
  assertEquals(editor.touched, 0);
});

Deno.test("hello and capabilities carry bridge, other reads do not", async () => {
  const { face } = bench();
  for (const op of ["hello", "capabilities"]) {
    const json = textJson(await answer(face, "ocs_read", { ocs_session_id: "s1", op }));
    assertEquals(json.bridge, { ...IDENTITY });
  }
  const state = textJson(await answer(face, "ocs_read", { ocs_session_id: "s1", op: "layers" }));
  assertEquals("bridge" in state, false);
});

Deno.test("a failed read is an error with text only, and known codes say what to do", async () => {
  const { face, editor } = bench();
  editor.the("s1").onRead = () => ({
    ok: false,
    status: "failed",
    code: "unknown_collection",
    error: "No such collection",
  });
  const result = await answer(face, "ocs_read", {
    ocs_session_id: "s1",
    op: "records",
    parameters: { collection: "shoes" },
  });
  assertEquals(result.isError, true);
  assertEquals(result.structuredContent, undefined);
  assertEquals(typeof textJson(result).next, "string");
});

Deno.test("unknown parameters and arguments are reported as warnings", async () => {
  const { face } = bench();
  const json = textJson(
    await answer(face, "ocs_read", {
      ocs_session_id: "s1",
      op: "entities",
      parameters: { color: 3 },
      depth: 2,
    }),
  );
  assertEquals(json.warnings, [
    "unknown argument 'depth' ignored for tool 'ocs_read'",
    "unknown parameter 'color' ignored for op 'entities'",
  ]);
});

Deno.test("operation is polled through the session, so that batches and dismissals count", async () => {
  const { face, editor } = bench();
  await answer(face, "ocs_read", {
    ocs_session_id: "s1",
    op: "operation",
    parameters: { request_id: "w-1" },
  });
  assertEquals(editor.the("s1").of("poll"), [{ request_id: "w-1" }]);
});

Deno.test("an unknown session is an infrastructure failure", async () => {
  const { face } = bench();
  await assertRejects(
    () => face.callTool("ocs_read", { ocs_session_id: "other" }, call()),
    InfrastructureError,
  );
});
