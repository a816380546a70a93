/** The order of checks, tried pair by pair (gui-protocol.md 2.3). */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { Driver, objectOf, SESSION_ID } from "./driver.ts";

/** One way to break a request, with the code that answers it. In the order of the checks. */
interface Fault {
  readonly code: string;
  /** Of faults of one kind a request can hold only one. */
  readonly kind: string;
  readonly prepare?: (desk: Driver) => void;
  readonly request: JsonObject;
}

const OPEN_PICK = (desk: Driver) => {
  desk.raw({ op: "getpoint", request_id: "open-pick" });
};

const FAULTS: readonly Fault[] = [
  {
    code: "disabled",
    kind: "desk",
    prepare: (desk) => desk.raw({ op: "stop", request_id: "stop" }),
    request: {},
  },
  { code: "protocol_mismatch", kind: "protocol", request: { protocol: 2 } },
  { code: "session_changed", kind: "session", request: { session_id: "f".repeat(32) } },
  { code: "request_id_required", kind: "id", request: { request_id: "" } },
  {
    code: "request_id_reused",
    kind: "id",
    prepare: (desk) => desk.send("select", { request_id: "used", clear: true }),
    request: { request_id: "used" },
  },
  { code: "busy", kind: "desk", prepare: OPEN_PICK, request: {} },
  { code: "document_closed", kind: "document", request: { document_id: 99 } },
  { code: "document_not_active", kind: "document", request: { document_id: 1 } },
  { code: "document_required", kind: "document", request: { document_id: null } },
  { code: "stale_state", kind: "revision", request: { revision: 999 } },
  { code: "stale_state", kind: "geometry", request: { geometry_revision: 999 } },
  { code: "stale_state", kind: "camera", request: { camera_revision: 999 } },
  { code: "selection_changed", kind: "selection", request: { selection: ["FF"] } },
  { code: "unknown_operation", kind: "op", request: { op: "no_such_operation" } },
  { code: "handles_required", kind: "op", request: { op: "entities_delete", handles: [] } },
];

function answerTo(faults: readonly Fault[]): JsonObject {
  const desk = new Driver();
  desk.draw({ type: "Line", start: [0, 0], end: [1, 1] });
  for (const fault of faults) fault.prepare?.(desk);
  return desk.raw(Object.assign(
    {
      op: "entities_delete",
      handles: ["2A"],
      request_id: "asked",
      document_id: desk.state.activeId,
      protocol: 1,
      session_id: SESSION_ID,
    },
    ...faults.map((fault) => fault.request),
  ));
}

Deno.test("a request without a fault passes every check", () => {
  assertEquals(answerTo([]).status, "completed");
});

for (const fault of FAULTS) {
  Deno.test(`a request with the fault '${fault.kind}' answers ${fault.code}`, () => {
    const reply = answerTo([fault]);
    assertEquals([reply.ok, reply.status, reply.code], [false, "failed", fault.code]);
    assertEquals(typeof reply.error, "string");
  });
}

Deno.test("of any two faults the one that is checked first is answered", () => {
  let pairs = 0;
  FAULTS.forEach((first, index) =>
    FAULTS.slice(index + 1)
      .filter((second) => second.kind !== first.kind)
      .forEach((second) => {
        pairs++;
        const what = `${first.code} (${first.kind}) with ${second.code} (${second.kind})`;
        assertEquals(answerTo([first, second]).code, first.code, what);
      })
  );
  assertEquals(pairs, 105 - 1 - 1 - 3 - 1);
});

Deno.test("state and hello are answered whatever the document, the revision and the slot", () => {
  const desk = new Driver();
  desk.draw({ type: "Point", location: [0, 0] });
  OPEN_PICK(desk);
  for (const op of ["state", "hello"]) {
    assertEquals(desk.read(op, { document_id: 99, revision: 999 }).ok, true);
  }
});

