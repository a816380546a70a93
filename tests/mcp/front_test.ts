import { assert, assertEquals } from "@std/assert";
import { asList, Client, M, meta, SI } from "./client.ts";

Deno.test("case 6: ping is answered before any handshake", async () => {
  const client = new Client();
  client.request(5, "ping");
  assertEquals(await client.next(), { jsonrpc: "2.0", id: 5, result: {} });
  await client.close();
});

Deno.test("case 9: server/discover tells exactly what is served", async () => {
  const client = new Client();
  assertEquals(await client.result("d", "server/discover", M), {
    supportedVersions: ["2026-07-28"],
    capabilities: {
      tools: { listChanged: false },
      resources: { subscribe: false, listChanged: true },
      completions: {},
      experimental: { "opencadstudio.build": { name: "fake" } },
      extensions: { "io.modelcontextprotocol/tasks": {} },
    },
    instructions: "Call ocs_sessions first.",
    ttlMs: 3_600_000,
    cacheScope: "public",
    resultType: "complete",
    _meta: SI,
  });
  await client.close();
});

Deno.test("case 12: tools/list without a discover before, with id 0, the same bytes each time", async () => {
  const client = new Client();
  const result = await client.result(0, "tools/list", M);
  assertEquals(result.resultType, "complete");
  assertEquals(result.ttlMs, 3_600_000);
  assertEquals(result.cacheScope, "public");
  assertEquals(result._meta, SI);
  const tools = asList(result.tools);
  assertEquals(tools.map((tool) => tool.name), client.face.tools.map((tool) => tool.name));
  assert(tools.every((tool) => !Object.hasOwn(tool, "execution")));
  await client.result(0, "tools/list", M);
  assertEquals(client.output.lines[0], client.output.lines[1]);
  await client.close();
});

Deno.test("case 18: methods that are not of the modern era, or not declared, do not exist", async () => {
  const client = new Client();
  for (
    const method of [
      "ping",
      "logging/setLevel",
      "resources/subscribe",
      "resources/unsubscribe",
      "initialize",
      "tasks/result",
      "tasks/list",
      "prompts/list",
      "prompts/get",
      "made/up",
      "constructor",
      "__proto__",
    ]
  ) {
    assertEquals((await client.error(1, method, M)).code, -32601, method);
  }
  await client.close();
});

Deno.test("case 19: a cursor is refused by every list, in both eras", async () => {
  const client = new Client();
  await client.initialize();
  for (const method of ["tools/list", "resources/list", "resources/templates/list"]) {
    for (const cursor of ["zzz", "", 5, {}]) {
      assertEquals((await client.error(1, method, { cursor, ...M })).code, -32602, method);
      assertEquals((await client.error(2, method, { cursor })).code, -32602, method);
    }
  }
  await client.close();
});

Deno.test("list results carry their freshness in both eras, other results do not", async () => {
  const client = new Client();
  await client.initialize();
  const hour = [3_600_000, "public"];
  const minute = [60_000, "public"];
  for (const era of [{}, M]) {
    for (
      const [method, expected] of [
        ["tools/list", hour],
        ["resources/list", minute],
        ["resources/templates/list", minute],
      ] as const
    ) {
      const { ttlMs, cacheScope } = await client.result(method, method, era);
      assertEquals([ttlMs, cacheScope], expected, method);
    }
    const read = await client.result(1, "resources/read", {
      uri: "cad://session/1/state.json",
      ...era,
    });
    assertEquals([read.ttlMs, read.cacheScope], [60_000, "private"]);
    const call = await client.result(2, "tools/call", { name: "echo", ...era });
    assertEquals([call.ttlMs, call.cacheScope], [undefined, undefined]);
  }
  await client.close();
});

Deno.test("resources keep the order of the face, and templates are told whole", async () => {
  const client = new Client();
  const resources = asList((await client.result(1, "resources/list", M)).resources);
  assertEquals(resources.map((one) => one.name), ["second", "first"]);
  const { resourceTemplates } = await client.result(2, "resources/templates/list", M);
  assertEquals(resourceTemplates, [...client.face.resourceTemplates]);
  await client.close();
});

Deno.test("keys of _meta that are not ours pass", async () => {
  const client = new Client();
  const params = meta({
    "com.example/turn": { deep: [1] },
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    progressToken: 0,
    "io.modelcontextprotocol/clientInfo": { name: "x", version: "1", more: true },
    "io.modelcontextprotocol/logLevel": "debug",
    "io.modelcontextprotocol/related-task": 5,
  });
  assertEquals((await client.result(1, "tools/list", params)).resultType, "complete");
  const call = await client.result(2, "tools/call", { name: "echo", ...params });
  assertEquals(call.resultType, "complete");
  await client.close();
});
