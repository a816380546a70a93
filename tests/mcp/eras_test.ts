import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { asObject, Client, M, meta } from "./client.ts";

const CC = "io.modelcontextprotocol/clientCapabilities";
const MV = "io.modelcontextprotocol/protocolVersion";

Deno.test("case 7: a modern-only method without envelope is refused and decides nothing", async () => {
  const client = new Client();
  for (const method of ["server/discover", "subscriptions/listen"]) {
    assertEquals((await client.error(7, method)).code, -32602);
  }
  assertEquals((await client.result(8, "tools/list", M)).resultType, "complete");
  assertEquals((await client.initialize()).protocolVersion, "2025-11-25");
  assertEquals((await client.error(9, "server/discover")).code, -32602);
  await client.close();
});

Deno.test("a request before any era is told what is missing; stray notifications decide nothing", async () => {
  const client = new Client();
  client.notify("notifications/initialized");
  client.notify("notifications/roots/list_changed");
  for (const method of ["tools/list", "tools/call", "made/up", "tasks/get"]) {
    const { code, message } = await client.error(1, method);
    assertEquals(code, -32602);
    assert(String(message).includes(MV) && String(message).includes("2026-07-28"), `${message}`);
    assert(String(message).includes("initialize"), `${message}`);
  }
  assertEquals((await client.result(2, "server/discover", M)).resultType, "complete");
  await client.close();
});

Deno.test("case 10: an unserved version is refused on every request, whatever came before", async () => {
  const client = new Client();
  const refused = async (requested: string, method: string) => {
    const error = await client.error(10, method, { _meta: { [MV]: requested, [CC]: {} } });
    assertEquals(error.code, -32022, method);
    assertEquals(error.data, { supported: ["2026-07-28"], requested });
  };
  await refused("1900-01-01", "tools/list");
  await client.result(9, "server/discover", M);
  await client.result(9, "resources/list", M);
  await client.initialize();
  for (const method of ["tools/list", "tools/call", "initialize", "ping", "made/up"]) {
    await refused("1900-01-01", method);
    await refused("2025-11-25", method);
    await refused("2026-07-29", method);
    await refused("", method);
  }
  await client.close();
});

Deno.test("case 11: an envelope that is not whole is refused, and the message names the key", async () => {
  const client = new Client();
  const cases: [JsonObject, string][] = [
    [{ [MV]: "2026-07-28" }, CC],
    [{ [MV]: "2026-07-28", [CC]: [] }, CC],
    [{ [MV]: "2026-07-28", [CC]: true }, CC],
    [{ [MV]: 5, [CC]: {} }, MV],
    [{ [MV]: null, [CC]: {} }, MV],
    [{ [CC]: {} }, MV],
    [{ ...meta({})._meta, "io.modelcontextprotocol/clientInfo": "x" }, "clientInfo"],
    [{ ...meta({})._meta, "io.modelcontextprotocol/clientInfo": { name: "x" } }, "clientInfo"],
    [{ ...meta({})._meta, "io.modelcontextprotocol/logLevel": "loud" }, "logLevel"],
  ];
  for (const [_meta, key] of cases) {
    for (const method of ["tools/list", "tools/call"]) {
      const error = await client.error(11, method, { _meta });
      assertEquals(error.code, -32602);
      assert(String(error.message).includes(key), `${error.message}`);
    }
  }
  await client.close();
});

Deno.test("clientInfo is not required", async () => {
  const client = new Client();
  assertEquals((await client.result(1, "tools/call", { name: "echo", ...M })).isError, undefined);
  await client.close();
});

Deno.test("case 28: a modern request on a legacy connection is served as modern", async () => {
  const client = new Client();
  await client.initialize();
  const call = { name: "add", arguments: { a: 1, b: 2 } };
  const legacy = await client.result(1, "tools/call", call);
  const modern = await client.result(2, "tools/call", { ...call, ...M });
  assertEquals([legacy.resultType, modern.resultType], [undefined, "complete"]);
  assertEquals(legacy.structuredContent, modern.structuredContent);
  assertEquals(client.face.calls.map(({ call }) => [call.era, call.protocolVersion]), [
    ["legacy", "2025-11-25"],
    ["modern", "2026-07-28"],
  ]);
  await client.close();
});

Deno.test("case 29: a probe and the fallback in one write are both answered", async () => {
  const client = new Client();
  client.send(
    { jsonrpc: "2.0", id: "probe", method: "server/discover", params: M },
    {
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "x", version: "1" },
      },
    },
  );
  const answers = [await client.next(), await client.next()];
  assertEquals(asObject(answers.find(({ id }) => id === "probe")?.result).resultType, "complete");
  assertEquals(asObject(answers.find(({ id }) => id === 0)?.result).protocolVersion, "2025-11-25");
  await client.close();
});
