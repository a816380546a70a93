import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import fc from "fast-check";
import { InfrastructureError, ToolError } from "../../src/host/faults.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { drive, watched } from "../support/editor_calls.ts";
import { scriptedSetting, setting } from "../support/editor_setting.ts";
import { FakeClock } from "../support/fake_clock.ts";
import {
  isOp,
  ordinaryState,
  type ProtocolServer,
  running,
  settled,
  startProtocolServer,
} from "../support/protocol_server.ts";

const mutation = { kind: "mutation", waitMs: 30_000 } as const;
function without(server: ProtocolServer, op: string): readonly JsonObject[] {
  return server.requests.filter((request) => request.op !== op);
}

Deno.test("a read carries what the caller sent and nothing more", async () => {
  await using at = await setting((request) => ({ ok: true, echo: request.op ?? null }));
  const reply = await at.session.read("query", { handles: ["8A"] }, watched());
  assertEquals(reply, { ok: true, echo: "query" });
  assertEquals(without(at.server, "hello"), [
    { handles: ["8A"], op: "query", session_id: at.server.sessionId, protocol: 1 },
  ]);
});

Deno.test("a failure that the editor answers to a read is a reply, not an error", async () => {
  await using at = await setting(() => ({ ok: false, error: "Unknown handle" }));
  assertEquals(await at.session.read("query", {}, watched()), {
    ok: false,
    error: "Unknown handle",
  });
});

Deno.test("a mutation gets the defaults of the last state, also from another answer", async () => {
  await using at = await setting((request) =>
    settled(request, {
      state: ordinaryState(at.server.sessionId, { revision: 13, event_cursor: 10 }),
    })
  );
  await at.session.execute({ op: "undo", request_id: "a" }, mutation, watched());
  await at.session.execute({ op: "undo", request_id: "b" }, mutation, watched());
  const [first, second] = without(at.server, "hello");
  assertEquals([first?.revision, second?.revision], [12, 13]);
  assertEquals([first?.document_id, first?.selection], [3, ["8A"]]);
  assertMatch(String(first?.client_id), /^[0-9a-f]{32}$/);
  assertEquals(first?.client_id, second?.client_id);
  assertEquals(at.session.lastState()?.revision, 13);
});

Deno.test("an operation that is accepted is polled until it is settled", async () => {
  let polls = 0;
  await using at = await setting((request) => {
    if (request.op !== "operation") return { ...running(request), status: "accepted" };
    return ++polls < 3 ? running(request) : settled(request, { result: { saved: true } });
  });
  const waiting = watched();
  const reply = await at.session.execute({ op: "save", request_id: "s" }, mutation, waiting);
  assertEquals(reply.status, "completed");
  assertEquals(reply.result, { saved: true });
  assertEquals(waiting.phases.at(-1), "saving");
  assertEquals(
    without(at.server, "hello").map(({ op, request_id }) => [op, request_id]),
    [["save", "s"], ["operation", "s"], ["operation", "s"], ["operation", "s"]],
  );
});

Deno.test("when the wait is over the answer is running, and a poll goes on from there", async () => {
  let done = false;
  await using at = await setting((request) =>
    request.op === "operation" && done
      ? settled(request)
      : { ...running(request), status: "accepted" }
  );
  const reply = await at.session.execute(
    { op: "plot", request_id: "p" },
    { kind: "mutation", waitMs: 0 },
    watched(),
  );
  assertEquals([reply.ok, reply.status, reply.request_id], [true, "running", "p"]);
  assertEquals((await at.session.poll("p", watched())).status, "accepted");
  done = true;
  assertEquals((await at.session.poll("p", watched())).status, "completed");
});

Deno.test("a full queue in the editor does not end the waiting", async () => {
  const answers = [{ ok: false, code: "busy", error: "queue" }, {
    ok: false,
    code: "response_timeout",
    error: "slow",
  }];
  await using at = await setting((request) =>
    request.op === "operation" ? answers.shift() ?? settled(request) : running(request)
  );
  const reply = await at.session.execute({ op: "plot", request_id: "p" }, mutation, watched());
  assertEquals(reply.status, "completed");
});

Deno.test("mutations go one at a time and in the order they came", async () => {
  const gates = new Map(["a", "b", "c"].map((id) => [id, Promise.withResolvers<void>()]));
  await using at = await setting(async (request) => {
    await gates.get(String(request.request_id))?.promise;
    return settled(request);
  });
  const all = ["a", "b", "c"].map((request_id) =>
    at.session.execute({ op: "undo", request_id }, mutation, watched())
  );
  await at.server.arrived(1, isOp("undo"));
  // Reads are never held up.
  gates.set("read", Promise.withResolvers());
  assertEquals((await at.session.read("query", {}, watched())).ok, true);
  assertEquals(at.server.requests.filter(isOp("undo")).length, 1);
  for (const gate of [...gates.values()].toReversed()) gate.resolve();
  await Promise.all(all);
  assertEquals(
    at.server.requests.filter(isOp("undo")).map(({ request_id }) => request_id),
    ["a", "b", "c"],
  );
});

