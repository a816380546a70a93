import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { InfrastructureError } from "../../src/host/faults.ts";
import { drive, watched } from "../support/editor_calls.ts";
import { scriptedSetting, setting, spoiledSetting } from "../support/editor_setting.ts";
import { FakeClock } from "../support/fake_clock.ts";
import type { Fault } from "../support/fault_proxy.ts";
import { isOp, running, settled } from "../support/protocol_server.ts";

const mutation = { kind: "mutation", waitMs: 30_000 } as const;
const unknown = { ok: false, status: "failed", code: "unknown_operation", error: "no such" };

const pass: Fault = { kind: "pass" };

Deno.test("a lost answer is recovered through operation and the request is never repeated", async () => {
  const losses: readonly Fault[] = [
    { kind: "drop_answer" },
    { kind: "cut_after", bytes: 5 },
    { kind: "garbage", bytes: new TextEncoder().encode("<html>\n") },
  ];
  for (const loss of losses) {
    await using at = await spoiledSetting(
      (request) => settled(request, { result: { by: request.op ?? null } }),
      (op) => (op === "undo" ? loss : pass),
    );
    // Garbage comes in place of the answer, so the editor never heard of that request.
    const reply = await at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
    assertEquals(reply.result, { by: "operation" }, loss.kind);
    assert(at.server.requests.filter(isOp("undo")).length <= 1);
  }
});

Deno.test("a lost answer of an operation that still runs is waited for", async () => {
  let asked = 0;
  await using at = await spoiledSetting(
    (request) => request.op === "operation" && ++asked > 2 ? settled(request) : running(request),
    (op) => (op === "plot" ? { kind: "drop_answer" } : pass),
  );
  const reply = await at.session.execute({ op: "plot", request_id: "p" }, mutation, watched());
  assertEquals(reply.status, "completed");
  assertEquals(at.server.requests.filter(isOp("plot")).length, 1);
});

Deno.test("recovering survives a second lost answer", async () => {
  await using at = await spoiledSetting(
    (request) => settled(request),
    (
      op,
      count,
    ) => (op === "undo" || (op === "operation" && count === 0) ? { kind: "drop_answer" } : pass),
  );
  const reply = await at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
  assertEquals(reply.status, "completed");
});

Deno.test("an outcome that cannot be learned is unknown, with the read that shows the truth", async () => {
  await using at = await spoiledSetting(
    (request) => (request.op === "operation" ? unknown : settled(request)),
    (op) => (op === "save" ? { kind: "cut_before" } : pass),
  );
  const error = await assertRejects(
    () => at.session.execute({ op: "save", request_id: "s" }, mutation, watched()),
    InfrastructureError,
  );
  assertMatch(error.message, /outcome of 'save' \(request_id s\) is unknown/);
  assertMatch(error.message, /closed the connection without a byte/);
  assertMatch(error.message, /ocs_read op state/);
  assert(!error.message.includes(at.server.token));
});

Deno.test("an editor whose window took the request up late is asked until it knows the operation", async () => {
  let asked = 0;
  await using at = await setting((request) => {
    if (request.op !== "operation") return { ok: false, code: "response_timeout", error: "slow" };
    return ++asked < 3 ? unknown : settled(request);
  });
  const reply = await at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
  assertEquals(reply.status, "completed");
  assertEquals(at.server.requests.filter(isOp("undo")).length, 1);
});

Deno.test("an answer that never comes is asked for once the deadline has passed", async () => {
  const clock = new FakeClock();
  const ops: unknown[] = [];
  await using at = await scriptedSetting(clock, (request) => {
    ops.push(request.op);
    return request.op === "undo" ? new Promise<never>(() => {}) : settled(request);
  });
  const from = clock.now();
  const asking = at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
  assertEquals((await drive(clock, asking, 500)).status, "completed");
  assertEquals(clock.now() - from, 15_000);
  assertEquals(ops, ["undo", "operation"]);
});

Deno.test("an editor that answers nothing at all is not asked on once the wait is over", async () => {
  const clock = new FakeClock();
  const ops: unknown[] = [];
  await using at = await scriptedSetting(clock, (request) => {
    ops.push(request.op);
    return new Promise<never>(() => {});
  });
  const short = { kind: "mutation", waitMs: 1_000 } as const;
  const asking = at.session.execute({ op: "undo", request_id: "u" }, short, watched());
  const error = await assertRejects(() => drive(clock, asking, 500), InfrastructureError);
  assertMatch(error.message, /outcome of 'undo' \(request_id u\) is unknown/);
  assertEquals(ops, ["undo", "operation"]);
});

Deno.test("a request that never got a connection did not happen, and says so", async () => {
  const clock = new FakeClock();
  let connections = 0;
  const heard: unknown[] = [];
  await using at = await scriptedSetting(
    clock,
    (request) => {
      heard.push(request.op);
      return settled(request);
    },
    (usual) => (port, signal) =>
      connections++ === 0 ? usual(port, signal) : new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  );
  const asking = at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
  const error = await assertRejects(() => drive(clock, asking, 500), InfrastructureError);
  assertMatch(error.message, /no connection free for this within 15 s: nothing was sent/);
  assert(!error.message.includes("unknown"), error.message);
  assertEquals([connections, heard], [2, []]);
});

Deno.test("an editor that dies with the answer is gone, and whether it was done is unknown", async () => {
  await using at = await spoiledSetting(
    (request) => settled(request),
    () => pass,
  );
  at.server.handle(() => {
    at.refuse();
    return "close";
  });
  const error = await assertRejects(
    () => at.session.execute({ op: "undo", request_id: "u" }, mutation, watched()),
    InfrastructureError,
  );
  assertMatch(error.message, /is gone.*Whether 'undo' was done is unknown/);
});

Deno.test("an editor that dies while it works leaves it unknown whether the work was done", async () => {
  await using at = await spoiledSetting(running, () => pass);
  at.server.handle((request) => {
    if (request.op === "save") at.refuse();
    return running(request);
  });
  const error = await assertRejects(
    () => at.session.execute({ op: "save", request_id: "s" }, mutation, watched()),
    InfrastructureError,
  );
  assertMatch(error.message, /is gone.*Whether 'save' was done is unknown/);
});

Deno.test("a slow mutation holds no read up", async () => {
  const slow = Promise.withResolvers<void>();
  await using at = await spoiledSetting(
    (request) => settled(request),
    (op) => (op === "undo" ? { kind: "delay", until: slow.promise } : pass),
  );
  const undoing = at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
  assertEquals((await at.session.read("query", {}, watched())).ok, true);
  slow.resolve();
  assertEquals((await undoing).status, "completed");
});
