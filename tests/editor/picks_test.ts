import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ToolError } from "../../src/host/faults.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { drive, sideOver, watched } from "../support/editor_calls.ts";
import { scriptedSetting, setting } from "../support/editor_setting.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { pickEditor } from "../support/pick_editor.ts";
import { isOp } from "../support/protocol_server.ts";

const pickFor = (waitMs: number) => ({ kind: "pick", waitMs }) as const;
const mutation = { kind: "mutation", waitMs: 30_000 } as const;
const getpoint = { op: "getpoint", request_id: "pick", prompt: "Where?" };

async function pickSetting() {
  const editor = pickEditor();
  return { ...await setting(editor.handle), editor };
}

Deno.test("a pick waits for the person and answers what was picked", async () => {
  await using at = await pickSetting();
  const waiting = watched();
  const picking = at.session.execute(getpoint, pickFor(600_000), waiting);
  await at.server.arrived(1, isOp("operation"));
  at.editor.answer({ point: [1, 2, 0] });
  const reply = await picking;
  assertEquals([reply.status, reply.result], ["completed", { point: [1, 2, 0] }]);
  assertEquals(new Set(waiting.phases), new Set(["waiting for the person to pick: Where?"]));
});

Deno.test("while a pick is open mutations are forwarded at once and reads answered", async () => {
  await using at = await pickSetting();
  const picking = at.session.execute(getpoint, pickFor(600_000), watched());
  await at.server.arrived(1, isOp("operation"));
  const refused = await at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
  assertEquals([refused.ok, refused.code], [false, "busy"]);
  assertEquals(await at.session.read("query", {}, watched()), { ok: true });
  assertEquals(at.editor.open(), "pick");
  at.editor.answer({});
  await picking;
  const done = await at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
  assertEquals(done.status, "completed");
});

Deno.test("a wait below the ceiling leaves the pick open, and polling finds its answer", async () => {
  await using at = await pickSetting();
  const reply = await at.session.execute(getpoint, pickFor(0), watched());
  assertEquals([reply.status, at.editor.open()], ["running", "pick"]);
  at.editor.answer({ point: [0, 0, 0] });
  assertEquals((await at.session.poll("pick", watched())).status, "completed");
});

Deno.test("only a wait that reaches 600 s dismisses the prompt and is an error of its own", async () => {
  const clock = new FakeClock();
  const editor = pickEditor();
  await using at = await scriptedSetting(clock, editor.handle);
  const { session } = at;

  const short = await drive(clock, session.execute(getpoint, pickFor(599_999), watched()), 2_000);
  assertEquals([short.status, editor.open()], ["running", "pick"]);
  const error = await assertRejects(
    () => drive(clock, session.execute(getpoint, pickFor(600_000), watched()), 2_000),
    ToolError,
  );
  assertMatch(error.message, /Nobody answered the pick 'getpoint'.*within 600 s/);
  assertEquals(editor.open(), undefined);
});

Deno.test("an answer that comes as the prompt is taken away at the ceiling is not lost", async () => {
  const reply = await atCeiling((requestId) => ({
    ok: true,
    status: "completed",
    request_id: requestId,
    result: { point: [1, 2, 0] },
  }));
  assertEquals([reply.status, reply.result], ["completed", { point: [1, 2, 0] }]);
});

Deno.test("a prompt that could not be taken away at the ceiling is not said to be gone", async () => {
  const error = await assertRejects(
    () => atCeiling(() => ({ ok: false, status: "failed", code: "busy", error: "Saving" })),
    ToolError,
  );
  assertMatch(error.message, /within 600 s, and dismissing its prompt was not confirmed/);
});

/** Waits for a pick to the ceiling, with an editor that answers the cancel as `ended` says. */
async function atCeiling(ended: (requestId: string) => JsonObject): Promise<JsonObject> {
  const clock = new FakeClock();
  const { request_id } = getpoint;
  await using at = await scriptedSetting(
    clock,
    ({ op }) => op === "cancel" ? ended(request_id) : { ok: true, status: "running", request_id },
  );
  return await drive(clock, at.session.execute(getpoint, pickFor(600_000), watched()), 2_000);
}

Deno.test("a cancel while waiting rejects with its reason, and dismisses the prompt", async () => {
  await using at = await pickSetting();
  const waiting = watched();
  const picking = at.session.execute(getpoint, pickFor(600_000), waiting);
  await at.server.arrived(1, isOp("operation"));
  waiting.abort(new Error("the client cancelled"));
  await assertRejects(() => picking, Error, "the client cancelled");
  await at.server.arrived(1, isOp("cancel"));
  const [cancel] = at.server.requests.filter(isOp("cancel"));
  assertEquals(Object.keys(cancel ?? {}).sort(), ["op", "protocol", "request_id", "session_id"]);
  // The next mutation waits for the dismissal instead of meeting it.
  const next = await at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
  assertEquals(next.status, "completed");
});