Deno.test("a mutation that waits longer than it may is not sent and says so", async () => {
  const gate = Promise.withResolvers<void>();
  await using at = await setting(async (request) => {
    await gate.promise;
    return settled(request);
  });
  const first = at.session.execute({ op: "undo", request_id: "a" }, mutation, watched());
  await at.server.arrived(1, isOp("undo"));
  const second = await at.session.execute(
    { op: "redo", request_id: "b" },
    { kind: "mutation", waitMs: 0 },
    watched(),
  );
  assertEquals([second.ok, second.code, second.request_id], [false, "busy", "b"]);
  gate.resolve();
  await first;
  assertEquals(at.server.requests.filter(isOp("redo")), []);
});

Deno.test("any interleaving of slow answers and reads keeps the mutations' order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ read: fc.boolean(), polls: fc.nat({ max: 3 }) }), { maxLength: 12 }),
      async (calls) => {
        const clock = new FakeClock();
        const left = new Map<string, number>();
        const sent: string[] = [];
        const done: string[] = [];
        await using at = await scriptedSetting(clock, (request) => {
          const id = String(request.request_id);
          if (request.op === "query") return { ok: true };
          if (request.op !== "operation") sent.push(id);
          const polls = left.get(id) ?? 0;
          left.set(id, polls - 1);
          if (polls > 0) return running(request);
          done.push(id);
          return settled(request);
        });
        const { session } = at;
        const expected: string[] = [];
        const all = calls.map(({ read, polls }, index) => {
          if (read) return session.read("query", {}, watched());
          const request_id = `m${index}`;
          left.set(request_id, polls);
          expected.push(request_id);
          return session.execute({ op: "undo", request_id }, mutation, watched());
        });
        await drive(clock, Promise.all(all));
        assertEquals(sent, expected);
        assertEquals(done, expected);
      },
    ),
    { numRuns: 30 },
  );
});

Deno.test("a request over 1 MiB is the tool's error and is not sent", async () => {
  await using at = await setting(settled);
  await assertRejects(
    () =>
      at.session.execute(
        { op: "run", request_id: "r", text: "x".repeat(1_100_000) },
        mutation,
        watched(),
      ),
    ToolError,
    "too large",
  );
  assertEquals(without(at.server, "hello"), []);
});

Deno.test("an editor that is gone: one rescan, and the error names the sessions that live", async () => {
  await using at = await setting(settled);
  await using other = await startProtocolServer(at.directory);
  let changes = 0;
  at.side.onSessionsChanged(() => changes++);
  at.server.crash();
  for (
    const call of [
      () => at.session.read("query", {}, watched()),
      () => at.session.execute({ op: "undo", request_id: "u" }, mutation, watched()),
    ]
  ) {
    const error = await assertRejects(call, InfrastructureError);
    assertMatch(error.message, /is gone/);
    assertMatch(error.message, /Handles, revisions and diff baselines of this session are void/);
    assert(error.message.includes(`Live sessions: ${other.sessionId}`));
  }
  assertEquals(at.session.lastState(), undefined);
  assertEquals(at.side.known().map(({ sessionId }) => sessionId), [other.sessionId]);
  assert(changes > 0);
});

Deno.test("session_changed means the same as a refusal", async () => {
  await using at = await setting(() => ({
    ok: false,
    status: "failed",
    code: "session_changed",
    error: "other",
  }));
  const error = await assertRejects(
    () => at.session.execute({ op: "undo", request_id: "u" }, mutation, watched()),
    InfrastructureError,
  );
  assertMatch(error.message, /is gone.*another session answered/);
});

Deno.test("a dropped connection of a session that still answers hello asks for another try", async () => {
  await using at = await setting(() => "close");
  const error = await assertRejects(
    () => at.session.read("query", {}, watched()),
    InfrastructureError,
  );
  assertMatch(error.message, /already serves eight connections.*is still there: call again/);
});

Deno.test("a replay after new states reaches the editor's cache with the very same payload", async () => {
  await using at = await setting((request) =>
    settled(request, {
      state: ordinaryState(at.server.sessionId, { revision: 20, event_cursor: 11 }),
    })
  );
  const request = { op: "undo", request_id: "u" };
  await at.session.execute(request, mutation, watched());
  await at.session.execute(request, mutation, watched());
  const [first, second] = without(at.server, "hello");
  assertEquals(second, first);
});
