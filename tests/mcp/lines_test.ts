import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { systemClock } from "../../src/host/clock.ts";
import { chunks, LineSplitter, parseLine } from "../../src/mcp/lines.ts";
import { asObject, Client } from "./client.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Everything a splitter says about some chunks; lines as text. */
function split(parts: readonly Uint8Array[], cap = 1 << 20): string[] {
  const splitter = new LineSplitter(cap);
  // Read one by one: a line's bytes are gone with the next.
  return parts.flatMap((part) =>
    Array.from(
      splitter.push(part),
      (line) => line.kind === "line" ? new TextDecoder().decode(line.bytes) : "too long",
    )
  );
}

/** Cuts bytes at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))]
    .sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length));
}

Deno.test("case 1: a line that is not JSON is a parse error without id, and reading goes on", async () => {
  const client = new Client();
  client.raw("{oops\n");
  const answer = await client.next();
  assertEquals(asObject(answer.error).code, -32700);
  assertEquals(Object.hasOwn(answer, "id"), false);
  assertEquals(await client.result(5, "ping"), {});
  await client.close();
});

Deno.test("a line that is not UTF-8 is a parse error", async () => {
  const client = new Client();
  client.input.push(new Uint8Array([0x22, 0xff, 0x22, 0x0a]));
  assertEquals(asObject((await client.next()).error).code, -32700);
  await client.close();
});

Deno.test("case 5: a response, blank lines and unknown notifications are not answered", async () => {
  const client = new Client();
  client.send({ jsonrpc: "2.0", id: 4, result: {} });
  client.send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "yours" } });
  client.raw("\n   \r\n\r\n\t\n");
  client.notify("notifications/made_up", { a: 1 });
  assertEquals(await client.result(5, "ping"), {});
  assertEquals(client.output.lines.length, 1);
  await client.close();
});

Deno.test("a carriage return and one byte order mark are tolerated", async () => {
  const client = new Client();
  client.raw('\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n');
  assertEquals((await client.next()).id, 1);
  await client.close();
});

Deno.test("case 8: a line above the cap gets one error without id, and the next line is served", async () => {
  const client = new Client({ lineCap: 1000 });
  for (let part = 0; part < 50; part++) client.raw("x".repeat(100));
  client.raw('\n{"jsonrpc":"2.0","id":6,"method":"ping"}\n');
  const answer = await client.next();
  assertEquals(asObject(answer.error).code, -32600);
  assertEquals(Object.hasOwn(answer, "id"), false);
  assertEquals((await client.next()).id, 6);
  assertEquals(client.output.lines.length, 2);
  await client.close();
});

Deno.test("a line of exactly the cap is a line, one byte more is not", () => {
  assertEquals(split([encode("abcd\nabcde\nab\n")], 4), ["abcd", "too long", "ab"]);
});

Deno.test("an unterminated last line is not a message", async () => {
  const client = new Client();
  client.raw('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  assertEquals(await client.close(), "end_of_input");
  assertEquals(client.output.lines, []);
});

Deno.test("a line of 8 MiB arrives whole through a reader of small chunks", async () => {
  const client = new Client();
  const text = "é".repeat(4 << 20);
  client.request("big", "resources/read", { uri: text });
  client.request("after", "ping");
  const first = await client.next();
  assertEquals(first.id, "big");
  assertEquals((await client.next()).id, "after");
  await client.close();
});

Deno.test("a line is kept in memory in proportion to its length, however many chunks bring it", () => {
  const length = 8 << 20;
  const chunk = new Uint8Array(1024).fill(0x78);
  let allocated = 0;
  const lines = new LineSplitter(length, (size) => {
    allocated += size;
    return new Uint8Array(size);
  });
  for (let sent = 0; sent < length; sent += chunk.length) {
    for (const line of lines.push(chunk)) throw new Error(`No newline yet, but ${line.kind}`);
  }
  const [line] = lines.push(encode("\n"));
  assertEquals(line?.kind === "line" ? line.bytes.length : line?.kind, length);
  assert(allocated <= 3 * length, `${allocated} bytes were taken for a line of ${length}`);
});

Deno.test("however a stream is cut into chunks, its lines are the same", () => {
  fc.assert(fc.property(
    fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.json())),
    fc.array(fc.nat()),
    (texts, places) => {
      const lines = texts.map((text) => text.replaceAll("\n", " "));
      const bytes = encode(lines.map((line) => `${line}\n`).join(""));
      assertEquals(split(cut(bytes, places)), split([bytes]));
      assertEquals(split(cut(bytes, places)).length, lines.length);
    },
  ));
});

Deno.test("however a stream is cut, the same lines are too long", () => {
  fc.assert(fc.property(
    fc.array(fc.string({ unit: "binary-ascii", maxLength: 12 })),
    fc.array(fc.nat()),
    (texts, places) => {
      const lines = texts.map((text) => text.replaceAll("\n", " "));
      const bytes = encode(lines.map((line) => `${line}\n`).join(""));
      const expected = lines.map((line) => line.length > 6 ? "too long" : line);
      assertEquals(split(cut(bytes, places), 6), expected);
    },
  ));
});

Deno.test("a parsed line is the value that was written", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const text = JSON.stringify(value);
    const parsed = parseLine(encode(text));
    assertEquals(parsed, { kind: "value", value: JSON.parse(text) });
  }));
});

Deno.test("a read that would block is repeated", async () => {
  let turns = 0;
  const reader = {
    read(into: Uint8Array): Promise<number | null> {
      turns++;
      if (turns <= 2) return Promise.reject(new Deno.errors.WouldBlock("try again"));
      if (turns > 3) return Promise.resolve(null);
      into.set(encode("ab"));
      return Promise.resolve(2);
    },
  };
  const seen: string[] = [];
  for await (const chunk of chunks(reader, systemClock)) seen.push(new TextDecoder().decode(chunk));
  assertEquals(seen, ["ab"]);
});