Deno.test("polls for a dismissed operation are answered without touching the editor", async () => {
  await using at = await pickSetting();
  const waiting = watched();
  const picking = at.session.execute(getpoint, pickFor(600_000), waiting);
  await at.server.arrived(1, isOp("operation"));
  waiting.abort();
  await assertRejects(() => picking);
  await at.server.arrived(1, isOp("cancel"));
  const before = at.server.requests.length;
  const cancelled = { ok: false, status: "cancelled", request_id: "pick" };
  assertEquals(await at.session.poll("pick", watched()), cancelled);
  assertEquals(await at.session.read("operation", { request_id: "pick" }, watched()), cancelled);
  assertEquals(await at.session.execute(getpoint, pickFor(0), watched()), cancelled);
  assertEquals(at.server.requests.length, before);
});

Deno.test("128 dismissed operations are remembered, the oldest is forgotten first", async () => {
  await using at = await pickSetting();
  for (let count = 0; count <= 128; count++) {
    await at.session.execute({ ...getpoint, request_id: `p${count}` }, pickFor(0), watched());
    await at.session.dismiss(`p${count}`);
  }
  const asked = () => at.server.requests.filter(isOp("operation")).length;
  const before = asked();
  assertEquals((await at.session.poll("p1", watched())).status, "cancelled");
  assertEquals(asked(), before);
  await at.session.poll("p0", watched());
  assertEquals(asked(), before + 1);
});

Deno.test("a cancel that overtakes the answer still dismisses the pick", async () => {
  await using at = await pickSetting();
  const gate = Promise.withResolvers<void>();
  at.server.handle(async (request) => {
    if (request.op === "getpoint") await gate.promise;
    return await at.editor.handle(request);
  });
  const waiting = watched();
  const picking = at.session.execute(getpoint, pickFor(600_000), waiting);
  await at.server.arrived(1, isOp("getpoint"));
  waiting.abort();
  await assertRejects(() => picking);
  assertEquals(at.server.requests.filter(isOp("cancel")), []);
  gate.resolve();
  await at.server.arrived(1, isOp("cancel"));
  await at.side.close("retract");
  assertEquals(at.editor.open(), undefined);
});

Deno.test("a cancel after the operation was done sends no dismissal", async () => {
  await using at = await pickSetting();
  const gate = Promise.withResolvers<void>();
  at.server.handle(async (request) => {
    if (request.op === "undo") await gate.promise;
    return await at.editor.handle(request);
  });
  const waiting = watched();
  const undoing = at.session.execute({ op: "undo", request_id: "u" }, mutation, waiting);
  await at.server.arrived(1, isOp("undo"));
  waiting.abort();
  await assertRejects(() => undoing);
  gate.resolve();
  await at.session.execute({ op: "redo", request_id: "r" }, mutation, watched());
  assertEquals(at.server.requests.filter(isOp("cancel")), []);
  // Nothing was dismissed: who asks is told what the editor knows.
  assertEquals((await at.session.poll("u", watched())).status, "completed");
});

Deno.test("an operation that goes on although it was dismissed is not called cancelled", async () => {
  await using at = await pickSetting();
  let saved = false;
  at.server.handle(({ op, request_id }) => {
    if (op === "cancel") return { ok: false, status: "failed", code: "busy", error: "busy" };
    return { ok: true, status: saved ? "completed" : "running", request_id: request_id ?? null };
  });
  const waiting = watched();
  const saving = at.session.execute({ op: "save", request_id: "s" }, mutation, waiting);
  await at.server.arrived(1, isOp("operation"));
  waiting.abort();
  await assertRejects(() => saving);
  assertEquals((await at.session.poll("s", watched())).status, "running");
  saved = true;
  assertEquals((await at.session.poll("s", watched())).status, "completed");
});

Deno.test("a pick that the editor was too busy to end is ended by the next cancel", async () => {
  await using at = await pickSetting();
  let saving = true;
  at.server.handle((request) => {
    if (request.op !== "cancel" || !saving) return at.editor.handle(request);
    return { ok: false, status: "failed", code: "busy", error: "A save is running." };
  });
  const waiting = watched();
  const picking = at.session.execute(getpoint, pickFor(600_000), waiting);
  await at.server.arrived(1, isOp("operation"));
  waiting.abort();
  await assertRejects(() => picking);
  assertEquals((await at.session.poll("pick", watched())).status, "running");
  saving = false;
  await at.session.dismiss("pick");
  assertEquals(at.editor.open(), undefined);
  assertEquals((await at.session.poll("pick", watched())).status, "cancelled");
});

Deno.test("a pick that the editor takes up late is dismissed all the same", async () => {
  await using at = await pickSetting();
  const gate = Promise.withResolvers<void>();
  at.server.handle(async (request) => {
    if (request.op !== "getpoint") return await at.editor.handle(request);
    await gate.promise;
    await at.editor.handle(request);
    return { ok: false, code: "response_timeout", error: "The window did not answer." };
  });
  const waiting = watched();
  const picking = at.session.execute(getpoint, pickFor(600_000), waiting);
  await at.server.arrived(1, isOp("getpoint"));
  waiting.abort();
  await assertRejects(() => picking);
  gate.resolve();
  await at.server.arrived(1, isOp("cancel"));
  await at.side.close("retract");
  assertEquals(at.editor.open(), undefined);
});

