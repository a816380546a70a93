import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { BridgeProgram, type Program, testEachProgram } from "../support/bridge_program.ts";
import { objectIn } from "../support/expect.ts";
import { Agent, askDirectly, type DeskHere, deskHere, modern, untilState } from "./stage.ts";

const HOUR_MS = 3_600_000;
const TASKS = modern({ extensions: { "io.modelcontextprotocol/tasks": {} } });
const CIRCLE: JsonObject = {
  op: "entities_create",
  entities: [{ type: "Circle", center: [0, 0], radius: 5 }],
};

testEachProgram("an operation that outlasts its wait is a task to its end", async (program) => {
  await using desk = await openDesk({ slow: new Map([["entities_create", 400]]) });
  await using bridge = start(program, desk);
  const { taskId, createdAt, lastUpdatedAt, statusMessage, ...task } = await bridge.result(
    "tools/call",
    execute(desk, { ...CIRCLE, request_id: "slow" }, TASKS),
  );
  assertEquals([typeof createdAt, lastUpdatedAt], ["string", createdAt]);
  assertEquals(statusMessage, "running entities_create");
  const { _meta, ...shape } = task;
  assert(_meta);
  assertEquals(shape, {
    resultType: "task",
    status: "working",
    ttlMs: 3_600_000,
    pollIntervalMs: 250,
  });

  let seen = await bridge.result("tasks/get", { taskId: String(taskId), ...TASKS });
  while (seen.status === "working") {
    assertEquals([seen.resultType, seen.result], ["complete", undefined]);
    seen = await bridge.result("tasks/get", { taskId: String(taskId), ...TASKS });
  }
  assertEquals(seen.status, "completed");
  const result = objectIn(seen.result, "the result of the task");
  assertEquals(result.resultType, "complete");
  const answer = objectIn(result.structuredContent, "structuredContent");
  assertEquals([answer.status, answer.request_id], ["completed", "slow"]);
  assertEquals((await askDirectly(desk, { op: "entities" })).total, 1);

  // An end is an end: a cancel is acknowledged and changes nothing.
  await bridge.result("tasks/cancel", { taskId: String(taskId), ...TASKS });
  await bridge.result("tasks/update", { taskId: String(taskId), inputResponses: {}, ...TASKS });
  const later = await bridge.result("tasks/get", { taskId: String(taskId), ...TASKS });
  assertEquals(later, seen);
});

testEachProgram("a cancelled task takes its pick back", async (program) => {
  await using desk = await openDesk();
  await using bridge = start(program, desk);
  const { taskId } = await bridge.result(
    "tools/call",
    execute(desk, { op: "getpoint", request_id: "pick", prompt: "Where?" }, TASKS),
  );
  const params = { taskId: String(taskId), ...TASKS };
  const working = await bridge.result("tasks/get", params);
  assertEquals(working.statusMessage, "waiting for the person to pick: Where?");
  for (let times = 0; times < 2; times++) await bridge.result("tasks/cancel", params);
  await untilState(desk, ({ operation }) => operation === null);
  assertEquals((await bridge.result("tasks/get", params)).status, "cancelled");
  const pick = await askDirectly(desk, { op: "operation", request_id: "pick" });
  assertEquals(pick.status, "cancelled");
});

testEachProgram("a task whose editor is gone has failed, and says why", async (program) => {
  await using desk = await openDesk({ slow: new Map([["entities_create", HOUR_MS]]) });
  await using bridge = start(program, desk);
  const { taskId } = await bridge.result("tools/call", execute(desk, CIRCLE, TASKS));
  await desk.stop();
  const seen = await bridge.result("tasks/get", { taskId: String(taskId), ...TASKS });
  assertEquals(seen.status, "failed");
  const { code, message } = objectIn(seen.error, "the error");
  assertEquals(code, -32603);
  assertStringIncludes(String(message), `Session ${desk.sessionId} is gone`);
});

testEachProgram("who has not declared tasks gets none", async (program) => {
  await using desk = await openDesk();
  await using bridge = start(program, desk);
  const plain = await bridge.result(
    "tools/call",
    execute(desk, { op: "getpoint", request_id: "pick" }, modern()),
  );
  assertEquals(plain.resultType, "complete");
  assertEquals(objectIn(plain.structuredContent).status, "running");

  const undeclared = await bridge.request("tasks/get", { taskId: "x", ...modern() });
  const { code, data } = objectIn(undeclared.error, "the error");
  assertEquals(code, -32021);
  assertEquals(data, {
    requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
  });
  const unknown = await bridge.request("tasks/get", { taskId: "x", ...TASKS });
  assertEquals(objectIn(unknown.error).code, -32602);

  await bridge.initialize("2025-11-25");
  const legacy = await bridge.request("tasks/get", { taskId: "x" });
  assertEquals(objectIn(legacy.error).code, -32601);
  const agent = new Agent(bridge, desk.sessionId);
  assertEquals((await agent.read("operation", { request_id: "pick" })).status, "running");
});

testEachProgram("a subscription hears of new pictures and of its task", async (program) => {
  await using desk = await openDesk({ slow: new Map([["entities_create", 300]]) });
  await using bridge = start(program, desk);
  const { taskId } = await bridge.result("tools/call", execute(desk, CIRCLE, TASKS));
  await bridge.send({
    jsonrpc: "2.0",
    id: "listen",
    method: "subscriptions/listen",
    params: { ...TASKS, notifications: { resourcesListChanged: true, taskIds: [String(taskId)] } },
  });
  const tagged = (method: string) =>
    bridge.message(method, (one) => {
      if (one.method !== method) return false;
      const meta = objectIn(objectIn(one.params)._meta, "_meta");
      return meta["io.modelcontextprotocol/subscriptionId"] === "listen";
    });
  const { params } = await tagged("notifications/subscriptions/acknowledged");
  assertEquals(objectIn(objectIn(params).notifications).resourcesListChanged, true);
  const told = objectIn((await tagged("notifications/tasks")).params);
  assertEquals([told.taskId, told.status], [taskId, "completed"]);
  const capture = { name: "ocs_capture", arguments: { ocs_session_id: desk.sessionId } };
  await bridge.result("tools/call", { ...capture, ...modern() });
  await tagged("notifications/resources/list_changed");
  await bridge.notify("notifications/cancelled", { requestId: "listen" });
  await bridge.closeInput();
  assertEquals(await bridge.exitCode(), 0);
  assertEquals(bridge.messages.filter(({ id }) => id === "listen"), []);
});

/** A desk with an empty drawing open. */
async function openDesk(options: Parameters<typeof deskHere>[0] = {}): Promise<DeskHere> {
  const desk = await deskHere(options);
  await askDirectly(desk, { op: "new", request_id: "open" });
  return desk;
}

/** Modern clients shake no hands. */
function start(program: Program, desk: DeskHere): BridgeProgram {
  return BridgeProgram.start({ program, args: ["--config-dir", desk.configDir] });
}

/** The parameters of a call that does not wait. */
function execute(desk: DeskHere, request: JsonObject, envelope: JsonObject): JsonObject {
  return {
    name: "ocs_execute",
    arguments: {
      ocs_session_id: desk.sessionId,
      request: { request_id: "task", ...request },
      wait_seconds: 0,
    },
    ...envelope,
  };
}
