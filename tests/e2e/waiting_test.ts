import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { type BridgeProgram, testEachProgram } from "../support/bridge_program.ts";
import { startDeskProgram } from "../support/desk_program.ts";
import { arrayIn, objectIn } from "../support/expect.ts";
import {
  Agent,
  askDirectly,
  bridgeAt,
  deskHere,
  scratch,
  textOf,
  untilPending,
  untilState,
} from "./stage.ts";

const HOUR_MS = 3_600_000;
const LINE: JsonObject = {
  op: "entities_create",
  entities: [{ type: "Line", start: [0, 0], end: [10, 0] }],
};

testEachProgram("what the person at the desk does is the answer of a pick", async (program) => {
  await using home = await scratch();
  const person = `${home.path}/person.json`;
  await Deno.writeTextFile(
    person,
    JSON.stringify([
      { pick: "getpoint", after_ms: 120, answer: { point: [12.5, 7] } },
      { pick: "user_select", answer: { all: true } },
      { pick: "getpoint", answer: "escape" },
    ]),
  );
  await using desk = await startDeskProgram({
    program,
    configDir: home.path,
    args: ["--person", person],
  });
  await using bridge = await bridgeAt(program, home.path);
  const agent = new Agent(bridge, desk.sessionId);
  await agent.draw([{ type: "Circle", center: [0, 0], radius: 5 }]);

  const picked = await agent.execute({ op: "getpoint", prompt: "Where is the door?" });
  assertEquals([picked.status, picked.result], ["completed", { point: [12.5, 7, 0] }]);
  const selected = objectIn((await agent.execute({ op: "user_select" })).result);
  assertEquals([selected.cancelled, selected.count], [false, 1]);
  const escaped = await agent.execute({ op: "getpoint" });
  assertEquals([escaped.ok, escaped.status], [true, "cancelled"]);
});

testEachProgram("while a pick is open, everything else is answered", async (program) => {
  await using desk = await deskHere();
  await using bridge = await bridgeAt(program, desk.configDir);
  const agent = new Agent(bridge, desk.sessionId);
  await agent.execute({ op: "new" });
  await send(bridge, 1, agent, { op: "getpoint", request_id: "pick" }, { wait_seconds: 600 });
  await untilPending(desk, "pick");

  assertEquals(await bridge.result("ping"), {});
  assertEquals((await agent.read("state")).operation, "pick");
  assertEquals((await agent.read("operation", { request_id: "pick" })).status, "running");
  // The editor's own word, at once, instead of a place in a queue.
  const refused = await agent.refusal("ocs_execute", { request: { ...LINE, request_id: "line" } });
  assertEquals(JSON.parse(refused).code, "busy");
  assertEquals(bridge.messages.filter(({ id }) => id === 1), []);
});

testEachProgram("a wait is told as progress until a cancel, then nothing more", async (program) => {
  await using desk = await deskHere();
  await using bridge = await bridgeAt(program, desk.configDir);
  const agent = new Agent(bridge, desk.sessionId);
  await agent.execute({ op: "new" });
  const request = { op: "getpoint", request_id: "pick", prompt: "Where is the door?" };
  await send(bridge, 7, agent, request, { wait_seconds: 600 });
  const [first, second] = await bridge.until("two progress notifications", () => {
    const told = progressOf(bridge, "token-pick");
    return told.length < 2 ? undefined : told;
  });
  assert(Number(first?.progress) < Number(second?.progress), "strictly rising");
  assertEquals(second?.message, "waiting for the person to pick: Where is the door?");

  // Another id, though it reads alike.
  await bridge.notify("notifications/cancelled", { requestId: "7" });
  assertEquals((await agent.read("state")).operation, "pick");
  await bridge.notify("notifications/cancelled", { requestId: 7, reason: "never mind" });
  await untilState(desk, ({ operation }) => operation === null);
  const pick = await askDirectly(desk, { op: "operation", request_id: "pick" });
  assertEquals(pick.status, "cancelled");
  // What was written before the cancel was seen has been read by now.
  await bridge.result("ping");
  const told = progressOf(bridge, "token-pick").length;

  // A whole pick later nothing has come for the first one.
  await send(bridge, 8, agent, { op: "getpoint", request_id: "next" }, { wait_seconds: 1.5 });
  assertEquals(structured(await bridge.answer(8)).status, "running");
  assertEquals(bridge.messages.filter(({ id }) => id === 7 || id === "7"), []);
  assertEquals(progressOf(bridge, "token-pick").length, told);
  assert(progressOf(bridge, "token-next").length >= 1);

  // Who asks for it is told.
  const polled = await agent.refusal("ocs_read", {
    op: "operation",
    parameters: { request_id: "pick" },
  });
  assertEquals(JSON.parse(polled), { ok: false, status: "cancelled", request_id: "pick" });
});

