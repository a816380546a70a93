import { assertEquals } from "@std/assert";
import { Client, M, MT, SI } from "./client.ts";
import { COMPLETED, WORKING } from "./fake_face.ts";

const REQUIRED = {
  requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

Deno.test("case 22: a client that does not declare tasks gets the plain answer", async () => {
  const client = new Client();
  await client.initialize();
  const content = [{ type: "text", text: "still running" }];
  assertEquals(await client.result(1, "tools/call", { name: "job", ...M }), {
    content,
    resultType: "complete",
    _meta: SI,
  });
  assertEquals(await client.result(2, "tools/call", { name: "job" }), { content });
  await client.close();
});

Deno.test("case 23: a task is created flat, read, cancelled and updated", async () => {
  const client = new Client();
  assertEquals(await client.result(1, "tools/call", { name: "job", ...MT }), {
    resultType: "task",
    ...WORKING,
    _meta: SI,
  });
  const taskId = WORKING.taskId;
  assertEquals(await client.result(2, "tasks/get", { taskId, ...MT }), {
    ...WORKING,
    resultType: "complete",
    _meta: SI,
  });
  client.face.changeTask(COMPLETED);
  assertEquals(await client.result(3, "tasks/get", { taskId, ...MT }), {
    ...COMPLETED,
    result: { resultType: "complete", ...COMPLETED.result },
    resultType: "complete",
    _meta: SI,
  });
  const acknowledged = { resultType: "complete", _meta: SI };
  for (const id of [4, 5]) {
    assertEquals(await client.result(id, "tasks/cancel", { taskId, ...MT }), acknowledged);
  }
  assertEquals(client.face.cancelledTasks, [taskId, taskId]);
  const update = { taskId, inputResponses: { any: {} }, ...MT };
  assertEquals(await client.result(6, "tasks/update", update), acknowledged);
  await client.close();
});

Deno.test("case 23: a task that failed carries its error, and neither result nor a stale one", async () => {
  const client = new Client();
  const failed = {
    ...WORKING,
    status: "failed",
    error: { code: -32603, message: "The editor has gone.", data: { seen: "refused" } },
  } as const;
  client.face.changeTask({ ...failed, result: { content: [] } });
  assertEquals(await client.result(1, "tasks/get", { taskId: "task-1", ...MT }), {
    ...failed,
    resultType: "complete",
    _meta: SI,
  });
  await client.close();
});

Deno.test("case 23: unknown ids are -32602, undeclared clients get -32021 first", async () => {
  const client = new Client();
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    for (const params of [{ taskId: "nope" }, { taskId: 5 }, {}]) {
      assertEquals((await client.error(1, method, { ...params, ...MT })).code, -32602, method);
      const { code, data } = await client.error(2, method, { ...params, ...M });
      assertEquals([code, data], [-32021, REQUIRED], method);
    }
  }
  const { code, data } = await client.error(3, "subscriptions/listen", {
    notifications: { taskIds: ["task-1"] },
    ...M,
  });
  assertEquals([code, data], [-32021, REQUIRED]);
  await client.close();
});

Deno.test("case 27: legacy clients have no tasks: the field is ignored, the methods do not exist", async () => {
  const client = new Client();
  await client.initialize();
  const result = await client.result(1, "tools/call", {
    name: "add",
    arguments: { a: 1, b: 2 },
    task: { ttl: 1000 },
  });
  assertEquals(result.structuredContent, { sum: 3 });
  for (const method of ["tasks/get", "tasks/cancel", "tasks/list", "tasks/result"]) {
    assertEquals((await client.error(2, method, { taskId: "task-1" })).code, -32601);
  }
  await client.close();
});