Deno.test("a mutation waits for a hanging editor's dismissal no longer than it may", async () => {
  await using at = await pickSetting();
  const clock = new FakeClock();
  const session = await sideOver(at.side.directory, { clock }).session(
    at.server.sessionId,
    watched(),
  );
  at.server.handle(() => "hang");
  const [undoing, waiting] = [watched(), watched()];
  const undone = session.execute({ op: "undo", request_id: "u" }, mutation, undoing);
  await at.server.arrived(1, isOp("undo"));
  undoing.abort();
  await assertRejects(() => undone);
  const givenUp = session.execute({ op: "redo", request_id: "g" }, mutation, waiting);
  const redone = session.execute({ op: "redo", request_id: "r" }, {
    kind: "mutation",
    waitMs: 2_000,
  }, watched());
  const before = clock.now();
  await clock.advance(500);
  waiting.abort(new Error("changed my mind"));
  await assertRejects(() => drive(clock, givenUp, 100), Error, "changed my mind");
  const reply = await drive(clock, redone, 100);
  assert(clock.now() - before <= 2_100);
  assertEquals([reply.ok, reply.code, reply.request_id], [false, "busy", "r"]);
  assertEquals(at.server.requests.filter(isOp("redo")), []);
});

Deno.test("a cancel in the queue sends nothing at all", async () => {
  await using at = await pickSetting();
  const gate = Promise.withResolvers<void>();
  at.server.handle(async (request) => {
    await gate.promise;
    return await at.editor.handle(request);
  });
  const first = at.session.execute({ op: "undo", request_id: "u" }, mutation, watched());
  await at.server.arrived(1, isOp("undo"));
  const waiting = watched();
  const second = at.session.execute({ op: "redo", request_id: "r" }, mutation, waiting);
  waiting.abort(new Error("changed my mind"));
  await assertRejects(() => second, Error, "changed my mind");
  gate.resolve();
  await first;
  assertEquals(at.server.requests.filter((one) => !isOp("hello")(one)).map(({ op }) => op), [
    "undo",
  ]);
});

Deno.test("dismissing later finds a pending operation, and ignores what is unknown or finished", async () => {
  await using at = await pickSetting();
  await at.session.execute(getpoint, pickFor(0), watched());
  await at.session.dismiss("somebody else's");
  assertEquals(at.editor.open(), "pick");
  await at.session.dismiss("pick");
  assertEquals(at.editor.open(), undefined);
  assertEquals((await at.session.poll("pick", watched())).status, "cancelled");
  await at.session.dismiss("pick");
  assertEquals(at.server.requests.filter(isOp("cancel")).length, 1);
});

Deno.test("dismissing an operation that ended unseen does not hit another client's pick", async () => {
  await using at = await pickSetting();
  await at.session.execute(getpoint, pickFor(0), watched());
  at.editor.answer({});
  at.editor.handle({ op: "getpoint", request_id: "another client's" });
  await at.session.dismiss("pick");
  assertEquals(at.editor.open(), "another client's");
});

Deno.test("a dismissal that hangs is given up after 5 s", async () => {
  await using at = await pickSetting();
  const clock = new FakeClock();
  const side = sideOver(at.side.directory, { clock });
  const session = await side.session(at.server.sessionId, watched());
  await session.execute(getpoint, pickFor(0), watched());
  at.server.handle((request) => request.op === "cancel" ? "hang" : at.editor.handle(request));
  const dismissing = session.dismiss("pick");
  await at.server.arrived(1, isOp("cancel"));
  const before = clock.now();
  await drive(clock, dismissing, 100);
  assertEquals(clock.now() - before, 5_000);
});

Deno.test("a dismissal that fails is ignored", async () => {
  await using at = await pickSetting();
  await at.session.execute(getpoint, pickFor(0), watched());
  at.server.crash();
  await at.session.dismiss("pick");
});

Deno.test("closing retracts open picks", async () => {
  await using at = await pickSetting();
  await at.session.execute(getpoint, pickFor(0), watched());
  await at.side.close("retract");
  assertEquals(at.editor.open(), undefined);
});

Deno.test("closing for a newer build leaves picks open", async () => {
  await using at = await pickSetting();
  await at.session.execute(getpoint, pickFor(0), watched());
  await at.side.close("keep");
  assertEquals([at.editor.open(), at.server.requests.filter(isOp("cancel"))], ["pick", []]);
});

Deno.test("closing takes no longer than its bound when the editor hangs", async () => {
  const clock = new FakeClock();
  let hanging = false;
  const editor = pickEditor();
  await using at = await scriptedSetting(
    clock,
    (request) => hanging ? new Promise<never>(() => {}) : editor.handle(request),
  );
  const { session, side } = at;
  await drive(clock, session.execute(getpoint, pickFor(0), watched()));
  hanging = true;
  const before = clock.now();
  await drive(clock, side.close("retract"), 100);
  assert(clock.now() - before <= 1_100);
});
