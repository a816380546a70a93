/** Picks and the person who answers them (gui-protocol.md section 6). */

import { assertEquals, assertThrows } from "@std/assert";
import { parsePerson, type Person, type PersonAnswer } from "../../src/desk/person.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { Driver, objectOf, objectsOf } from "./driver.ts";

function person(answer: PersonAnswer, pick: Person["pick"] = "any", afterMs = 40): Person {
  return { pick, afterMs, answer };
}

const ENTITIES: readonly JsonObject[] = [
  { type: "Line", start: [0, 0], end: [10, 0], layer: "WALLS" },
  { type: "Circle", center: [50, 50], radius: 5, layer: "WALLS" },
  { type: "Line", start: [0, 20], end: [10, 20] },
];

/** A desk with the three entities, and the answer of a pick that the person has ended. */
function pickedWith(answer: PersonAnswer, op: string, parameters: JsonObject = {}) {
  const desk = new Driver({ person: [person(answer)] });
  const handles = desk.draw(...ENTITIES);
  const accepted = desk.send(op, { request_id: "pick", ...parameters });
  assertEquals(accepted, { ok: true, status: "accepted", request_id: "pick" });
  assertEquals(desk.effects, [{ kind: "wait", requestId: "pick", ms: 40 }]);
  desk.elapse("pick");
  return { desk, handles, reply: desk.read("operation", { request_id: "pick" }) };
}

Deno.test("a clicked point is the result of getpoint, and the cursor is there", () => {
  const { desk, reply } = pickedWith({ kind: "point", point: [3, 4, 5] }, "getpoint");
  assertEquals([reply.ok, reply.status, reply.result], [true, "completed", { point: [3, 4, 5] }]);
  assertEquals(objectOf(desk.read("state").cursor).world, [3, 4, 5]);
});

Deno.test("Escape ends picks as cancelled, which is no failure", () => {
  const point = pickedWith({ kind: "escape" }, "getpoint").reply;
  assertEquals([point.ok, point.status, point.result], [true, "cancelled", { cancelled: true }]);
  const select = pickedWith({ kind: "escape" }, "user_select").reply;
  assertEquals([select.ok, select.status], [true, "cancelled"]);
  assertEquals(select.result, { cancelled: true, count: 0, handles: [], entities: [] });
});

Deno.test("picked entities become the selection and are shown in full", () => {
  const answer = { kind: "handles", handles: ["2D", "2B"] } as const;
  const { desk, reply } = pickedWith(answer, "user_select");
  const result = objectOf(reply.result);
  assertEquals([result.count, result.ignored, result.handles], [2, 0, ["2D", "2B"]]);
  assertEquals(desk.read("state").selection, ["2D", "2B"]);
  assertEquals(objectsOf(result.entities).map((e) => "properties" in e), [true, true]);
});

Deno.test("what does not fit type and layer is deselected and counted", () => {
  const { desk, reply } = pickedWith({ kind: "all" }, "user_select", {
    type: " line ",
    layer: "WALLS",
    detail: "summary",
  });
  assertEquals(reply.result, {
    cancelled: false,
    count: 1,
    ignored: 2,
    handles: ["2B"],
    entities: [{ handle: "2B", type: "Line", layer: "WALLS" }],
  });
  assertEquals(desk.read("state").selection, ["2B"]);
});

Deno.test("a click selects what lies under it", () => {
  const at = (x: number, y: number) =>
    objectOf(pickedWith({ kind: "point", point: [x, y, 0] }, "user_select").reply.result).handles;
  assertEquals(at(5, 0.5), ["2B"]);
  assertEquals(at(55, 50), ["2C"]);
  assertEquals(at(50, 50), []);
});

Deno.test("Enter with nothing picked completes with nothing", () => {
  const { reply } = pickedWith({ kind: "handles", handles: [] }, "user_select");
  assertEquals(reply.status, "completed");
  assertEquals(objectOf(reply.result).count, 0);
});

Deno.test("the selection is cleared first unless it is said to stay", () => {
  const desk = new Driver({ person: [person({ kind: "handles", handles: ["2C"] })] });
  const [first = ""] = desk.draw(...ENTITIES);
  desk.done("select", { handles: [first] });
  desk.send("user_select", { request_id: "pick" });
  assertEquals(desk.read("state").selection, []);
  desk.elapse("pick");
  assertEquals(desk.read("state").selection, ["2C"]);
});

Deno.test("the selection stays when it is not to be cleared", () => {
  const desk = new Driver({ person: [person({ kind: "handles", handles: ["2D"] })] });
  desk.draw(...ENTITIES);
  desk.done("select", { handles: ["2B"] });
  desk.send("user_select", { request_id: "pick", clear: false });
  desk.elapse("pick");
  assertEquals(desk.read("state").selection, ["2B", "2D"]);
});