testEachProgram("a cancel that comes after running takes the pick back", async (program) => {
  await using desk = await deskHere();
  await using bridge = await bridgeAt(program, desk.configDir);
  const agent = new Agent(bridge, desk.sessionId);
  await agent.execute({ op: "new" });
  await send(bridge, 11, agent, { op: "getpoint", request_id: "pick" }, { wait_seconds: 0 });
  assertEquals(structured(await bridge.answer(11)).status, "running");
  const lines = bridge.lines.length;

  // Unknown and malformed ones do nothing.
  await bridge.notify("notifications/cancelled", { requestId: 12 });
  await bridge.notify("notifications/cancelled", { requestId: null });
  await bridge.notify("notifications/cancelled");
  assertEquals((await agent.read("state")).operation, "pick");
  await bridge.notify("notifications/cancelled", { requestId: 11 });
  await untilState(desk, ({ operation }) => operation === null);
  assertEquals(bridge.lines.length, lines + 1, "only the read was answered");
  assertEquals((await agent.execute(LINE)).status, "completed");
});

testEachProgram(
  "a wait that is over answers running, and the end can be polled",
  async (program) => {
    await using desk = await deskHere({ slow: new Map([["entities_create", 400]]) });
    await using bridge = await bridgeAt(program, desk.configDir);
    const agent = new Agent(bridge, desk.sessionId);
    await agent.execute({ op: "new" });
    const request = { ...LINE, request_id: "slow" };
    const first = await agent.execute(request, { wait_seconds: 0 });
    assertEquals([first.status, first.request_id], ["running", "slow"]);
    assertStringIncludes(String(first.next), '{"request_id": "slow"}');

    let polled = await agent.read("operation", { request_id: "slow" });
    while (polled.status === "running") {
      polled = await agent.read("operation", { request_id: "slow" });
    }
    assertEquals([polled.ok, polled.status], [true, "completed"]);
    // The same request again is the same operation.
    assertEquals((await agent.execute(request)).result, polled.result);
    assertEquals((await agent.read("entities")).total, 1);
  },
);

testEachProgram("mutations of one session wait for each other in order", async (program) => {
  await using desk = await deskHere({ slow: new Map([["entities_create", 150]]) });
  await using bridge = await bridgeAt(program, desk.configDir);
  const agent = new Agent(bridge, desk.sessionId);
  await agent.execute({ op: "new" });
  const ids = ["one", "two", "three", "four"];
  for (const [index, request_id] of ids.entries()) {
    await send(bridge, index, agent, { ...LINE, request_id });
  }
  // A read and a ping go past them.
  assertEquals(await bridge.result("ping"), {});
  assertEquals((await agent.read("entities")).ok, true);
  for (const index of ids.keys()) {
    assertEquals(structured(await bridge.answer(index)).status, "completed");
  }
  const { events } = await agent.read("events", { after: 1 });
  const order = arrayIn(events, "events").map((event) => objectIn(event).request_id);
  assertEquals(order, ids);
});

