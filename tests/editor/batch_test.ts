import { assert, assertEquals, assertMatch, assertObjectMatch, assertRejects } from "@std/assert";
import { stepId } from "../../src/editor/step_ids.ts";
import { InfrastructureError, ToolError } from "../../src/host/faults.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { drive, watched } from "../support/editor_calls.ts";
import { scriptedSetting, type Setting, setting } from "../support/editor_setting.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { pickEditor } from "../support/pick_editor.ts";
import { type Handler, isOp, ordinaryState, settled } from "../support/protocol_server.ts";

const wait = { kind: "mutation", waitMs: 30_000 } as const;
const noWait = { kind: "mutation", waitMs: 0 } as const;

/** What was sent of the steps. */
function sentTo({ server }: Setting): readonly JsonObject[] {
  return server.requests.filter(({ op }) => op !== "hello" && op !== "operation");
}

const batchOf = (...steps: readonly JsonObject[]) => ({ op: "batch", request_id: "b", steps });

/** Completes every step, with a state whose revision rises. */
function rising(): Handler {
  let revision = 12;
  return (request) =>
    settled(request, {
      result: { did: request.op ?? null },
      changes: [{ handle: "8A", kind: "Added" }],
      state: ordinaryState("s", { revision: ++revision, event_cursor: revision }),
    });
}

Deno.test("the steps run in order under stable ids, with fresh preconditions each", async () => {
  await using at = await setting(rising());
  const reply = await at.session.batch(
    batchOf(
      { op: "entities_create", entities: [], revision: 1, client_id: "x", selection: [] },
      { op: "undo", geometry_revision: 1, camera_revision: 1 },
    ),
    wait,
    watched(),
  );
  const [first, second] = sentTo(at);
  assertEquals([first?.request_id, second?.request_id], [stepId("b", 0), stepId("b", 1)]);
  assertEquals([first?.revision, second?.revision], [12, 13]);
  assert(!("selection" in (first ?? {})));
  assert(!("geometry_revision" in (second ?? {})) && !("camera_revision" in (second ?? {})));
  assertMatch(String(first?.client_id), /^[0-9a-f]{32}$/);
  const { state, ...rest } = reply;
  assertEquals(rest, {
    ok: true,
    status: "completed",
    request_id: "b",
    completed_steps: 2,
    total_steps: 2,
    next_step: null,
    results: [
      {
        ok: true,
        status: "completed",
        request_id: stepId("b", 0),
        error: null,
        result: { did: "entities_create" },
        step: 0,
        op: "entities_create",
      },
      {
        ok: true,
        status: "completed",
        request_id: stepId("b", 1),
        error: null,
        result: { did: "undo" },
        step: 1,
        op: "undo",
      },
    ],
    changes: [{ handle: "8A", kind: "Added", step: 0 }, { handle: "8A", kind: "Added", step: 1 }],
  });
  assertEquals(state, ordinaryState("s", { revision: 14, event_cursor: 14 }));
});

Deno.test("what the batch itself demands is demanded of its first step only", async () => {
  await using at = await setting(rising());
  await at.session.batch(
    { ...batchOf({ op: "redo" }, { op: "redo" }), revision: 5, document_id: 9 },
    wait,
    watched(),
  );
  assertEquals(sentTo(at).map(({ revision, document_id }) => [revision, document_id]), [
    [5, 9],
    [13, 3],
  ]);
});

Deno.test("progress says which step is running", async () => {
  await using at = await setting(rising());
  const waiting = watched();
  await at.session.batch(batchOf({ op: "undo" }, { op: "redo" }), wait, waiting);
  assertEquals(waiting.phases.filter((phase) => /^step \d of \d$/.test(phase)), [
    "step 1 of 2",
    "step 2 of 2",
  ]);
});

Deno.test("a failed or cancelled step stops the batch", async () => {
  for (
    const [stop, expected] of [
      [{ ok: false, status: "failed", code: "layer_locked", error: "Layer A is locked" }, "failed"],
      [{ ok: false, error: "legacy" }, "failed"],
      [{ ok: true, status: "cancelled" }, "cancelled"],
    ] as const
  ) {
    await using at = await setting((request) => request.op === "redo" ? stop : settled(request));
    const reply = await at.session.batch(
      batchOf({ op: "undo" }, { op: "redo" }, { op: "undo" }),
      wait,
      watched(),
    );
    assertEquals(reply.status, expected);
    assertEquals(reply.ok, expected !== "failed");
    assertEquals([reply.completed_steps, reply.total_steps, reply.next_step], [1, 3, 1]);
    assertEquals(sentTo(at).length, 2);
    if (expected === "failed") assertMatch(String(reply.error), /^steps\[1\] failed: /);
  }
});

