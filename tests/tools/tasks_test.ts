/** Tests of calls that go on as tasks (bridge.md 9). */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InfrastructureError } from "../../src/host/faults.ts";
import type { TaskView } from "../../src/mcp/face.ts";
import { ProtocolFault } from "../../src/mcp/faults.ts";
import { films, spotted } from "./fake_camera.ts";
import { bench, call, textJson } from "./fake_editor.ts";

const PICK = {
  ocs_session_id: "s1",
  request: { op: "getpoint", request_id: "p-1", prompt: "corner" },
};

function picking() {
  const made = bench();
  const session = made.editor.the("s1");
  session.onExecute = () => ({ ok: true, status: "running", request_id: "p-1" });
  return { ...made, session };
}

async function start(
  face: ReturnType<typeof bench>["face"],
  name = "ocs_execute",
  args: Parameters<typeof face.callTool>[1] = PICK,
): Promise<TaskView> {
  const answer = await face.callTool(name, args, call({ id: 5, tasks: true }));
  if (!("task" in answer)) throw new Error("the call was answered instead of going on");
  return answer.task;
}

Deno.test("a call that outlasts its wait becomes a task when the request declared tasks", async () => {
  const { face, clock } = picking();
  const task = await start(face);
  assertEquals(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(task.taskId), true);
  const now = new Date(clock.now()).toISOString();
  assertEquals(task, {
    taskId: task.taskId,
    status: "working",
    statusMessage: "waiting for the person to pick: corner",
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: 3_600_000,
    pollIntervalMs: 250,
  });
  assertEquals(await face.getTask(task.taskId, call()), task);
  assertEquals(face.hasTask(task.taskId), true);
});

Deno.test("a call that did not declare tasks gets the plain answer", async () => {
  const { face } = picking();
  const answer = await face.callTool("ocs_execute", PICK, call({ tasks: false }));
  if ("task" in answer) throw new Error("it became a task");
  assertEquals(textJson(answer).status, "running");
});

Deno.test("a call that settles in time is answered although it declared tasks", async () => {
  const { face, session } = picking();
  session.onExecute = () => ({ ok: true, status: "completed" });
  assertEquals("task" in await face.callTool("ocs_execute", PICK, call({ tasks: true })), false);
});

Deno.test("a task completes with what the call would have answered, in the detail asked for", async () => {
  const { face, session, clock } = picking();
  const task = await start(face, "ocs_execute", { ...PICK, extra: 1 });
  session.onPoll = () => ({
    ok: true,
    status: "completed",
    request_id: "p-1",
    result: { point: [1, 2, 0] },
    state: { session_id: "s1", documents: [] },
  });
  await clock.advance(2000);
  const done = await face.getTask(task.taskId, call());
  assertEquals(done.status, "completed");
  assertEquals(done.result?.structuredContent, {
    ok: true,
    status: "completed",
    request_id: "p-1",
    result: { point: [1, 2, 0] },
    state: { session_id: "s1" },
    warnings: ["unknown argument 'extra' ignored for tool 'ocs_execute'"],
  });
  assertEquals(done.lastUpdatedAt, new Date(clock.now()).toISOString());
  assertEquals(session.of("poll"), [{ request_id: "p-1" }]);
  assertEquals(await face.getTask(task.taskId, call()), done);
  assertEquals(session.of("poll").length, 1);
});

Deno.test("a failed operation completes the task with an error result", async () => {
  const { face, session } = picking();
  const task = await start(face);
  session.onPoll = () => ({ ok: false, status: "failed", error: "No such block" });
  const done = await face.getTask(task.taskId, call());
  assertEquals(done.status, "completed");
  assertEquals(done.result?.isError, true);
});

Deno.test("a task fails with a JSON-RPC error when the editor is gone", async () => {
  const { face, session, editor } = picking();
  const task = await start(face);
  session.onPoll = () => Promise.reject(new InfrastructureError("Session s1 is gone"));
  editor.sessionsById.clear();
  const failed = await face.getTask(task.taskId, call());
  assertEquals(failed.status, "failed");
  assertEquals(failed.error, { code: -32603, message: "Session s1 is gone" });
  assertEquals(failed.result, undefined);
});

Deno.test("one broken look is no end while the editor lives", async () => {
  const { face, session } = picking();
  const task = await start(face);
  session.onPoll = () => Promise.reject(new InfrastructureError("The editor was silent"));
  assertEquals((await face.getTask(task.taskId, call())).status, "working");
  session.onPoll = () => ({ ok: true, status: "completed" });
  assertEquals((await face.getTask(task.taskId, call())).status, "completed");
});

Deno.test("cancelling dismisses once, is idempotent, and later completions are discarded", async () => {
  const { face, session } = picking();
  const task = await start(face);
  await face.cancelTask(task.taskId, call());
  await face.cancelTask(task.taskId, call());
  assertEquals(session.of("dismiss"), [{ request_id: "p-1" }]);
  session.onPoll = () => ({ ok: true, status: "completed" });
  const cancelled = await face.getTask(task.taskId, call());
  assertEquals(cancelled.status, "cancelled");
  assertEquals(cancelled.result, undefined);
  assertEquals(session.of("poll"), []);
});

