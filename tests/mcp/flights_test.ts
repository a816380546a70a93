import { assertEquals } from "@std/assert";
import { FakeClock } from "../support/fake_clock.ts";
import { asObject, Client, M, meta, MT } from "./client.ts";
import { WORKING } from "./fake_face.ts";

const DONE = { content: [{ type: "text", text: "late" }] } as const;

Deno.test("case 20: after a cancel nothing is sent for that id or its token, in both eras", async () => {
  for (const era of [{ _meta: { progressToken: 0 } }, meta({ progressToken: 0 })]) {
    const clock = new FakeClock();
    const client = new Client({ clock });
    await client.initialize();
    client.request(22, "tools/call", { name: "slow", ...era });
    const slow = await client.face.nextSlow();
    slow.call.phase("waiting");
    await clock.advance(1000);
    assertEquals(await client.next(), {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: 0, progress: 1, message: "waiting" },
    });
    client.notify("notifications/cancelled", { requestId: 22, reason: "changed my mind" });
    await client.quiet();
    assertEquals(slow.call.signal.aborted, true);
    slow.call.phase("still here");
    await clock.advance(5000);
    slow.finish(DONE);
    await client.quiet();
    assertEquals(client.face.cancelledAnswered, []);
    assertEquals(clock.pending, 0);
    await client.close();
  }
});

Deno.test("progress that a slow reader has not got yet is dropped by a cancel", async () => {
  const clock = new FakeClock();
  const written: string[] = [];
  let release = () => {};
  const writer = {
    async write(bytes: Uint8Array) {
      written.push(new TextDecoder().decode(bytes));
      await new Promise<void>((resolve) => release = resolve);
      return bytes.length;
    },
  };
  const client = new Client({ clock, writer });
  const { _meta } = meta({ progressToken: "t" });
  client.request(1, "tools/call", { name: "slow", _meta });
  const slow = await client.face.nextSlow();
  slow.call.phase("waiting");
  client.request(2, "tools/list", M);
  await clock.advance(3000);
  client.notify("notifications/cancelled", { requestId: 1 });
  client.request(3, "server/discover", M);
  await clock.advance(0);
  assertEquals(written.length, 1);
  for (const count of [1, 2]) {
    assertEquals(written.length, count);
    release();
    await clock.advance(0);
  }
  assertEquals(written.map((line) => asObject(JSON.parse(line)).id), [2, 3]);
  await client.close();
});

Deno.test("a cancelled call that fails is as silent as one that succeeds", async () => {
  const client = new Client();
  await client.initialize();
  for (const era of [{}, M]) {
    client.request(1, "tools/call", { name: "slow", ...era });
    const slow = await client.face.nextSlow();
    slow.call.signal.addEventListener("abort", () => slow.fail(slow.call.signal.reason));
    client.notify("notifications/cancelled", { requestId: 1 });
    await client.quiet();
  }
  await client.close();
});

Deno.test("7 and the text 7 are different ids", async () => {
  const client = new Client();
  await client.initialize();
  for (const era of [{}, M]) {
    client.request(7, "tools/call", { name: "slow", ...era });
    const slow = await client.face.nextSlow();
    client.notify("notifications/cancelled", { requestId: "7" });
    await client.quiet();
    assertEquals(slow.call.signal.aborted, false);
    slow.finish(DONE);
    assertEquals((await client.next()).id, 7);
  }
  assertEquals(client.face.cancelledAnswered, ["7", "7"]);
  await client.close();
});

Deno.test("a cancel may carry the modern envelope", async () => {
  const client = new Client();
  client.request(0, "tools/call", { name: "slow", ...M });
  const slow = await client.face.nextSlow();
  client.notify("notifications/cancelled", { requestId: 0, ...M });
  await client.quiet();
  assertEquals(slow.call.signal.aborted, true);
  await client.close();
});

Deno.test("a cancel of what is not in flight reaches the face, a malformed one nobody", async () => {
  const client = new Client();
  await client.initialize();
  await client.result(1, "tools/call", { name: "echo" });
  for (const requestId of [1, "init", "never", "", 0, null, 1.5, {}, true]) {
    client.notify("notifications/cancelled", { requestId });
  }
  client.notify("notifications/cancelled");
  await client.quiet();
  assertEquals(client.face.cancelledAnswered, [1, "init", "never", "", 0]);
  await client.close();
});

Deno.test("a request whose cancel comes along with it never reaches the face", async () => {
  const requests = [
    { id: 1, method: "tools/call", params: { name: "echo", ...M } },
    { id: 2, method: "tasks/cancel", params: { taskId: WORKING.taskId, ...MT } },
  ];
  for (const { id, method, params } of requests) {
    const client = new Client();
    client.face.changeTask(WORKING);
    client.send(
      { jsonrpc: "2.0", id, method, params },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } },
    );
    // By the time of this answer the SDK is loaded, and whoever waited for it was served.
    await client.result(3, "tasks/get", { taskId: WORKING.taskId, ...MT });
    assertEquals([client.face.calls, client.face.cancelledTasks], [[], []]);
    await client.close();
  }
});

Deno.test("ids may be used again after the answer, and even at the same time", async () => {
  const client = new Client();
  assertEquals((await client.result(1, "tools/call", { name: "echo", ...M })).isError, undefined);
  for (const n of [1, 2]) {
    client.request(1, "tools/call", { name: "slow", arguments: { n }, ...M });
  }
  const calls = [await client.face.nextSlow(), await client.face.nextSlow()];
  for (const call of calls) call.finish({ content: [], structuredContent: call.args });
  const answers = [await client.next(), await client.next()];
  assertEquals(answers.map(({ id }) => id), [1, 1]);
  assertEquals(answers.map(({ result }) => asObject(result).structuredContent), [{ n: 1 }, {
    n: 2,
  }]);
  for (const n of [1, 2]) {
    client.request(1, "tools/call", { name: "slow", arguments: { n }, ...M });
  }
  const both = [await client.face.nextSlow(), await client.face.nextSlow()];
  client.notify("notifications/cancelled", { requestId: 1 });
  await client.quiet();
  assertEquals(both.map(({ call }) => call.signal.aborted), [true, true]);
  await client.close();
});

Deno.test("requests are served side by side, and ping is not held up", async () => {
  const client = new Client();
  await client.initialize();
  client.request(1, "tools/call", { name: "slow" });
  const slow = await client.face.nextSlow();
  assertEquals(await client.result(2, "ping"), {});
  assertEquals((await client.result(3, "tools/call", { name: "echo" })).isError, undefined);
  assertEquals(
    (await client.result(4, "tools/call", { name: "echo", ...M })).resultType,
    "complete",
  );
  slow.finish(DONE);
  assertEquals((await client.next()).id, 1);
  await client.close();
});

Deno.test("the face learns who asks", async () => {
  const client = new Client();
  await client.initialize("2025-06-18");
  await client.result("a", "tools/call", { name: "echo" });
  await client.result(0, "tools/call", { name: "echo", ...M });
  assertEquals(
    client.face.calls.map(({ call: { id, era, protocolVersion, tasks } }) => [
      id,
      era,
      protocolVersion,
      tasks,
    ]),
    [["a", "legacy", "2025-06-18", false], [0, "modern", "2026-07-28", false]],
  );
  await client.close();
});