Deno.test("waiting_input stops the batch unless the next step is the input or a cancel", async () => {
  const handler: Handler = (request) =>
    settled(request, request.op === "start" ? { status: "waiting_input" } : {});
  for (const next of ["input", "cancel"]) {
    await using at = await setting(handler);
    const reply = await at.session.batch(batchOf({ op: "start" }, { op: next }), wait, watched());
    assertEquals([reply.status, sentTo(at).length], ["completed", 2], next);
  }
  await using at = await setting(handler);
  const reply = await at.session.batch(batchOf({ op: "start" }, { op: "undo" }), wait, watched());
  assertEquals([reply.ok, reply.status, reply.next_step], [true, "waiting_input", 1]);
  assertEquals(sentTo(at).length, 1);
  await using last = await setting(handler);
  const ended = await last.session.batch(batchOf({ op: "start" }), wait, watched());
  assertEquals([ended.status, ended.next_step], ["waiting_input", null]);
});

Deno.test("a batch without steps, with too many or with a step that is none runs nothing", async () => {
  await using at = await setting(rising());
  const many = Array.from({ length: 65 }, () => ({ op: "undo" }));
  for (
    const request of [
      { op: "batch", request_id: "none" },
      { op: "batch", request_id: "empty", steps: [] },
      { op: "batch", request_id: "many", steps: many },
      { op: "batch", request_id: "odd", steps: [{ op: "undo" }, 7] },
      { op: "batch", request_id: "opless", steps: [{}] },
    ]
  ) {
    await assertRejects(() => at.session.batch(request, wait, watched()), ToolError);
  }
  assertEquals(sentTo(at), []);
});

Deno.test("when time runs out the batch is running, and the same request takes it further", async () => {
  await using at = await setting(rising());
  const request = batchOf({ op: "undo" }, { op: "redo" }, { op: "undo" });
  const seen: unknown[] = [];
  for (let call = 0; call < 4; call++) {
    const reply = await at.session.batch(request, noWait, watched());
    seen.push([reply.status, reply.completed_steps, reply.next_step]);
  }
  assertEquals(seen, [
    ["running", 1, 1],
    ["running", 2, 2],
    ["completed", 3, null],
    ["completed", 3, null],
  ]);
  assertEquals(
    sentTo(at).map(({ request_id }) => request_id),
    [0, 1, 2].map((n) => stepId("b", n)),
  );
});

Deno.test("a step that still runs is resumed under its own id and payload", async () => {
  let done = false;
  await using at = await setting((request) =>
    done
      ? settled(request)
      : { ok: true, status: "running", request_id: request.request_id ?? null }
  );
  const request = batchOf({ op: "plot" });
  assertEquals((await at.session.batch(request, noWait, watched())).status, "running");
  done = true;
  assertEquals((await at.session.batch(request, noWait, watched())).status, "completed");
  const [first, second] = sentTo(at);
  assertEquals(second, first);
});

Deno.test("polling takes a batch further, reading its operation only looks", async () => {
  await using at = await setting(rising());
  await at.session.batch(batchOf({ op: "undo" }, { op: "redo" }), noWait, watched());
  const read = await at.session.read("operation", { request_id: "b" }, watched());
  assertEquals([read.status, read.completed_steps], ["running", 1]);
  assertEquals(sentTo(at).length, 1);
  const polled = await at.session.poll("b", watched());
  assertEquals([polled.status, polled.completed_steps], ["completed", 2]);
  assertEquals(await at.session.read("operation", { request_id: "b" }, watched()), polled);
});

Deno.test("the same id with another payload is an error, key order is no difference", async () => {
  await using at = await setting(rising());
  const reply = await at.session.batch(batchOf({ op: "undo" }), wait, watched());
  assertEquals(
    await at.session.batch(
      { steps: [{ op: "undo" }], request_id: "b", op: "batch" },
      wait,
      watched(),
    ),
    reply,
  );
  await assertRejects(
    () => at.session.batch(batchOf({ op: "redo" }), wait, watched()),
    ToolError,
    "belongs to another batch",
  );
  assertEquals(sentTo(at).length, 1);
});

