import { assertEquals } from "@std/assert";
import { asList, asObject, Client, M } from "./client.ts";

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
const call = (id: number, name: string) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name },
});

Deno.test("case 31: after 2025-03-26 a batch is answered with one line", async () => {
  const client = new Client();
  await client.initialize("2025-03-26");
  client.send([
    ping(2),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    call(3, "echo"),
    7,
  ]);
  const answers = asList(await client.output.next());
  assertEquals(answers.map((one) => one.id), [undefined, 2, 3]);
  assertEquals(asObject(answers[0]?.error).code, -32600);
  assertEquals(answers[1], { jsonrpc: "2.0", id: 2, result: {} });
  assertEquals(answers[2]?.result, { content: [{ type: "text", text: "{}" }] });
  await client.close();
});

Deno.test("case 31: a batch of notifications is not answered, an empty one gets one error", async () => {
  const client = new Client();
  await client.initialize("2025-03-26");
  client.send([{ jsonrpc: "2.0", method: "notifications/initialized" }]);
  client.send([{ jsonrpc: "2.0", id: 1, result: {} }]);
  client.send([]);
  const answer = await client.next();
  assertEquals([asObject(answer.error).code, answer.id], [-32600, undefined]);
  assertEquals(await client.result(1, "ping"), {});
  await client.close();
});

Deno.test("case 31: initialize and modern requests cannot be part of a batch", async () => {
  const client = new Client();
  await client.initialize("2025-03-26");
  client.send([{ jsonrpc: "2.0", id: 5, method: "initialize", params: {} }]);
  client.send([{ jsonrpc: "2.0", id: 6, method: "tools/list", params: M }]);
  for (const id of [5, 6]) {
    const answers = asList(await client.output.next());
    assertEquals(answers.map((one) => [one.id, asObject(one.error).code]), [[id, -32600]]);
  }
  await client.close();
});

Deno.test("batches are refused before the handshake and in the other versions", async () => {
  for (const version of [undefined, "2024-11-05", "2025-06-18", "2025-11-25"]) {
    const client = new Client();
    if (version !== undefined) await client.initialize(version);
    client.send([ping(1)]);
    const answer = await client.next();
    assertEquals([asObject(answer.error).code, answer.id], [-32600, undefined], version);
    await client.close();
  }
});

Deno.test("a cancelled request leaves its batch, and a batch of cancelled ones is not answered", async () => {
  const client = new Client();
  await client.initialize("2025-03-26");
  client.send([call(1, "slow"), ping(2)], [call(3, "slow")]);
  await client.face.nextSlow();
  await client.face.nextSlow();
  client.notify("notifications/cancelled", { requestId: 1 });
  client.notify("notifications/cancelled", { requestId: 3 });
  assertEquals(await client.output.next(), [{ jsonrpc: "2.0", id: 2, result: {} }]);
  await client.quiet();
  await client.close();
});
