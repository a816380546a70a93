/** Tests that no answer is larger than a message may be. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { ToolError } from "../../src/host/faults.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { cutDown, MESSAGE_LIMIT_BYTES, messageBytes } from "../../src/tools/message_size.ts";
import { answer, bench, call, IDENTITY, objectAt } from "./fake_editor.ts";

const LONG = "ä".repeat(MESSAGE_LIMIT_BYTES / 5);

/** As the message holds it: once as an object, once as a string. */
function written(answer: JsonObject): number {
  const json = JSON.stringify(answer);
  return new TextEncoder().encode(json + JSON.stringify(json)).length;
}

Deno.test("bytes are counted as a message holds them, escapes and all", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
      const large = { text: text.repeat(50_000) };
      const counted = messageBytes(JSON.stringify(large));
      if (counted > MESSAGE_LIMIT_BYTES) assertEquals(counted, written(large));
      else assert(written(large) <= MESSAGE_LIMIT_BYTES);
    }),
    { numRuns: 40 },
  );
});

Deno.test("a read whose answer no message can carry says how to ask for less", async () => {
  const { face, editor } = bench();
  editor.the("s1").onRead = () => ({ ok: true, entities: [{ value: LONG }, { value: LONG }] });
  const error = await assertRejects(
    () => face.callTool("ocs_read", { ocs_session_id: "s1", op: "query" }, call()),
    ToolError,
  );
  assertStringIncludes(error.message, "The answer to query takes");
  assertStringIncludes(error.message, "limit and offset");
});

Deno.test("an operation that went well is said to have gone well, however large its answer", async () => {
  const { face, editor } = bench();
  const state = { document_id: 3, revision: 13, selection: [LONG, LONG] };
  editor.the("s1").onExecute = () => ({
    ok: true,
    status: "completed",
    request_id: "u-1",
    result: { affected: 1 },
    state,
  });
  const request = { op: "undo", request_id: "u-1" };
  const args = { ocs_session_id: "s1", request, response_detail: "full" };
  const result = await answer(face, "ocs_execute", args);
  const kept = result.structuredContent ?? {};
  assertEquals([kept.ok, kept.status, kept.result], [true, "completed", { affected: 1 }]);
  assertEquals(Object.keys(objectAt(kept, "omitted")), ["state"]);
  assert(written(kept) <= MESSAGE_LIMIT_BYTES);
});

Deno.test("cutting down leaves out as many of the largest members as it takes", () => {
  const small = { ok: true, a: LONG.slice(0, 100) };
  const cut = cutDown({ ...small, b: LONG, c: LONG + LONG });
  assertEquals(Object.keys(cut), ["ok", "a", "b", "omitted", "next"]);
  assertEquals(Object.keys(objectAt(cut, "omitted")), ["c"]);
  assert(written(cut) <= MESSAGE_LIMIT_BYTES);
});

Deno.test("an answer of very many or very long names is cut down as well", () => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [
    `member ${index}`,
    LONG.slice(0, 2_000),
  ]));
  const cut = cutDown({ ok: true, status: "completed", ...many });
  assertEquals([cut.ok, cut.status], [true, "completed"]);
  assert(written(cut) <= MESSAGE_LIMIT_BYTES);
  const long = cutDown({ ok: true, [LONG + LONG]: 1, ["b" + LONG + LONG]: 2 });
  assertEquals(long.ok, true);
  assert(written(long) <= MESSAGE_LIMIT_BYTES);
});

Deno.test("sessions whose states no message can carry are still listed", async () => {
  const { face, editor } = bench();
  editor.the("s1").state = { session_id: "s1", document_id: 1, selection: [LONG, LONG, LONG] };
  const result = await answer(face, "ocs_sessions", {});
  const { result: listed, warnings } = result.structuredContent ?? {};
  assertEquals(listed, [
    { session_id: "s1", document_id: 1, revision: null, bridge: { ...IDENTITY } },
  ]);
  assertStringIncludes(String(warnings), "more than clients accept in one message");
});
