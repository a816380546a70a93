/** Tests that no line is longer than a client takes, whatever was to be said. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { LINE_LIMIT_BYTES, substitute } from "../../src/mcp/substitute.ts";
import { asList, asObject, Client } from "./client.ts";

const LARGE = "x".repeat(LINE_LIMIT_BYTES);
const HALF = "x".repeat(LINE_LIMIT_BYTES / 2);
const size = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
const content = (text: string) => [{ type: "text", text }];

Deno.test("a tool's answer that is too long becomes a tool error that says so", () => {
  const result = { content: content(LARGE), structuredContent: { a: 1 }, resultType: "complete" };
  const other = asObject(substitute({ jsonrpc: "2.0", id: 7, result }));
  const { content: said, ...rest } = asObject(other.result);
  assertEquals([other.id, rest], [7, { resultType: "complete", isError: true }]);
  assertStringIncludes(JSON.stringify(said), "Ask for less at once.");
});

Deno.test("any other result becomes an error, and a notification nothing", () => {
  const other = asObject(substitute({ jsonrpc: "2.0", id: 0, result: { contents: LARGE } }));
  assertEquals([other.id, asObject(other.error).code], [0, -32603]);
  assertEquals(
    substitute({ jsonrpc: "2.0", method: "notifications/x", params: { LARGE } }),
    undefined,
  );
});

Deno.test("an error keeps its code, and repeats no more than the beginning of its message", () => {
  const error = { code: -32602, message: `Unknown tool: ${LARGE}`, data: { LARGE } };
  const other = asObject(substitute({ jsonrpc: "2.0", id: LARGE, error }));
  assertEquals(Object.keys(other), ["jsonrpc", "error"]);
  assertEquals(asObject(other.error).code, -32602);
  assert(size(other) < 2_000);
});

Deno.test("of a batch that is too long as a whole only the largest answers are replaced", () => {
  const answers: JsonObject[] = [HALF, "small", HALF, "small"].map((text, id) => ({
    jsonrpc: "2.0",
    id,
    result: { content: content(text) },
  }));
  const other = asList(substitute(answers)).map((answer) => asObject(answer));
  assertEquals(other.map(({ id }) => id), [0, 1, 2, 3]);
  assertEquals(other.map(({ result }) => asObject(result).isError), [
    undefined,
    undefined,
    true,
    undefined,
  ]);
  assert(size(other) <= LINE_LIMIT_BYTES);
});

Deno.test("an unknown name of many megabytes is refused in a line that a client takes", async () => {
  const client = new Client();
  await client.initialize();
  client.request(1, "tools/call", { name: LARGE });
  const answer = await client.next();
  assertEquals([answer.id, asObject(answer.error).code], [1, -32602]);
  client.request(LARGE, "ping");
  client.request(2, "ping");
  const [first, second] = [await client.next(), await client.next()];
  assertEquals([first.id, second.id], [undefined, 2]);
  client.input.close();
  await client.ended;
  assert(client.output.lines.every((line) => line.length < LINE_LIMIT_BYTES));
});