Deno.test("tools are answered as the desk was given them, whatever the document and the revision", () => {
  const reply = { ok: true, status: "completed", tools: [], instructions: "Draw." };
  const desk = new Driver({ tools: () => reply });
  OPEN_PICK(desk);
  assertEquals(desk.read("tools", { document_id: 99, revision: 999 }), reply);
  assertEquals(desk.read("tools", { session_id: "another" }).code, "session_changed");
  assertEquals(new Driver().read("tools").code, "unknown_operation");
});

Deno.test("reads that come later are checked for their document and revision", () => {
  const desk = new Driver();
  desk.draw({ type: "Point", location: [0, 0] });
  assertEquals(desk.read("entities", { document_id: 99 }).code, "document_closed");
  assertEquals(desk.read("entities", { document_id: 1 }).code, "document_not_active");
  assertEquals(desk.read("entities", { revision: 7 }).code, "stale_state");
  assertEquals(desk.read("entities", { revision: "7" }).ok, true);
  assertEquals(desk.read("entities", { document_id: 2, revision: 1 }).total, 1);
});

Deno.test("a stale answer carries the state", () => {
  const desk = new Driver();
  desk.done("new");
  const reply = desk.send("select", { revision: 5 });
  assertEquals(objectOf(reply.state).revision, 0);
});

Deno.test("an unknown operation without a request id misses the id first", () => {
  assertEquals(new Driver().raw({ op: "nonsense" }).code, "request_id_required");
  assertEquals(new Driver().raw({}).code, "request_id_required");
});

Deno.test("request ids have 1 to 128 bytes, not characters", () => {
  const desk = new Driver();
  desk.done("new");
  const send = (request_id: string) => desk.send("select", { request_id, clear: true });
  assertEquals(send("x".repeat(128)).status, "completed");
  assertEquals(send("x".repeat(129)).code, "request_id_required");
  assertEquals(send("ü".repeat(64)).status, "completed");
  assertEquals(send("ü".repeat(65)).code, "request_id_required");
});

Deno.test("only an unsigned number that is not 1 is another protocol", () => {
  const desk = new Driver();
  assertEquals(desk.read("state", { protocol: 2 }).code, "protocol_mismatch");
  assertEquals(desk.read("state", { protocol: "2" }).ok, true);
  assertEquals(desk.read("state", { protocol: -1 }).ok, true);
});

Deno.test("once stopped, the desk answers reads and nothing else", () => {
  const desk = new Driver();
  desk.done("new");
  desk.done("stop");
  assertEquals(desk.send("select", { clear: true }).code, "disabled");
  assertEquals(desk.raw({ op: "no_such_operation" }).code, "disabled");
  assertEquals(desk.read("layers").count, 1);
  assertEquals(desk.read("state").enabled, false);
});

Deno.test("commands meet the start page before they are found unknown", () => {
  const desk = new Driver();
  assertEquals(desk.send("run", { cmd: "LINE" }).code, "no_document");
  desk.done("new");
  assertEquals(desk.send("run", { cmd: "LINE" }).code, "unknown_operation");
});

Deno.test("a read that the desk lacks is an unknown operation", () => {
  const desk = new Driver();
  const lacking = ["commands", "properties", "snap", "grips", "records"];
  for (
    const op of [...lacking, "record_schema", "xdata_get", "audit", "text_search", "text_audit"]
  ) {
    assertEquals(desk.read(op).code, "unknown_operation", op);
  }
});

Deno.test("the selection must be the same handles in the same order", () => {
  const desk = new Driver();
  const [a = "", b = ""] = desk.draw(
    { type: "Point", location: [0, 0] },
    { type: "Point", location: [1, 0] },
  );
  desk.done("select", { handles: [b, a] });
  assertEquals(desk.send("undo", { selection: [a, b] }).code, "selection_changed");
  assertEquals(desk.send("undo", { selection: [b] }).code, "selection_changed");
  assertEquals(desk.send("undo", { selection: [b.toLowerCase(), a] }).code, "selection_changed");
  assertEquals(desk.send("undo", { selection: [b, a] }).status, "completed");
});
