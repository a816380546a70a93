import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { Client, M, MT, SI } from "./client.ts";
import { COMPLETED, FakeFace, WORKING } from "./fake_face.ts";

const SUB = "io.modelcontextprotocol/subscriptionId";

/** Opens a subscription and answers what was acknowledged. */
async function listen(
  client: Client,
  id: string | number,
  notifications: JsonObject,
  era: JsonObject = M,
): Promise<unknown> {
  client.request(id, "subscriptions/listen", { notifications, ...era });
  const { method, params } = await client.next();
  assertEquals(method, "notifications/subscriptions/acknowledged");
  const { _meta, notifications: honoured } = Object(params);
  assertEquals(_meta, { [SUB]: id });
  return honoured;
}

const listChanged = (id: string | number) => ({
  jsonrpc: "2.0",
  method: "notifications/resources/list_changed",
  params: { _meta: { [SUB]: id } },
});

Deno.test("case 21: a subscription is acknowledged, hears of changes, and ends with a cancel", async () => {
  const client = new Client();
  assertEquals(
    await listen(client, "sub", {
      resourcesListChanged: true,
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ["cad://session/1/state.json"],
      madeUp: 5,
    }),
    { resourcesListChanged: true },
  );
  client.face.changeResources();
  assertEquals(await client.next(), listChanged("sub"));
  client.notify("notifications/cancelled", { requestId: "sub" });
  await client.quiet();
  client.face.changeResources();
  await client.quiet();
  await client.close();
});

Deno.test("every listener hears of a change under its own id, type included", async () => {
  const client = new Client();
  await listen(client, 1, { resourcesListChanged: true });
  await listen(client, "1", { resourcesListChanged: true });
  await listen(client, 0, { toolsListChanged: true });
  client.face.changeResources();
  assertEquals([await client.next(), await client.next()], [listChanged(1), listChanged("1")]);
  client.notify("notifications/cancelled", { requestId: 1 });
  await client.quiet();
  client.face.changeResources();
  assertEquals(await client.next(), listChanged("1"));
  await client.quiet();
  await client.close();
});

Deno.test("without a subscription a modern client hears of nothing", async () => {
  const client = new Client();
  await client.result(1, "resources/list", M);
  client.face.changeResources();
  await client.quiet();
  await client.close();
});

Deno.test("case 26: a legacy client hears of a change untagged, once it has said initialize", async () => {
  const client = new Client();
  client.face.changeResources();
  await client.initialize();
  client.face.changeResources();
  assertEquals(await client.next(), {
    jsonrpc: "2.0",
    method: "notifications/resources/list_changed",
  });
  await client.close();
});

Deno.test("a malformed filter is refused with -32602", async () => {
  const client = new Client();
  for (
    const params of [
      {},
      { notifications: null },
      { notifications: [] },
      { notifications: { resourcesListChanged: "yes" } },
      { notifications: { resourceSubscriptions: [5] } },
      { notifications: { taskIds: "task-1" } },
      { notifications: { taskIds: [1] } },
    ]
  ) {
    const { code } = await client.error("sub", "subscriptions/listen", { ...params, ...MT });
    assertEquals(code, -32602, JSON.stringify(params));
  }
  await client.close();
});

Deno.test("taskIds: the known ones are acknowledged, and their changes are told in full", async () => {
  const client = new Client();
  client.face.tasks.set(WORKING.taskId, WORKING);
  const honoured = await listen(client, "L", { taskIds: ["task-1", "bogus"] }, MT);
  assertEquals(honoured, { taskIds: ["task-1"] });
  assertEquals(await listen(client, "other", { taskIds: [] }, MT), { taskIds: [] });
  client.face.changeTask(COMPLETED);
  const { result, ...handle } = COMPLETED;
  assertEquals(await client.next(), {
    jsonrpc: "2.0",
    method: "notifications/tasks",
    params: {
      ...handle,
      result: { resultType: "complete", ...result },
      _meta: { [SUB]: "L" },
    },
  });
  client.face.changeTask({ ...WORKING, taskId: "another" });
  await client.quiet();
  client.notify("notifications/cancelled", { requestId: "L" });
  client.face.changeTask(WORKING);
  await client.quiet(true);
  client.face.changeTask(WORKING);
  await client.quiet();
  await client.close();
});

Deno.test("the acknowledgement comes first, even when a task changes just then", async () => {
  class Hasty extends FakeFace {
    override hasTask(taskId: string): boolean {
      queueMicrotask(() => this.changeTask(COMPLETED));
      return super.hasTask(taskId);
    }
  }
  const client = new Client({ face: new Hasty() });
  client.face.tasks.set(WORKING.taskId, WORKING);
  assertEquals(await listen(client, "L", { taskIds: ["task-1"] }, MT), { taskIds: ["task-1"] });
  await client.quiet(true);
  await client.close();
});

Deno.test("when the server ends a subscription it answers it and then cancels it", async () => {
  let stale = false;
  const client = new Client({ stale: () => stale });
  await listen(client, "a", { resourcesListChanged: true });
  await listen(client, 2, { resourcesListChanged: true });
  stale = true;
  assertEquals((await client.ask(1, "tools/list", M)).id, 1);
  const ends = [await client.next(), await client.next(), await client.next(), await client.next()];
  const end = (id: string | number) => [
    { jsonrpc: "2.0", id, result: { resultType: "complete", _meta: { [SUB]: id, ...SI } } },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } },
  ];
  assertEquals(ends, [...end("a"), ...end(2)]);
  assertEquals(await client.ended, "rebuilt");
  client.face.changeResources();
  assertEquals(client.face.listeners, 0);
  client.checkLines();
});

Deno.test("when the client ends, its subscriptions are not answered", async () => {
  const client = new Client();
  await listen(client, "a", { resourcesListChanged: true });
  assertEquals(await client.close(), "end_of_input");
  assertEquals(client.output.lines.length, 1);
  assertEquals(client.face.listeners, 0);
});