Deno.test("a completion that is under way when the cancel comes is discarded", async () => {
  const { face, session } = picking();
  const task = await start(face);
  const poll = Promise.withResolvers<{ ok: true; status: string }>();
  const reached = Promise.withResolvers<void>();
  session.onPoll = () => {
    reached.resolve();
    return poll.promise;
  };
  const looking = face.getTask(task.taskId, call());
  await reached.promise;
  await face.cancelTask(task.taskId, call());
  poll.resolve({ ok: true, status: "completed" });
  assertEquals((await looking).status, "cancelled");
});

Deno.test("cancelling a completed task changes nothing", async () => {
  const { face, session } = picking();
  const task = await start(face);
  session.onPoll = () => ({ ok: true, status: "completed" });
  await face.getTask(task.taskId, call());
  await face.cancelTask(task.taskId, call());
  assertEquals((await face.getTask(task.taskId, call())).status, "completed");
  assertEquals(session.of("dismiss"), []);
});

Deno.test("a task is known for an hour from its creation and then unknown", async () => {
  const { face, session, clock } = picking();
  const task = await start(face);
  session.onPoll = () => ({ ok: true, status: "completed" });
  await clock.advance(3_599_999);
  assertEquals((await face.getTask(task.taskId, call())).status, "completed");
  await clock.advance(1);
  const error = await assertRejects(() => face.getTask(task.taskId, call()), ProtocolFault);
  assertEquals(error.code, -32602);
  assertEquals(face.hasTask(task.taskId), false);
});

Deno.test("unknown ids are -32602 for get, cancel and update; known ones acknowledge an update", async () => {
  const { face } = picking();
  const task = await start(face);
  await face.updateTask(task.taskId, call());
  for (
    const ask of [
      () => face.getTask("nope", call()),
      () => face.cancelTask("nope", call()),
      () => face.updateTask("nope", call()),
    ]
  ) {
    assertEquals((await assertRejects(ask, ProtocolFault)).code, -32602);
  }
});

Deno.test("whoever listens hears of a completion without asking", async () => {
  const { face, session, clock } = picking();
  const heard: TaskView[] = [];
  const stop = face.onTaskChanged((view) => void heard.push(view));
  const task = await start(face);
  await clock.advance(2500);
  assertEquals(session.of("poll").length, 2);
  assertEquals(heard, []);
  session.onPoll = () => ({ ok: true, status: "completed" });
  await clock.advance(1000);
  assertEquals(heard.map(({ taskId, status }) => [taskId, status]), [[task.taskId, "completed"]]);
  await clock.advance(10_000);
  assertEquals(session.of("poll").length, 3);
  assertEquals(clock.pending, 0);
  stop();
});

Deno.test("nobody looks at a task while nobody listens", async () => {
  const { face, session, clock } = picking();
  const stop = face.onTaskChanged(() => {});
  await start(face);
  stop();
  await clock.advance(10_000);
  assertEquals(session.of("poll"), []);
  assertEquals(clock.pending, 0);
});

Deno.test("a cancel of the call that became a task does not touch the task", async () => {
  const { face, session } = picking();
  const task = await start(face);
  face.cancelAnswered(5);
  assertEquals(session.of("dismiss"), []);
  assertEquals((await face.getTask(task.taskId, call())).status, "working");
});

Deno.test("a request to look that is cancelled ends with the signal's reason", async () => {
  const { face, session } = picking();
  const task = await start(face);
  session.onPoll = () => new Promise(() => {});
  const stop = new AbortController();
  const looking = face.getTask(task.taskId, call({ signal: stop.signal }));
  const reason = new DOMException("enough", "AbortError");
  stop.abort(reason);
  assertEquals(await looking.catch((error: unknown) => error), reason);
});

Deno.test("a capture that is still being drawn goes on as a task and leaves no file", async () => {
  const { face, session, disk, clock } = picking();
  const task = await start(face, "ocs_capture", { ocs_session_id: "s1" });
  const request = session.of("execute")[0] ?? {};
  const picture = spotted(6, 6, []);
  films(session, disk, [picture]);
  session.onPoll = () =>
    session.onExecute({ ...request }, { signal: new AbortController().signal, phase: () => {} });
  const done = await face.getTask(task.taskId, call());
  assertEquals(done.status, "completed");
  assertEquals(done.result?.content.map(({ type }) => type), ["text", "image"]);
  assertEquals(disk.files.size, 0);
  assertEquals(clock.pending, 0);
});

Deno.test("a cancelled capture task leaves no place for what is drawn late", async () => {
  const { face, session, disk } = picking();
  const task = await start(face, "ocs_capture", { ocs_session_id: "s1" });
  const path = String(session.of("execute")[0]?.path);
  disk.write(path, new Uint8Array(3));
  await face.cancelTask(task.taskId, call());
  assertEquals(disk.files.size, 0);
  assertThrows(() => disk.write(path, new Uint8Array(3)), Deno.errors.NotFound);
});