Deno.test("two calls of the same batch at once run it once", async () => {
  await using at = await setting(rising());
  const request = batchOf({ op: "undo" }, { op: "redo" });
  const [first, second] = await Promise.all([
    at.session.batch(request, wait, watched()),
    at.session.batch(request, wait, watched()),
  ]);
  assertEquals(second, first);
  assertEquals(sentTo(at).length, 2);
});

Deno.test("64 batches are remembered, the oldest is forgotten first", async () => {
  await using at = await setting(rising());
  for (let count = 0; count < 65; count++) {
    await at.session.batch(
      { op: "batch", request_id: `b${count}`, steps: [{ op: "undo" }] },
      wait,
      watched(),
    );
  }
  const before = sentTo(at).length;
  const again = (id: string) =>
    at.session.batch({ op: "batch", request_id: id, steps: [{ op: "undo" }] }, wait, watched());
  await again("b1");
  assertEquals(sentTo(at).length, before);
  await again("b0");
  assertEquals(sentTo(at).length, before + 1);
});

Deno.test("a lost step is recovered, and one whose outcome is unknown can be resumed", async () => {
  let lose = true;
  await using at = await setting((request) => {
    if (request.op === "redo" && lose) return "close";
    if (request.op === "operation") {
      return { ok: false, status: "failed", code: "unknown_operation" };
    }
    return settled(request);
  });
  const request = batchOf({ op: "undo" }, { op: "redo" });
  await assertRejects(
    () => at.session.batch(request, wait, watched()),
    InfrastructureError,
    "unknown",
  );
  lose = false;
  const reply = await at.session.batch(request, wait, watched());
  assertEquals([reply.status, reply.completed_steps], ["completed", 2]);
  assertEquals(sentTo(at).filter(isOp("undo")).length, 1);
});

Deno.test("a cancel in a step dismisses it and abandons the batch", async () => {
  const editor = pickEditor();
  await using at = await setting(editor.handle);
  const request = batchOf({ op: "undo" }, { op: "getpoint", prompt: "Corner" }, { op: "redo" });
  const waiting = watched();
  const running = at.session.batch(request, wait, waiting);
  await at.server.arrived(1, isOp("operation"));
  assertEquals(editor.open(), stepId("b", 1));
  assert(waiting.phases.includes("step 2 of 3: waiting for the person to pick: Corner"));
  // While the pick is open others are forwarded at once, though the batch has the turn.
  const other = await at.session.execute({ op: "undo", request_id: "o" }, wait, watched());
  assertEquals(other.code, "busy");
  waiting.abort(new Error("stop"));
  await assertRejects(() => running, Error, "stop");
  await at.server.arrived(1, isOp("cancel"));
  // What was done before the cancel stands, and is told.
  const cancelled = { ok: false, status: "cancelled", request_id: "b", completed_steps: 1 };
  for (
    const reply of [at.session.batch(request, wait, watched()), at.session.poll("b", watched())]
  ) {
    assertObjectMatch(await reply, cancelled);
    assertMatch(String((await reply).error), new RegExp(`step 2 of 3.*${stepId("b", 1)}`));
  }
  assertEquals((await at.session.poll(stepId("b", 1), watched())).status, "cancelled");
  assertEquals(editor.open(), undefined);
  assertEquals(sentTo(at).filter(isOp("redo")), []);
});

Deno.test("dismissing a batch that went on as running ends its open step", async () => {
  const editor = pickEditor();
  await using at = await setting(editor.handle);
  const request = batchOf({ op: "getpoint" }, { op: "redo" });
  assertEquals((await at.session.batch(request, noWait, watched())).status, "running");
  await at.session.dismiss("b");
  assertEquals(editor.open(), undefined);
  assertEquals((await at.session.batch(request, wait, watched())).status, "cancelled");
});

Deno.test("a pick in a batch that waits to the ceiling is dismissed, and the batch ends with it", async () => {
  const clock = new FakeClock();
  const editor = pickEditor();
  await using at = await scriptedSetting(clock, editor.handle);
  const { session } = at;
  const request = batchOf({ op: "undo" }, { op: "getpoint" }, { op: "redo" });
  const ceiling = { kind: "pick", waitMs: 600_000 } as const;
  await assertRejects(
    () => drive(clock, session.batch(request, ceiling, watched()), 2_000),
    ToolError,
    "within 600 s",
  );
  assertEquals(editor.open(), undefined);
  const again = await drive(clock, session.batch(request, ceiling, watched()));
  assertEquals([again.status, again.completed_steps], ["cancelled", 1]);
});