Deno.test("without a person a pick stays open until it is taken back", () => {
  const desk = new Driver();
  desk.draw(...ENTITIES);
  const request = { op: "user_select", request_id: "pick" };
  desk.raw(request);
  assertEquals(desk.effects, []);
  assertEquals(desk.raw(request).status, "running");
  assertEquals(desk.send("getpoint").code, "busy");
  const reply = desk.raw({ op: "cancel", request_id: "other" });
  assertEquals([reply.ok, reply.status, reply.request_id], [true, "cancelled", "pick"]);
  assertEquals(desk.effects, [{ kind: "forget", requestId: "pick" }]);
  assertEquals(desk.read("operation", { request_id: "other" }).code, "unknown_operation");
  assertEquals(objectsOf(desk.read("events").events).map((e) => e.request_id), [
    "t-1",
    "t-2",
    "pick",
  ]);
  assertEquals(desk.send("getpoint").status, "accepted", "the slot is free again");
});

Deno.test("a pick is taken back under its own id too, and is then a reused id", () => {
  const desk = new Driver();
  desk.done("new");
  desk.raw({ op: "getpoint", request_id: "pick" });
  assertEquals(desk.raw({ op: "cancel", request_id: "pick" }).status, "cancelled");
  assertEquals(desk.raw({ op: "cancel", request_id: "pick" }).code, "request_id_reused");
});

Deno.test("a person who comes after the pick was taken back changes nothing", () => {
  const desk = new Driver({ person: [person({ kind: "point", point: [1, 1, 0] })] });
  desk.done("new");
  desk.raw({ op: "getpoint", request_id: "pick" });
  desk.raw({ op: "cancel", request_id: "c" });
  const before = desk.state;
  desk.elapse("pick");
  assertEquals(desk.state, before);
});

Deno.test("picks are refused on the start page and for an unknown detail", () => {
  const desk = new Driver();
  assertEquals(desk.send("getpoint").code, "no_document");
  assertEquals(desk.send("user_select", { detail: "wrong" }).code, "no_document");
  desk.done("new");
  assertEquals(desk.send("user_select", { detail: "Summary" }).code, "invalid_detail");
});

Deno.test("a pick takes the first item of the script that fits it", () => {
  const desk = new Driver({
    person: [
      person({ kind: "all" }, "user_select", 1),
      person({ kind: "point", point: [1, 2, 0] }, "getpoint", 2),
      person({ kind: "escape" }, "any", 3),
    ],
  });
  desk.done("new");
  const waits = ["getpoint", "getpoint", "user_select", "getpoint"].map((op, n) => {
    desk.raw({ op, request_id: `p-${n}` });
    const [effect] = desk.effects;
    if (effect !== undefined) desk.elapse(`p-${n}`);
    return effect?.kind === "wait" ? effect.ms : null;
  });
  assertEquals(waits, [2, 3, 1, null]);
});

Deno.test("a prompt is printed with the op and its id", () => {
  const desk = new Driver();
  desk.done("new");
  desk.raw({ op: "getpoint", request_id: "p-7", prompt: "The door?" });
  assertEquals(objectsOf(desk.read("history").entries).at(-1), {
    kind: "Info",
    text: "getpoint p-7: The door?",
  });
});

Deno.test("a person file is read item by item", () => {
  const file = `[{"pick":"user_select","after_ms":800,"answer":{"handles":["0x2a"]}},
    {"pick":"getpoint","answer":{"point":[1,2]}},
    {"pick":"any","after_ms":0,"answer":"escape"}]`;
  assertEquals(parsePerson(file), [
    person({ kind: "handles", handles: ["2A"] }, "user_select", 800),
    person({ kind: "point", point: [1, 2, 0] }, "getpoint", 0),
    person({ kind: "escape" }, "any", 0),
  ]);
});

Deno.test("a person file that is wrong says where", () => {
  const wrong = (item: unknown) => JSON.stringify([{ pick: "any", answer: "escape" }, item]);
  for (
    const item of [
      1,
      { pick: "nobody", answer: "escape" },
      { pick: "any", answer: "enter" },
      { pick: "any", after_ms: -1, answer: "escape" },
      { pick: "getpoint", answer: { all: true } },
      { pick: "user_select", answer: { handles: ["XYZ"] } },
      { pick: "any", after: 800, answer: "escape" },
      { pick: "user_select", answer: { all: true, handles: ["2A"] } },
    ]
  ) assertThrows(() => parsePerson(wrong(item)), Error, "Item 2");
  assertThrows(() => parsePerson("{"), Error, "not JSON");
  assertThrows(() => parsePerson("{}"), Error, "not a JSON array");
});
