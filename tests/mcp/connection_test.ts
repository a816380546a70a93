import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { fileURLToPath } from "node:url";
import { serveConnection } from "../../src/mcp/connection.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { asList, asObject, Client, M } from "./client.ts";
import { FakeFace } from "./fake_face.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Starts the client's side as a program with real pipes. */
function startProgram() {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", path("fake_program.ts")],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const send = (...messages: unknown[]) =>
    input.write(
      new TextEncoder().encode(messages.map((one) => `${JSON.stringify(one)}\n`).join("")),
    );
  return { child, input, send };
}

const request = (id: number, method: string, params: unknown = M) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

Deno.test("case 30: when stdin is closed with a call in flight the program exits with 0 and is silent", async () => {
  const { child, input, send } = startProgram();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  // A first answer shows that the SDK is loaded and the slow call is in flight.
  await send(
    request(1, "tools/call", { name: "slow", ...M }),
    request(2, "tools/call", { name: "echo", ...M }),
  );
  let output = "";
  while (!output.endsWith("\n")) {
    const { done, value } = await lines.read();
    assert(!done, "the program ended before it answered");
    output += value;
  }
  await input.close();
  for (let rest = await lines.read(); !rest.done; rest = await lines.read()) output += rest.value;
  assertEquals((await child.status).code, 0);
  const answers = output.trimEnd().split("\n").map((line) => asObject(JSON.parse(line)).id);
  assertEquals(answers, [2]);
});

Deno.test("what was answered before the end of the input still arrives, whatever its size", async () => {
  const { child, input, send } = startProgram();
  const messages = Array.from({ length: 200 }, (_, id) => request(id, "tools/list"));
  const output = child.stdout.pipeThrough(new TextDecoderStream());
  await send(...messages);
  const closed = input.close();
  let text = "";
  for await (const part of output) text += part;
  await closed;
  assertEquals((await child.status).code, 0);
  const ids = text.trimEnd().split("\n").map((line) => asObject(JSON.parse(line)).id);
  assertEquals(ids, messages.map(({ id }) => id));
});

Deno.test("when the client stops reading, the program exits with 0", async () => {
  const { child, input, send } = startProgram();
  await child.stdout.cancel();
  await send(request(1, "tools/list"));
  assertEquals((await child.status).code, 0);
  // The pipe may already be broken; either way it is not ours to keep.
  await input.close().catch(() => {});
});

Deno.test("a large answer to a client that does not read yet arrives whole", async () => {
  const { child, input, send } = startProgram();
  const size = 6_000_000;
  await send(request(1, "tools/call", { name: "echo", arguments: { size }, ...M }));
  await send(request(2, "tools/list"));
  const lines: string[] = [];
  let rest = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + part).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    if (lines.length === 2) await input.close().catch(() => {});
  }
  assertEquals((await child.status).code, 0);
  const big = lines.map((line) => asObject(JSON.parse(line))).find(({ id }) => id === 1);
  assertEquals(String(asList(asObject(big?.result).content)[0]?.text).length, size);
});

Deno.test("a client that is gone ends the connection and aborts what is in flight", async () => {
  let gone = false;
  const client = new Client({
    writer: {
      write: (bytes) =>
        gone ? Promise.reject(new Deno.errors.BrokenPipe("gone")) : Promise.resolve(bytes.length),
    },
  });
  client.request(1, "tools/call", { name: "slow", ...M });
  const slow = await client.face.nextSlow();
  gone = true;
  client.request(2, "tools/list", M);
  assertEquals(await client.ended, "client_gone");
  assertEquals(slow.call.signal.aborted, true);
  assertEquals(client.face.listeners, 0);
});

Deno.test("being told to end is the end of the input", async () => {
  const ending = new AbortController();
  const client = new Client({ signal: ending.signal });
  client.request(1, "tools/call", { name: "slow", ...M });
  const slow = await client.face.nextSlow();
  ending.abort();
  assertEquals(await client.ended, "end_of_input");
  assertEquals(slow.call.signal.aborted, true);
  slow.finish({ content: [] });
  client.request(2, "tools/list", M);
  assertEquals(client.output.lines, []);
});

Deno.test("a stdin that breaks is the end of the input", async () => {
  const end = await serveConnection(new FakeFace(), {
    reader: { read: () => Promise.reject(new Error("broken")) },
    writer: { write: (bytes) => Promise.resolve(bytes.length) },
  });
  assertEquals(end, "end_of_input");
});

