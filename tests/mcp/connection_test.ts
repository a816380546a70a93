import { assertEquals } from "@std/assert";
import { Client, M, MT } from "./client.ts";
Deno.test("smoke", async () => {
  const c = new Client();
  await c.initialize();
  console.log(await c.ask(1, "tools/call", { name: "add", arguments: { a: 1, b: 2 } }));
  console.log(await c.ask(2, "tools/call", { name: "add", arguments: { a: 1, b: 2 }, ...M }));
  console.log(await c.ask(3, "tools/call", { name: "job", ...MT }));
  console.log(await c.ask(4, "tasks/get", { taskId: "task-1", ...MT }));
  console.log(await c.ask(4, "tasks/cancel", { taskId: "task-1", ...MT }));
  console.log(await c.ask(4, "tasks/update", { taskId: "task-1", ...MT }));
  console.log(await c.ask(4, "resources/read", { uri: "x://", ...MT }));
  console.log(await c.ask(4, "resources/read", { uri: "x://" }));
  console.log(await c.ask(4, "resources/list", { ...M }));
  assertEquals(await c.close(), "end_of_input");
});
