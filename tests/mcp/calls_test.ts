import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import type { Log } from "../../src/host/log.ts";
import { asList, asObject, Client, M, SI } from "./client.ts";

Deno.test("case 13: a modern tools/call has its resultType and no freshness", async () => {
  const client = new Client();
  const params = { name: "add", arguments: { a: 1, b: 2 }, ...M };
  assertEquals(await client.result(13, "tools/call", params), {
    content: [{ type: "text", text: '{"sum":3}' }],
    structuredContent: { sum: 3 },
    resultType: "complete",
    _meta: SI,
  });
  await client.close();
});

Deno.test("case 14: refused arguments are a result that is an error, without structuredContent", async () => {
  const client = new Client();
  const params = { name: "add", arguments: { a: "x" }, ...M };
  assertEquals(await client.result(14, "tools/call", params), {
    content: [{ type: "text", text: "Invalid arguments: a and b must be numbers." }],
    isError: true,
    resultType: "complete",
    _meta: SI,
  });
  await client.close();
});

Deno.test("case 15: an unknown tool is a protocol error that names the tools", async () => {
  const client = new Client();
  await client.initialize();
  for (const era of [{}, M]) {
    const { code, message } = await client.error(15, "tools/call", { name: "nope", ...era });
    assertEquals(code, -32602);
    assert(String(message).startsWith("Unknown tool: nope. Tools: add,"), `${message}`);
  }
  await client.close();
});

Deno.test("case 16: a call without a name, or with arguments that are no object, is refused", async () => {
  const client = new Client();
  await client.initialize();
  for (const era of [{}, M]) {
    const cases: JsonObject[] = [{}, { name: 5 }, { name: null }, { name: "add", arguments: [1] }];
    for (
      const params of [...cases, { name: "add", arguments: "x" }, { name: "add", arguments: 0 }]
    ) {
      const { code, message } = await client.error(16, "tools/call", { ...params, ...era });
      assertEquals(code, -32602, JSON.stringify(params));
      assert(!String(message).includes("\n"));
    }
  }
  assertEquals(client.face.calls.length, 0);
  await client.close();
});

Deno.test("arguments that are null or absent are an empty object", async () => {
  const client = new Client();
  await client.initialize();
  await client.result(1, "tools/call", { name: "echo", arguments: null });
  await client.result(2, "tools/call", { name: "echo" });
  await client.result(3, "tools/call", { name: "echo", arguments: null, ...M });
  assertEquals(client.face.calls.map(({ args }) => args), [{}, {}, {}]);
  await client.close();
});

Deno.test("arguments reach the face as they were sent", async () => {
  const client = new Client();
  const text = '{"a":{"__proto__":{"x":1},"b":[null,1e+300,"\\ud800"]},"constructor":0}';
  client.raw(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${text},` +
      `"inputResponses":5,"requestState":{},"_meta":${JSON.stringify(M._meta)}}}\n`,
  );
  const [block] = asList(asObject((await client.next()).result).content);
  assertEquals(block?.text, text);
  await client.close();
});

Deno.test("case 17: a missing resource is -32602 with exactly its uri in the modern era", async () => {
  const client = new Client();
  assertEquals(await client.error(18, "resources/read", { uri: "x://none", ...M }), {
    code: -32602,
    message: "Resource not found",
    data: { uri: "x://none" },
  });
  await client.close();
});

Deno.test("case 25: a missing resource is -32002 with exactly its uri in the legacy era", async () => {
  const client = new Client();
  await client.initialize();
  assertEquals(await client.error(18, "resources/read", { uri: "x://none" }), {
    code: -32002,
    message: "Resource not found",
    data: { uri: "x://none" },
  });
  await client.close();
});

Deno.test("case 25: legacy results are plain", async () => {
  const client = new Client();
  await client.initialize();
  assertEquals(await client.result(1, "tools/call", { name: "add", arguments: { a: 1, b: 2 } }), {
    content: [{ type: "text", text: '{"sum":3}' }],
    structuredContent: { sum: 3 },
  });
  assertEquals(await client.result(2, "ping"), {});
  assertEquals(Object.keys(await client.result(3, "tools/list")), ["tools", "ttlMs", "cacheScope"]);
  await client.close();
});

Deno.test("case 19: resources/read without uri is -32602 in both eras", async () => {
  const client = new Client();
  await client.initialize();
  for (const params of [{}, { uri: 5 }, { uri: null }]) {
    assertEquals((await client.error(19, "resources/read", { ...params, ...M })).code, -32602);
    assertEquals((await client.error(20, "resources/read", params)).code, -32602);
  }
  await client.close();
});

Deno.test("a broken way to the editor is -32603 with what was tried and seen", async () => {
  const client = new Client();
  assertEquals(await client.error(1, "tools/call", { name: "down", ...M }), {
    code: -32603,
    message: "No live session in /tmp/x. Start the editor.",
  });
  await client.close();
});

Deno.test("a defect is -32603 without detail; the log has the detail", async () => {
  const logged: string[] = [];
  const log: Log = { error: (line) => logged.push(line), warn() {}, info() {}, debug() {} };
  const client = new Client({ log });
  await client.initialize();
  for (const era of [{}, M]) {
    for (const name of ["broken", "circular"]) {
      const { code, message } = await client.error(1, "tools/call", { name, ...era });
      assertEquals(code, -32603);
      assert(String(message).startsWith("Internal error"), `${message}`);
      assert(!String(message).includes("secret detail"));
    }
  }
  assert(logged.some((line) => line.includes("secret detail")));
  assertEquals(logged.length, 4);
  await client.close();
});

Deno.test("a link is its URI as text for clients that do not know links", async () => {
  for (
    const [version, type] of [
      ["2024-11-05", "text"],
      ["2025-03-26", "text"],
      ["2025-06-18", "resource_link"],
      ["2025-11-25", "resource_link"],
    ] as const
  ) {
    const client = new Client();
    await client.initialize(version);
    const [block] = asList((await client.result(1, "tools/call", { name: "link" })).content);
    assertEquals(block?.type, type, version);
    assertEquals(block?.text ?? block?.uri, "cad://session/1/viewport.png");
    await client.close();
  }
});

Deno.test("completion/complete hands over the reference, the argument and what is filled in", async () => {
  const client = new Client();
  await client.initialize();
  const params = {
    ref: { type: "ref/resource", uri: "cad://session/{id}/state.json" },
    argument: { name: "id", value: "a" },
    context: { arguments: { hash: "1" } },
  };
  const completion = { values: ["id=a", "hash"], total: 2, hasMore: false };
  assertEquals(await client.result(1, "completion/complete", params), { completion });
  assertEquals(await client.result(2, "completion/complete", { ...params, ...M }), {
    completion,
    resultType: "complete",
    _meta: SI,
  });
  const refused: JsonObject[] = [
    {},
    { ...params, ref: { type: "ref/prompt", name: "x" } },
    { ...params, ref: { type: "ref/resource", uri: "x://{y}" } },
    { ...params, ref: { type: "ref/resource" } },
    { ...params, argument: { name: "id" } },
    { ...params, context: { arguments: { hash: 1 } } },
    { ...params, context: 5 },
  ];
  for (const bad of refused) {
    assertEquals((await client.error(3, "completion/complete", bad)).code, -32602);
    assertEquals((await client.error(4, "completion/complete", { ...bad, ...M })).code, -32602);
  }
  await client.close();
});