Deno.test("after a rebuild the message that shows it and all in flight are answered first", async () => {
  let stale = false;
  let asked = 0;
  const client = new Client({ stale: () => (asked++, stale) });
  await client.initialize();
  client.request(1, "tools/call", { name: "slow", arguments: { n: 1 } });
  client.request(2, "tools/call", { name: "slow", ...M });
  const calls = [await client.face.nextSlow(), await client.face.nextSlow()];
  // While something is in flight nobody looks: it has to be answered first in any case.
  assertEquals(asked, 2);
  stale = true;
  assertEquals((await client.result(3, "tools/call", { name: "echo" })).isError, undefined);
  // What comes while something is in flight is served as ever, cancels too.
  client.notify("notifications/cancelled", { requestId: 2 });
  assertEquals(await client.result(4, "ping"), {});
  assertEquals(calls.map(({ call }) => call.signal.aborted), [false, true]);
  calls[0]?.finish({ content: [] });
  assertEquals((await client.next()).id, 1);
  assertEquals(await client.ended, "rebuilt");
  assertEquals(client.face.listeners, 0);
  // A line that comes too late is not even begun.
  client.request(5, "tools/call", { name: "echo" });
  client.request(6, "ping");
  await new Promise<void>((resolve) => setTimeout(resolve, 0));
  assertEquals(client.face.calls.length, 3);
  client.checkLines();
});

Deno.test("after a rebuild a client that asks on is served until it pauses for 20 ms", async () => {
  const clock = new FakeClock();
  const client = new Client({ clock, stale: () => true });
  const left = observe(client);
  for (let id = 0; id < 20; id++) {
    assertEquals(await client.result(id, "ping"), {});
    await clock.advance(19);
    assertEquals(left.end, undefined);
  }
  await clock.advance(20);
  assertEquals(left.end, "rebuilt");
});

Deno.test("after a rebuild a client that stalls within a line may end it and is answered", async () => {
  const clock = new FakeClock();
  const client = new Client({ clock, stale: () => true });
  const left = observe(client);
  const text = new TextEncoder().encode(`${JSON.stringify(request(2, "ping", {}))}\n`);
  client.send(request(1, "ping", {}));
  client.input.push(text.subarray(0, 20));
  assertEquals((await client.next()).id, 1);
  await clock.advance(500);
  assertEquals(left.end, undefined);
  client.input.push(text.subarray(20));
  assertEquals((await client.next()).id, 2);
  await clock.advance(40);
  assertEquals(left.end, "rebuilt");
});

Deno.test("after a rebuild a client that never ends its line is left after two seconds", async () => {
  const clock = new FakeClock();
  const client = new Client({ clock, stale: () => true });
  const left = observe(client);
  client.send(request(1, "ping", {}));
  client.input.push(new TextEncoder().encode("{"));
  assertEquals((await client.next()).id, 1);
  await clock.advance(1900);
  assertEquals(left.end, undefined);
  await clock.advance(200);
  assertEquals(left.end, "rebuilt");
});

Deno.test("after a rebuild a client that never pauses is left after two seconds", async () => {
  const clock = new FakeClock();
  const client = new Client({ clock, stale: () => true });
  const left = observe(client);
  let id = 0;
  while (left.end === undefined && id < 1000) {
    client.request(id++, "ping");
    await clock.advance(10);
  }
  assertEquals(left.end, "rebuilt");
  assert(id * 10 >= 2000 && id * 10 < 2100, `left after ${id * 10} ms`);
});

/** Notes how serving ended without waiting for it. */
function observe(client: Client): { end?: string } {
  const left: { end?: string } = {};
  client.ended.then((end) => left.end = end);
  return left;
}

Deno.test("however the input is cut into chunks, the answers are the same", async () => {
  const input = new TextEncoder().encode(
    [
      JSON.stringify(request(1, "ping", {})),
      "{oops",
      JSON.stringify(request(2, "tools/list", { ...M, "é😀": "\u2028" })),
      "",
      "[]",
      JSON.stringify({ jsonrpc: "2.0", id: "ü", method: "server/discover", params: M }),
      JSON.stringify(request(3, "made/up")),
      "",
    ].join("\r\n"),
  );
  const answersTo = async (places: readonly number[]) => {
    const client = new Client();
    const cuts = [0, ...places.map((place) => place % input.length).sort((a, b) => a - b)];
    cuts.forEach((from, index) => client.input.push(input.slice(from, cuts[index + 1])));
    await client.close();
    return client.output.lines;
  };
  const whole = await answersTo([]);
  assertEquals(whole.length, 6);
  await fc.assert(fc.asyncProperty(fc.array(fc.nat()), async (places) => {
    assertEquals(await answersTo(places), whole);
  }));
});

Deno.test("nothing that is imported at the start is the SDK, zod or any other package", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", path("../../src/mcp/connection.ts")],
    stderr: "inherit",
  }).output();
  const modules = asList(asObject(JSON.parse(new TextDecoder().decode(stdout))).modules);
  const seen = new Set<string>();
  const visit = (specifier: string) => {
    if (seen.has(specifier)) return;
    seen.add(specifier);
    const module = modules.find((one) => one.specifier === specifier);
    for (const dependency of asList(module?.dependencies ?? [])) {
      // An import of types only has no code.
      if (dependency.isDynamic === true || dependency.code === undefined) continue;
      visit(String(asObject(dependency.code).specifier));
    }
  };
  visit(new URL("../../src/mcp/connection.ts", import.meta.url).href);
  assert(seen.size > 10, "the graph was not walked");
  assertEquals([...seen].filter((specifier) => !specifier.startsWith("file:")), []);
  assertEquals([...seen].filter((specifier) => specifier.endsWith("/dispatch.ts")), []);
});
