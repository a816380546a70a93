import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import fc from "fast-check";
import { exchange, type ExchangeOutcome } from "../../src/editor/exchange.ts";
import {
  describeFault,
  exchangeError,
  type ExchangeFault,
  mayHaveArrived,
} from "../../src/editor/exchange_faults.ts";
import { connectLoopback, type Wire } from "../../src/editor/loopback.ts";
import { systemClock } from "../../src/host/clock.ts";
import { ToolError } from "../../src/host/faults.ts";
import { scriptedConnect } from "../support/editor_calls.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { type Fault, startFaultProxy } from "../support/fault_proxy.ts";
import { automationDirectory, startProtocolServer } from "../support/protocol_server.ts";

const machine = { clock: systemClock, connect: connectLoopback };
const endpoint = { port: 1, token: "c0ffee".repeat(10), sessionId: "s1" };

function kindOf(outcome: ExchangeOutcome): string {
  return outcome.kind === "reply" ? "reply" : outcome.fault.kind;
}

/** One exchange with a real server through a proxy that spoils it. */
async function spoiled(fault: Fault, deadlineMs = 15_000): Promise<ExchangeOutcome> {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  await using proxy = startFaultProxy(server.port, () => fault);
  return await exchange(
    machine,
    { ...server, port: proxy.port },
    { op: "state" },
    deadlineMs,
  );
}

Deno.test("an exchange overwrites token, session id and protocol of the caller", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  const outcome = await exchange(
    machine,
    server,
    { op: "query", token: "forged", session_id: "forged", protocol: 9, limit: 3 },
    15_000,
  );
  assertEquals(kindOf(outcome), "reply");
  assertEquals(server.requests, [
    { op: "query", session_id: server.sessionId, protocol: 1, limit: 3 },
  ]);
});

Deno.test("a closed port is a refusal", async () => {
  await using directory = await automationDirectory();
  const server = await startProtocolServer(directory.path);
  await server[Symbol.asyncDispose]();
  assertEquals(kindOf(await exchange(machine, server, { op: "state" }, 15_000)), "refused");
});

Deno.test("a wrong token is seen as a close without a byte", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  const outcome = await exchange(machine, { ...server, token: "wrong" }, { op: "state" }, 15_000);
  assertEquals(kindOf(outcome), "closed_without_a_byte");
});

Deno.test("a close before and after the request are both without a byte", async () => {
  assertEquals(kindOf(await spoiled({ kind: "cut_before" })), "closed_without_a_byte");
  assertEquals(kindOf(await spoiled({ kind: "drop_answer" })), "closed_without_a_byte");
});

Deno.test("an answer that breaks off is half an answer, with its bytes counted", async () => {
  const outcome = await spoiled({ kind: "cut_after", bytes: 10 });
  assertEquals(outcome, {
    kind: "fault",
    fault: { kind: "half_answer", bytes: 10, ended: "closed" },
  });
});

Deno.test("garbage is not JSON, whether it is text, a number or no UTF-8 at all", async () => {
  for (const text of ["hello\n", "[1]\n", "7\n", "null\n", "\n"]) {
    const outcome = await spoiled({ kind: "garbage", bytes: new TextEncoder().encode(text) });
    assertEquals(kindOf(outcome), "not_json", text);
  }
  const bytes = new Uint8Array([0x7b, 0xff, 0x7d, 0x0a]);
  assertEquals(kindOf(await spoiled({ kind: "garbage", bytes })), "not_json");
});

Deno.test("a flood is cut off at 16 MiB", async () => {
  assertEquals(kindOf(await spoiled({ kind: "flood" })), "too_large");
});

Deno.test("an answer of exactly 16 MiB is read, one byte more is too large", async () => {
  const answer = (bytes: number) => {
    const line = new Uint8Array(bytes).fill(0x20);
    line.set(new TextEncoder().encode('{"ok":true}'));
    line[bytes - 1] = 0x0a;
    return scriptedConnect(() => line);
  };
  const cap = 16_777_216;
  const asked = (bytes: number) =>
    exchange({ clock: systemClock, connect: answer(bytes) }, endpoint, { op: "x" }, 15_000);
  assertEquals(kindOf(await asked(cap)), "reply");
  assertEquals(kindOf(await asked(cap + 1)), "too_large");
});

Deno.test("an editor that says nothing is silent once the deadline has passed", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path, { handler: () => "hang" });
  const clock = new FakeClock();
  const asking = exchange({ ...machine, clock }, server, { op: "state" }, 15_000);
  await server.arrived(1);
  await clock.advance(15_000);
  assertEquals(await asking, { kind: "fault", fault: { kind: "silent", deadlineMs: 15_000 } });
  assertEquals(clock.pending, 0);
});

Deno.test("an answer that stops in the middle is half an answer at the deadline", async () => {
  const clock = new FakeClock();
  const wire: Wire & { closed: (value: null) => void; count: number } = (() => {
    const closed = Promise.withResolvers<null>();
    return {
      closed: closed.resolve,
      count: 0,
      write: (bytes: Uint8Array) => Promise.resolve(bytes.length),
      read(buffer: Uint8Array) {
        buffer[0] = 0x7b;
        return this.count++ === 0 ? Promise.resolve(1) : closed.promise;
      },
      close: () => closed.resolve(null),
    };
  })();
  const asking = exchange(
    { clock, connect: () => Promise.resolve(wire) },
    endpoint,
    { op: "state" },
    15_000,
  );
  await clock.advance(15_000);
  assertEquals(await asking, {
    kind: "fault",
    fault: { kind: "half_answer", bytes: 1, ended: "deadline" },
  });
});

