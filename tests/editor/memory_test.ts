import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { SessionMemory, withDefaults } from "../../src/editor/memory.ts";
import { ordinaryState } from "../support/protocol_server.ts";

const state = ordinaryState("s1");

Deno.test("a mutation gets request id, client id, document and revision of the last state", () => {
  const wire = withDefaults({ op: "entities_delete", handles: ["8A"] }, state, "c".repeat(32));
  assertMatch(String(wire.request_id), /^[0-9a-f]{32}$/);
  assertEquals({ ...wire, request_id: "any" }, {
    op: "entities_delete",
    handles: ["8A"],
    request_id: "any",
    client_id: "c".repeat(32),
    document_id: 3,
    revision: 12,
  });
});

Deno.test("what the caller sent is kept, and null counts as not sent", () => {
  const own = { request_id: "r", client_id: "me", document_id: 0, revision: 0, selection: [] };
  assertEquals(withDefaults({ op: "undo", ...own }, state, "c"), { op: "undo", ...own });
  const wire = withDefaults(
    { op: "undo", request_id: "r", client_id: null, document_id: null, selection: null },
    state,
    "c",
  );
  assertEquals(wire, {
    op: "undo",
    request_id: "r",
    client_id: "c",
    document_id: 3,
    revision: 12,
    selection: ["8A"],
  });
});

Deno.test("the selection goes with exactly the ops that act on it", () => {
  const ops = ["input", "property", "run", "action", "save", "save_verified", "undo", "redo"];
  for (const op of ops) assertEquals(withDefaults({ op }, state, "c").selection, ["8A"], op);
  for (const op of ["select", "entities_create", "close", "user_select", "cancel", "new"]) {
    assert(!("selection" in withDefaults({ op }, state, "c")), op);
  }
});

Deno.test("entities_copy_to gets its target as document_id, and none when it names none", () => {
  const to = (more: object) => withDefaults({ op: "entities_copy_to", ...more }, state, "c");
  assertEquals(to({ target_document_id: 9 }).document_id, 9);
  assertEquals(to({ document_id: 8 }).document_id, 8);
  assertEquals(to({ document_id: 8, target_document_id: 9 }).document_id, 8);
  assert(!("document_id" in to({})));
});

Deno.test("a capture gets request id and document id only", () => {
  const wire = withDefaults({ op: "capture", scope: "viewport" }, state, "c");
  assertEquals(Object.keys(wire).sort(), ["document_id", "op", "request_id", "scope"]);
});

Deno.test("without any state seen nothing is invented", () => {
  const wire = withDefaults({ op: "undo", request_id: "r" }, undefined, "c");
  assertEquals(wire, { op: "undo", request_id: "r", client_id: "c" });
});

Deno.test("the state is taken from hello, state and any answer that carries one", () => {
  const memory = new SessionMemory("c");
  memory.see("hello", state);
  assertEquals(memory.state?.revision, 12);
  memory.see("undo", { ok: true, status: "completed", state: { ...state, revision: 13 } });
  assertEquals(memory.state?.revision, 13);
  memory.see("undo", { ok: false, code: "stale_state", state: { ...state, revision: 14 } });
  assertEquals(memory.state?.revision, 14);
  memory.see("query", { ok: true, revision: 99 });
  memory.see("state", { ok: false, code: "busy" });
  assertEquals(memory.state?.revision, 14);
});

Deno.test("the state of a replayed answer does not displace a newer one", () => {
  const memory = new SessionMemory("c");
  memory.see("state", { ...state, event_cursor: 20, revision: 20 });
  memory.see("undo", { ok: true, state: { ...state, event_cursor: 19, revision: 19 } });
  assertEquals(memory.state?.revision, 20);
  memory.see("undo", { ok: true, state: { ...state, event_cursor: 20, revision: 21 } });
  assertEquals(memory.state?.revision, 21);
});

Deno.test("a replayed request goes out as it did the first time, a changed one does not", () => {
  const memory = new SessionMemory("c");
  memory.see("hello", state);
  const first = memory.fill({ op: "undo", request_id: "r" });
  memory.see("state", { ...state, revision: 50 });
  assertEquals(memory.fill({ request_id: "r", op: "undo" }), first);
  assertEquals(memory.fill({ op: "redo", request_id: "r" }).revision, 50);
});

Deno.test("a request that was refused outright gets fresh defaults the next time", () => {
  const memory = new SessionMemory("c");
  memory.see("hello", state);
  memory.fill({ op: "undo", request_id: "r" });
  memory.forgetSent("r");
  memory.see("state", { ...state, revision: 50 });
  assertEquals(memory.fill({ op: "undo", request_id: "r" }).revision, 50);
});

Deno.test("every request without an id gets one of its own", () => {
  const memory = new SessionMemory("c");
  assertNotEquals(memory.fill({ op: "undo" }).request_id, memory.fill({ op: "undo" }).request_id);
});
