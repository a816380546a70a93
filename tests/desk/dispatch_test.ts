/** The operation slot, the cache of settled operations and the ring of events (gui-protocol.md 2.4). */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { payloadOf } from "../../src/desk/payload.ts";
import { Driver, objectOf, objectsOf } from "./driver.ts";

const LINE = { type: "Line", start: [0, 0], end: [10, 0] };

Deno.test("the same request again answers the cached reply and does nothing twice", () => {
  const desk = new Driver();
  desk.done("new");
  const request = { op: "entities_create", request_id: "once", document_id: 2, entities: [LINE] };
  const first = desk.raw(request);
  desk.done("select", { clear: true });
  assertEquals(desk.raw(request), first);
  assertEquals(desk.raw({ ...Object.fromEntries(Object.entries(request).reverse()) }), first);
  assertEquals(desk.read("entities").total, 1);
});

Deno.test("the same id with another payload is refused, whatever differs", () => {
  const desk = new Driver();
  desk.done("new");
  const request = { op: "select", request_id: "id", document_id: 2, clear: true };
  desk.raw(request);
  for (const other of [{ client_id: "me" }, { revision: 0 }, { clear: false }, { op: "undo" }]) {
    assertEquals(desk.raw({ ...request, ...other }).code, "request_id_reused");
  }
});

Deno.test("a refused request leaves its id free", () => {
  const desk = new Driver();
  assertEquals(desk.send("select", { request_id: "id", document_id: 9 }).code, "document_closed");
  assertEquals(desk.send("new", { request_id: "id" }).status, "completed");
});

Deno.test("a payload's keys have no order, but 1 and 1.0 differ and the token does not count", () => {
  assertEquals(payloadOf('{"a":1,"b":{"d":2,"c":3}}'), payloadOf('{"b":{"c":3,"d":2},"a":1}'));
  assert(payloadOf('{"a":1}') !== payloadOf('{"a":1.0}'));
  assert(payloadOf('{"a":1}') !== payloadOf('{"a":"1"}'));
  assert(payloadOf('{"a":[1,2]}') !== payloadOf('{"a":[2,1]}'));
  assertEquals(payloadOf('{"token":"x","a":1}'), payloadOf('{"a":1,"token":"y"}'));
});

Deno.test("payloads of equal values are equal, of different values different", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
    const payload = (value: unknown) => payloadOf(JSON.stringify({ value }));
    const shuffled = JSON.parse(
      JSON.stringify(one),
      (_key, value: unknown) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
    );
    assertEquals(payload(shuffled), payload(one));
    if (payload(one) === payload(other)) {
      assertEquals(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
    }
  }));
});

Deno.test("128 settled operations are remembered, first in first out", () => {
  const desk = new Driver();
  desk.done("new");
  const send = (n: number) => desk.send("select", { request_id: `n-${n}`, clear: true });
  for (let n = 0; n <= 128; n++) send(n);
  assertEquals(desk.read("operation", { request_id: "n-0" }).code, "unknown_operation");
  assertEquals(desk.read("operation", { request_id: "n-1" }).status, "completed");
  const cursor = desk.state.eventCursor;
  send(1);
  assertEquals(desk.state.eventCursor, cursor, "a replay is no new operation");
  send(0);
  assertEquals(desk.state.eventCursor, cursor + 1, "a forgotten id runs again");
});

Deno.test("while an operation is pending, reads are answered and all else is busy", () => {
  const desk = new Driver({ slow: [["select", 500]] });
  desk.draw(LINE);
  const request = { op: "select", request_id: "slow", document_id: 2, clear: true };
  assertEquals(desk.raw(request), { ok: true, status: "accepted", request_id: "slow" });
  assertEquals(desk.effects, [{ kind: "wait", requestId: "slow", ms: 500 }]);
  assertEquals(desk.raw(request), { ok: true, status: "running", request_id: "slow" });
  assertEquals(desk.read("operation", { request_id: "slow" }).status, "running");
  assertEquals(desk.read("state").operation, "slow");
  assertEquals(desk.read("entities").total, 1);
  assertEquals(desk.send("undo").code, "busy");
  assertEquals(desk.raw({ op: "stop", request_id: "s" }).code, "busy");
  assertEquals(desk.raw({ ...request, clear: false }).code, "busy");
  assertEquals(desk.send("cancel").code, "busy", "only picks can be taken back");
  desk.elapse("slow");
  assertEquals(desk.raw(request).status, "completed");
  assertEquals(desk.read("state").operation, null);
});

Deno.test("a settled answer has every field, with changes by handle and the state of its time", () => {
  const desk = new Driver();
  const [kept = "", gone = ""] = desk.draw(LINE, LINE);
  desk.done("entities_transform", { handles: [kept], vector: [1, 0] });
  const reply = desk.send("entities_delete", { handles: [gone] });
  const keys = ["changes", "error", "ok", "request_id", "result", "state", "status"];
  assertEquals(Object.keys(reply).sort(), keys);
  assertEquals([reply.ok, reply.error], [true, null]);
  assertEquals(reply.changes, [{ handle: gone, kind: "Removed" }]);
  assertEquals(objectOf(reply.state).revision, 3);
  assertEquals(objectOf(reply.state).event_cursor, desk.state.eventCursor);
});

Deno.test("an answer lists at most 1000 changes", () => {
  const desk = new Driver();
  desk.done("new");
  const entities = Array.from({ length: 1001 }, (_, x) => ({ type: "Point", location: [x, 0] }));
  assertEquals(objectsOf(desk.send("entities_create", { entities }).changes).length, 1000);
});

Deno.test("events come after their sequence, and a lost one asks for a resync", () => {
  const desk = new Driver();
  desk.done("new");
  assertEquals(desk.read("events"), {
    ok: true,
    cursor: 1,
    resync: false,
    events: [
      { sequence: 1, request_id: "t-1", status: "completed", document_id: 2, revision: 0 },
    ],
  });
  for (let n = 0; n < 128; n++) desk.done("select", { clear: true });
  assertEquals(desk.read("events", { after: 0 }).resync, true);
  assertEquals(desk.read("events", { after: 1 }).resync, false);
  assertEquals(objectsOf(desk.read("events").events).length, 128);
  assertEquals(objectsOf(desk.read("events", { after: 127 }).events).map((e) => e.sequence), [
    128,
    129,
  ]);
  assertEquals(desk.read("events", { after: 129 }).events, []);
});

Deno.test("a cancel with nothing to cancel settles as cancelled", () => {
  const desk = new Driver();
  desk.done("new");
  const reply = desk.send("cancel");
  assertEquals([reply.ok, reply.status, reply.result], [true, "cancelled", {}]);
});

Deno.test("a capture that cannot be written settles as failed, without a code", () => {
  const desk = new Driver();
  desk.done("new");
  assertEquals(desk.send("capture", { request_id: "c", path: "/x.png" }).status, "accepted");
  desk.finishPicture("c", "The disk is full.");
  const reply = desk.read("operation", { request_id: "c" });
  assertEquals([reply.ok, reply.status, reply.error], [false, "failed", "The disk is full."]);
  assertEquals(reply.code, undefined);
  assertEquals(objectsOf(desk.read("history").entries).at(-1), {
    kind: "Error",
    text: "The disk is full.",
  });
  assertEquals(desk.send("select").status, "completed", "later operations do not fail with it");
});