Deno.test("a connect that hangs ends with the same deadline", async () => {
  const clock = new FakeClock();
  const asking = exchange(
    {
      clock,
      connect: (_port, signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    },
    endpoint,
    { op: "hello" },
    1_000,
  );
  await clock.advance(1_000);
  assertEquals(await asking, { kind: "fault", fault: { kind: "unconnected", deadlineMs: 1_000 } });
});

Deno.test("a request over 1 MiB is refused before any connection, one of exactly 1 MiB is not", async () => {
  let connections = 0;
  const answering = scriptedConnect(() => new TextEncoder().encode('{"ok":true}\n'));
  const connect: typeof answering = (port, signal) => {
    connections++;
    return answering(port, signal);
  };
  const envelope = JSON.stringify({
    op: "run",
    text: "",
    token: endpoint.token,
    session_id: endpoint.sessionId,
    protocol: 1,
  }).length + 1;
  const asked = (bytes: number) =>
    exchange(
      { clock: systemClock, connect },
      endpoint,
      { op: "run", text: "x".repeat(bytes - envelope) },
      15_000,
    );
  assertEquals(await asked(1_048_577), {
    kind: "fault",
    fault: { kind: "request_too_large", bytes: 1_048_577 },
  });
  assertEquals(connections, 0);
  assertEquals(kindOf(await asked(1_048_576)), "reply");
});

Deno.test("an abort ends the exchange at once with the signal's own reason", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path, { handler: () => "hang" });
  const controller = new AbortController();
  const asking = exchange(machine, server, { op: "state" }, 15_000, controller.signal);
  await server.arrived(1);
  controller.abort(new Error("the client cancelled"));
  await assertRejects(() => asking, Error, "the client cancelled");
});

Deno.test("an exchange that was aborted before it began opens no connection", async () => {
  const connect = () => Promise.reject(new Error("connected"));
  await assertRejects(
    () =>
      exchange(
        { clock: systemClock, connect },
        endpoint,
        { op: "state" },
        1,
        AbortSignal.abort(new Error("early")),
      ),
    Error,
    "early",
  );
});

Deno.test("what the sandbox refuses is said in our own words", async () => {
  const connect = () => Promise.reject(new Deno.errors.NotCapable("run again with --allow-net"));
  const outcome = await exchange({ clock: systemClock, connect }, endpoint, { op: "hello" }, 1_000);
  if (outcome.kind !== "fault") throw new Error("It was answered");
  assertMatch(describeFault(outcome.fault), /sandbox grants no connection/);
});

Deno.test("a token that the editor echoes is withheld from the answer", async () => {
  const connect = scriptedConnect((request) =>
    new TextEncoder().encode(JSON.stringify({ ok: false, error: `bad ${request.token}` }) + "\n")
  );
  const outcome = await exchange({ clock: systemClock, connect }, endpoint, { op: "x" }, 1_000);
  assertEquals(outcome, {
    kind: "reply",
    reply: { ok: false, error: "bad (token withheld)" },
  });
});

const everyFault: readonly ExchangeFault[] = [
  { kind: "refused" },
  { kind: "unreachable", seen: "no route" },
  { kind: "unconnected", deadlineMs: 15_000 },
  { kind: "closed_without_a_byte" },
  { kind: "silent", deadlineMs: 15_000 },
  { kind: "half_answer", bytes: 3, ended: "closed" },
  { kind: "half_answer", bytes: 3, ended: "deadline" },
  { kind: "not_json", bytes: 3 },
  { kind: "too_large" },
  { kind: "request_too_large", bytes: 2_000_000 },
];

Deno.test("every fault is worded differently, and only an oversized request is the tool's error", () => {
  const messages = everyFault.map((fault) => exchangeError("query", 4000, fault, "Next."));
  assertEquals(new Set(messages.map(({ message }) => message)).size, everyFault.length);
  assertEquals(
    messages.map((error) => error instanceof ToolError),
    everyFault.map(({ kind }) => kind === "request_too_large"),
  );
});

Deno.test("only faults before the request was out leave no doubt about its outcome", () => {
  const certain = everyFault.filter((fault) => !mayHaveArrived(fault)).map(({ kind }) => kind);
  assertEquals(certain, ["refused", "unreachable", "unconnected", "request_too_large"]);
});

Deno.test("whatever bytes an editor sends, the outcome is an object or a told-apart fault", async () => {
  await fc.assert(fc.asyncProperty(
    fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.json().map((text) => new TextEncoder().encode(text + "\n")),
      fc.string().map((text) => new TextEncoder().encode(text + "\n")),
    ),
    fc.integer({ min: 1, max: 50 }),
    async (bytes, chunk) => {
      const whole = scriptedConnect(() => bytes);
      const connect: typeof whole = async (port, signal) => {
        const wire = await whole(port, signal);
        return {
          read: (buffer) => wire.read(buffer.subarray(0, chunk)),
          write: (out) => wire.write(out),
          close: () => wire.close(),
        };
      };
      const outcome = await exchange({ clock: systemClock, connect }, endpoint, { op: "x" }, 5_000);
      const kinds = ["reply", "closed_without_a_byte", "half_answer", "not_json"];
      assert(kinds.includes(kindOf(outcome)), kindOf(outcome));
      assertEquals(kindOf(outcome) === "closed_without_a_byte", bytes.length === 0);
    },
  ));
});
