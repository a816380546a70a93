/** Tests of `ocs_execute`. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { InfrastructureError, ToolError } from "../../src/host/faults.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { phaseOf } from "../../src/tools/execute_tool.ts";
import { answer, bench, call, textJson } from "./fake_editor.ts";

const UNDO = { op: "undo", request_id: "u-1" };
const STATE = {
  session_id: "s1",
  document_id: 3,
  revision: 12,
  geometry_revision: 40,
  camera_revision: 7,
  selection: ["8A"],
  command: null,
  modal: null,
  event_cursor: 9,
  operation: null,
  documents: [],
  plugins: [],
};

function execute(request: JsonObject, more: JsonObject = {}): JsonObject {
  return { ocs_session_id: "s1", request, ...more };
}

Deno.test("a valid request reaches the session; the wait is 30 s unless given", async () => {
  const { face, editor } = bench();
  await answer(face, "ocs_execute", execute(UNDO));
  assertEquals(editor.the("s1").asked, [
    { how: "execute", request: UNDO, options: { kind: "mutation", waitMs: 30_000 } },
  ]);
});

Deno.test("waits are clamped: 60 s for changes, 600 s for picks", async () => {
  const { face, editor } = bench();
  const pick = { op: "getpoint", request_id: "p-1", prompt: "corner" };
  const batch = { op: "batch", request_id: "b-1", steps: [{ op: "getpoint" }] };
  for (const wait_seconds of [-3, 0.5, 61, 700]) {
    await answer(face, "ocs_execute", execute(UNDO, { wait_seconds }));
    await answer(face, "ocs_execute", execute(pick, { wait_seconds }));
    await answer(face, "ocs_execute", execute(batch, { wait_seconds }));
  }
  const waits = editor.the("s1").asked.map(({ options }) => options?.waitMs);
  assertEquals(waits, [0, 0, 0, 500, 500, 500, 60e3, 61e3, 61e3, 60e3, 600e3, 600e3]);
});

Deno.test("a batch goes to the batch runner", async () => {
  const { face, editor } = bench();
  const batch = { op: "batch", request_id: "b-1", steps: [{ op: "undo" }] };
  await answer(face, "ocs_execute", execute(batch));
  assertEquals(editor.the("s1").of("batch"), [batch]);
});

Deno.test("invalid requests and arguments never reach the editor", async () => {
  const { face, editor } = bench();
  const cases: readonly (readonly [JsonObject, string])[] = [
    [{ request: UNDO }, "Missing ocs_session_id for ocs_execute"],
    [{ ocs_session_id: "s1" }, "request"],
    [execute({ op: "teleport", request_id: "x" }), "Unknown op"],
    [execute({ op: "undo" }), "Missing request_id for undo. Example request: {"],
    [execute({ op: "open", request_id: "x" }), "Missing path for open. Example request: {"],
    [execute(UNDO, { wait_seconds: "long" }), "Invalid wait_seconds for ocs_execute"],
    [
      execute(UNDO, { response_detail: "huge" }),
      "Invalid response_detail for ocs_execute: expected one of compact, changed_entities, full",
    ],
    // What comes first is told first: the session id, the request, then what goes with it.
    [{ request: 5, wait_seconds: "long" }, "Missing ocs_session_id for ocs_execute"],
    [{ ocs_session_id: "s1", request: 5, wait_seconds: "long" }, "The request must be an object"],
    [execute({ op: "open" }, { wait_seconds: "long" }), "Missing request_id for open"],
  ];
  for (const [args, words] of cases) {
    const error = await assertRejects(() => face.callTool("ocs_execute", args, call()), ToolError);
    assertStringIncludes(error.message, words);
  }
  assertEquals(editor.touched, 0);
});

Deno.test("compact, the default, reduces the state to ten keys; full leaves it whole", async () => {
  const { face, editor } = bench();
  editor.the("s1").onExecute = () => ({ ok: true, status: "completed", state: STATE });
  const compact = textJson(await answer(face, "ocs_execute", execute(UNDO)));
  const { documents: _, plugins: __, ...kept } = STATE;
  assertEquals(compact.state, kept);
  const full = await answer(face, "ocs_execute", execute(UNDO, { response_detail: "full" }));
  assertEquals(textJson(full).state, STATE);
});

Deno.test("changed_entities queries each changed handle once", async () => {
  const { face, editor } = bench();
  const session = editor.the("s1");
  session.onExecute = () => ({
    ok: true,
    status: "completed",
    changes: [{ handle: "8A", kind: "Added" }, { handle: "8B" }, { handle: "8A" }],
    state: STATE,
  });
  session.onRead = () => ({ ok: true, entities: [{ handle: "8A" }, { handle: "8B" }] });
  const json = textJson(
    await answer(face, "ocs_execute", execute(UNDO, { response_detail: "changed_entities" })),
  );
  assertEquals(session.of("read"), [
    { op: "query", handles: ["8A", "8B"], detail: "geometry", limit: 6400 },
  ]);
  assertEquals(json.changed_entities, [{ handle: "8A" }, { handle: "8B" }]);
});

Deno.test("a success stays one when the changed entities cannot be read", async () => {
  const { face, editor } = bench();
  const session = editor.the("s1");
  session.onExecute = () => ({ ok: true, status: "completed", changes: [{ handle: "8A" }] });
  const silent = new InfrastructureError("The editor is silent");
  for (const error of [silent, new ToolError("Request is too large")]) {
    session.onRead = () => Promise.reject(error);
    const result = await answer(
      face,
      "ocs_execute",
      execute(UNDO, { response_detail: "changed_entities" }),
    );
    assertEquals(result.isError, undefined);
    assertEquals(textJson(result).warnings, [
      `changed_entities could not be read: ${error.message}`,
    ]);
  }
});

Deno.test("changes that the editor could not name are said to be unknown", async () => {
  const { face, editor } = bench();
  editor.the("s1").onExecute = () => ({ ok: true, status: "completed", changes: null });
  const json = textJson(
    await answer(face, "ocs_execute", execute(UNDO, { response_detail: "changed_entities" })),
  );
  assertEquals(json.changed_entities, []);
  assertEquals(json.warnings, [
    "the editor did not say which entities changed; query what you need",
  ]);
});

Deno.test("a failure is text only and says what to do next about its code", async () => {
  const { face, editor } = bench();
  editor.the("s1").onExecute = () => ({
    ok: false,
    status: "failed",
    code: "stale_state",
    error: "The document changed",
    state: STATE,
  });
  const result = await answer(face, "ocs_execute", execute(UNDO));
  assertEquals(result.isError, true);
  assertEquals(result.structuredContent, undefined);
  const json = textJson(result);
  assertEquals(typeof json.next, "string");
  assertEquals(json.code, "stale_state");
});

Deno.test("warnings of the validator and about arguments ride on the result", async () => {
  const { face } = bench();
  const json = textJson(
    await answer(face, "ocs_execute", execute({ ...UNDO, colour: 3 }, { hurry: true })),
  );
  assertEquals(json.warnings, [
    "unknown argument 'hurry' ignored for tool 'ocs_execute'",
    "unknown parameter 'colour' ignored for op 'undo'",
  ]);
});

Deno.test("an answer of running says how to go on, and a late cancel finds its operation", async () => {
  const { face, editor } = bench();
  const session = editor.the("s1");
  session.onExecute = () => ({ ok: true, status: "running", request_id: "u-1" });
  const result = await answer(face, "ocs_execute", execute(UNDO), call({ id: 7 }));
  assertEquals(result.isError, undefined);
  assertStringIncludes(String(textJson(result).next), '{"request_id": "u-1"}');
  face.cancelAnswered("7");
  assertEquals(session.of("dismiss"), []);
  face.cancelAnswered(7);
  assertEquals(session.of("dismiss"), [{ request_id: "u-1" }]);
  face.cancelAnswered(7);
  assertEquals(session.of("dismiss").length, 1);
});

Deno.test("a late cancel finds nothing once the operation was seen settled", async () => {
  const { face, editor } = bench();
  const session = editor.the("s1");
  session.onExecute = () => ({ ok: true, status: "running", request_id: "u-1" });
  session.onPoll = () => ({ ok: true, status: "completed", request_id: "u-1" });
  await answer(face, "ocs_execute", execute(UNDO), call({ id: 7 }));
  const parameters = { request_id: "u-1" };
  const poll = { ocs_session_id: "s1", op: "operation", parameters };
  await answer(face, "ocs_read", poll, call({ id: 8 }));
  face.cancelAnswered(7);
  assertEquals(session.of("dismiss"), []);
});

Deno.test("a late cancel finds nothing once the same request was answered as settled", async () => {
  const { face, editor } = bench();
  const session = editor.the("s1");
  session.onExecute = () => ({ ok: true, status: "running", request_id: "u-1" });
  await answer(face, "ocs_execute", execute(UNDO), call({ id: 7 }));
  session.onExecute = () => ({ ok: true, status: "completed", request_id: "u-1" });
  await answer(face, "ocs_execute", execute(UNDO), call({ id: 8 }));
  face.cancelAnswered(7);
  assertEquals(session.of("dismiss"), []);
});

Deno.test("a new request with an old id takes the id over from what that one left behind", async () => {
  const { face, editor } = bench();
  const session = editor.the("s1");
  session.onExecute = () => ({ ok: true, status: "running", request_id: "u-1" });
  await answer(face, "ocs_execute", execute(UNDO), call({ id: 7 }));
  await answer(face, "ocs_read", { ocs_session_id: "s1" }, call({ id: 7 }));
  face.cancelAnswered(7);
  assertEquals(session.of("dismiss"), []);
});

Deno.test("a cancel in flight rejects with the signal's reason", async () => {
  const { face, editor } = bench();
  const stop = new AbortController();
  const reached = Promise.withResolvers<void>();
  editor.the("s1").onExecute = (_, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      reached.resolve();
    });
  const going = face.callTool("ocs_execute", execute(UNDO), call({ signal: stop.signal }));
  await reached.promise;
  const reason = new DOMException("cancelled", "AbortError");
  stop.abort(reason);
  assertEquals(await going.catch((error: unknown) => error), reason);
});

Deno.test("in read-only mode the tool is not listed and says why it refuses", async () => {
  const { face, editor } = bench({ policy: { readOnly: true, workspaces: [] } });
  assertEquals(face.tools.map(({ name }) => name), ["ocs_sessions", "ocs_read", "ocs_capture"]);
  const error = await assertRejects(
    () => face.callTool("ocs_execute", execute(UNDO), call()),
    ToolError,
  );
  assertEquals(
    error.message,
    "This bridge runs read-only: ocs_execute is switched off. Use ocs_read and ocs_capture, or " +
      "ask the person to start the bridge without --read-only.",
  );
  assertEquals(editor.touched, 0);
});

Deno.test("denied ops are refused, in batches too, and are not in the schema", async () => {
  const policy = { readOnly: false, workspaces: [], denyOps: ["undo"] };
  const { face, editor } = bench({ policy });
  const batch = { op: "batch", request_id: "b", steps: [{ op: "redo" }, { op: "undo" }] };
  for (const request of [UNDO, batch]) {
    const error = await assertRejects(
      () => face.callTool("ocs_execute", execute(request), call()),
      ToolError,
    );
    assertStringIncludes(error.message, "--deny-ops");
  }
  assertEquals(editor.touched, 0);
  const schema = face.tools.find(({ name }) => name === "ocs_execute")?.inputSchema;
  assertEquals(JSON.stringify(schema).includes('"const":"undo"'), false);
  assertEquals(JSON.stringify(schema).includes('"const":"redo"'), true);
});

Deno.test("paths outside of the workspace are refused before connecting", async () => {
  const workspace = await Deno.makeTempDir();
  try {
    const { face, editor } = bench({ policy: { readOnly: false, workspaces: [workspace] } });
    const outside = execute({ op: "save", request_id: "s", path: "/elsewhere/plan.dxf" });
    const error = await assertRejects(
      () => face.callTool("ocs_execute", outside, call()),
      ToolError,
    );
    assertStringIncludes(error.message, `Allowed places: ${workspace}.`);
    assertEquals(editor.touched, 0);
    const inside = execute({ op: "save", request_id: "s", path: `${workspace}/plan.dxf` });
    await answer(face, "ocs_execute", inside);
    assertEquals(editor.the("s1").of("execute").length, 1);
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
});

Deno.test("phases say what is being waited for", async () => {
  assertEquals(
    phaseOf({ op: "getpoint", prompt: "first corner" }),
    "waiting for the person to pick: first corner",
  );
  assertEquals(phaseOf({ op: "user_select" }), "waiting for the person to pick");
  assertEquals(phaseOf({ op: "save_verified" }), "saving");
  assertEquals(phaseOf({ op: "batch", steps: [{}, {}] }), "running a batch of 2 steps");
  const { face } = bench();
  const context = call();
  await answer(face, "ocs_execute", execute(UNDO), context);
  assertEquals(context.phases, ["running undo"]);
});