testEachProgram(
  "a batch runs its steps, stops at the first failure, and resumes",
  async (program) => {
    await using desk = await deskHere({ slow: new Map([["entities_delete", 300]]) });
    await using bridge = await bridgeAt(program, desk.configDir);
    const agent = new Agent(bridge, desk.sessionId);
    await agent.execute({ op: "new" });

    const done = await agent.execute({ op: "batch", request_id: "b-1", steps: [LINE, LINE] });
    assertEquals(pick(done), ["completed", 2, 2, null]);
    const results = arrayIn(done.results, "results").map((one) => objectIn(one));
    assertEquals(results.map(({ step, op, status }) => [step, op, status]), [
      [0, "entities_create", "completed"],
      [1, "entities_create", "completed"],
    ]);
    const [first, second] = results.map(({ result }) =>
      arrayIn(objectIn(result).handles, "handles")[0]
    );
    assertEquals(done.changes, [
      { handle: first, kind: "Added", step: 0 },
      { handle: second, kind: "Added", step: 1 },
    ]);
    assertEquals(
      await agent.execute({ op: "batch", request_id: "b-1", steps: [LINE, LINE] }),
      done,
      "a finished batch answers what it answered",
    );
    assertEquals((await agent.read("entities")).total, 2);

    const failing = await agent.bridge.callTool(
      "ocs_execute",
      agent.operation({
        op: "batch",
        request_id: "b-2",
        steps: [LINE, { op: "entities_delete", handles: ["FFFF"] }, LINE],
      }),
    );
    assertEquals(failing.isError, true);
    assertEquals(pick(objectIn(JSON.parse(textOf(failing)))), ["failed", 1, 3, 1]);
    assertEquals((await agent.read("entities")).total, 3);

    // Time runs out within the slow step; the same batch again goes on from there.
    const slow = {
      op: "batch",
      request_id: "b-3",
      steps: [LINE, { op: "entities_delete", handles: [String(first)] }, LINE],
    };
    const running = await agent.execute(slow, { wait_seconds: 0.1 });
    assertEquals(pick(running), ["running", 1, 3, 1]);
    const other = { ...slow, steps: [LINE] };
    assertStringIncludes(
      await agent.refusal("ocs_execute", { request: other }),
      "belongs to another batch",
    );
    const resumed = await agent.execute(slow);
    assertEquals(pick(resumed), ["completed", 3, 3, null]);
    assertEquals((await agent.read("entities")).total, 3 + 2 - 1);
  },
);

testEachProgram("a cancelled batch stops where it is", async (program) => {
  await using desk = await deskHere({ slow: new Map([["undo", HOUR_MS]]) });
  await using bridge = await bridgeAt(program, desk.configDir);
  const agent = new Agent(bridge, desk.sessionId);
  await agent.execute({ op: "new" });
  const steps = [LINE, { op: "getpoint", prompt: "Where?" }, LINE];
  const batch = { op: "batch", request_id: "b-1", steps };
  await send(bridge, 3, agent, batch, { wait_seconds: 600 });
  await untilPending(desk);
  await bridge.message(
    "the step in the progress",
    ({ params }) => String(objectIn(params ?? {}).message).startsWith("step 2 of 3: waiting for"),
  );
  await bridge.notify("notifications/cancelled", { requestId: 3 });
  await untilState(desk, ({ operation }) => operation === null);
  assertEquals((await agent.execute(LINE)).status, "completed");
  assertEquals((await agent.read("entities")).total, 2, "the third step was not run");
  const polled = await agent.refusal("ocs_read", {
    op: "operation",
    parameters: { request_id: "b-1" },
  });
  assertEquals(JSON.parse(polled).status, "cancelled");
  assertEquals(bridge.messages.filter(({ id }) => id === 3), []);
});

function pick(batch: JsonObject): readonly unknown[] {
  return [batch.status, batch.completed_steps, batch.total_steps, batch.next_step];
}

/** Sends an operation with a progress token of its own and does not wait for the answer. */
function send(
  bridge: BridgeProgram,
  id: number,
  agent: Agent,
  request: JsonObject,
  more: JsonObject = {},
): Promise<void> {
  return bridge.send({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: {
      name: "ocs_execute",
      arguments: agent.operation(request, more),
      _meta: { progressToken: `token-${request.request_id}` },
    },
  });
}

function structured(answer: JsonObject): JsonObject {
  const result = objectIn(answer.result, `the result in ${JSON.stringify(answer)}`);
  return objectIn(result.structuredContent, textOf(result));
}

function progressOf(bridge: BridgeProgram, token: string): readonly JsonObject[] {
  return bridge.messages
    .filter(({ method }) => method === "notifications/progress")
    .map(({ params }) => objectIn(params))
    .filter(({ progressToken }) => progressToken === token);
}
