import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { JsonObject } from "../../src/host/json.ts";
import { readMessage } from "../../src/mcp/message.ts";
import { asObject, Client } from "./client.ts";

/** The answers to some lines that are all answered at once. */
async function answers(...lines: string[]): Promise<JsonObject[]> {
  const client = new Client();
  client.raw(lines.map((line) => `${line}\n`).join(""));
  client.request("end", "ping");
  const all: JsonObject[] = [];
  for (let one = await client.next(); one.id !== "end"; one = await client.next()) all.push(one);
  await client.close();
  return all;
}

/** The only answer to a line: its code, and its id where it has one. */
async function refusal(line: string): Promise<unknown[]> {
  const all = await answers(line);
  assertEquals(all.length, 1, line);
  const [answer = {}] = all;
  const { code } = asObject(answer.error);
  return Object.hasOwn(answer, "id") ? [code, answer.id] : [code];
}

Deno.test("case 2: arrays and scalars are invalid requests, one answer each, without id", async () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  for (const line of ["[]", "42", `[${ping}]`, "null", "true", '"text"', "{}"]) {
    assertEquals(await refusal(line), [-32600], line);
  }
});

Deno.test("case 3: a wrong version of JSON-RPC is an invalid request with its id", async () => {
  assertEquals(await refusal('{"jsonrpc":"1.0","id":2,"method":"ping"}'), [-32600, 2]);
  assertEquals(await refusal('{"id":"a","method":"ping"}'), [-32600, "a"]);
  assertEquals(await refusal('{"jsonrpc":2.0,"id":0,"method":"ping"}'), [-32600, 0]);
});

Deno.test("case 4: an id that is none is an invalid request without id", async () => {
  for (const id of ["null", "1.5", "true", "[]", "{}", "9007199254740993", "1e400"]) {
    assertEquals(await refusal(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`), [-32600], id);
  }
});

Deno.test("a method that is no string is an invalid request with its id", async () => {
  for (const method of ["5", "null", "{}"]) {
    assertEquals(await refusal(`{"jsonrpc":"2.0","id":3,"method":${method}}`), [-32600, 3]);
  }
  assertEquals(await refusal('{"jsonrpc":"2.0","id":3}'), [-32600, 3]);
});

Deno.test("positional params are refused as params, scalars as a request", async () => {
  assertEquals(await refusal('{"jsonrpc":"2.0","id":3,"method":"ping","params":[1]}'), [-32602, 3]);
  assertEquals(await refusal('{"jsonrpc":"2.0","id":3,"method":"ping","params":5}'), [-32600, 3]);
  assertEquals(await refusal('{"jsonrpc":"2.0","id":3,"method":"ping","params":""}'), [-32600, 3]);
});

Deno.test("a malformed _meta or progress token is refused as params", async () => {
  for (const meta of ["5", "[]", '{"progressToken":{}}', '{"progressToken":1.5}']) {
    const line = `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"_meta":${meta}}}`;
    assertEquals(await refusal(line), [-32602, 3], meta);
  }
});

Deno.test("malformed notifications are never answered", async () => {
  assertEquals(
    await answers(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}',
      '{"jsonrpc":"1.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"add"}}',
    ),
    [],
  );
});

Deno.test("members that are not ours are ignored and the message is served", async () => {
  const [answer = {}] = await answers(
    '{"trace":1,"params":null,"id":0,"method":"ping","jsonrpc":"2.0","__proto__":{"id":9}}',
  );
  assertEquals([answer.id, answer.result], [0, {}]);
});

Deno.test("ids keep their type, and 0 and the empty string are ids", async () => {
  const client = new Client();
  for (const id of [0, "", "0", -1, Number.MAX_SAFE_INTEGER, "\u2028"]) {
    assertEquals(await client.result(id, "ping"), {});
  }
  await client.close();
});

/** Any JSON, and JSON that is nearly a message. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.record({
    jsonrpc: fc.constantFrom("2.0", "2.0", "1.0", 2),
    id: fc.oneof(fc.jsonValue(), fc.nat(), fc.string()),
    method: fc.oneof(
      fc.constantFrom("ping", "tools/list", "tools/call", "initialize", "resources/read", "x"),
      fc.constantFrom(
        "server/discover",
        "subscriptions/listen",
        "tasks/get",
        "completion/complete",
      ),
      fc.jsonValue(),
    ),
    params: fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.oneof(fc.constantFrom("add", "echo", "nope"), fc.jsonValue()),
        arguments: fc.jsonValue(),
        uri: fc.jsonValue(),
        cursor: fc.jsonValue(),
        ref: fc.jsonValue(),
        argument: fc.jsonValue(),
        inputResponses: fc.jsonValue(),
        requestState: fc.jsonValue(),
        notifications: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
        _meta: fc.oneof(
          fc.jsonValue(),
          fc.record({
            "io.modelcontextprotocol/protocolVersion": fc.constantFrom("2026-07-28", "x", 5),
            "io.modelcontextprotocol/clientCapabilities": fc.oneof(
              fc.constant({}),
              fc.dictionary(fc.constantFrom("roots", "extensions", "sampling"), fc.jsonValue()),
            ),
            "io.modelcontextprotocol/related-task": fc.jsonValue(),
            progressToken: fc.oneof(fc.nat(), fc.jsonValue()),
          }, { requiredKeys: [] }),
        ),
      }, { requiredKeys: [] }),
    ),
    result: fc.jsonValue(),
  }, { requiredKeys: [] }),
);

Deno.test("any JSON value as a message is read without a throw", () => {
  fc.assert(fc.property(anything, (value) => {
    const incoming = readMessage(JSON.parse(JSON.stringify(value)));
    assertEquals(typeof incoming.kind, "string");
  }));
});

Deno.test("any JSON value as a message gets exactly the answer that its kind asks for", async () => {
  await fc.assert(
    fc.asyncProperty(anything, fc.boolean(), async (value, initialized) => {
      const client = new Client();
      if (initialized) await client.initialize();
      const before = client.output.lines.length;
      const { kind, ...rest } = readMessage(JSON.parse(JSON.stringify(value)));
      client.send(value);
      await client.quiet(true);
      const own = client.output.lines.slice(before)
        .map((line): JsonObject => asObject(JSON.parse(line)))
        .filter((message) => !String(message.id).startsWith("quiet-"));
      if (kind === "request" && "request" in rest) {
        const id = rest.request.id;
        const acknowledged = own.some((message) =>
          message.method === "notifications/subscriptions/acknowledged"
        );
        const answered = own.filter((message) => Object.hasOwn(message, "id"));
        assertEquals(answered.length, acknowledged ? 0 : 1, JSON.stringify(value));
        if (!acknowledged) assertEquals(answered[0]?.id, id);
      } else {
        assertEquals(own.length, kind === "malformed" ? 1 : 0, JSON.stringify(value));
      }
      await client.close();
    }),
    { numRuns: 200 },
  );
});
