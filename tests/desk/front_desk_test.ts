/** The queue before the core and the effects behind it, on a clock that the test moves. */

import { assertEquals } from "@std/assert";
import { fitExtents } from "../../src/desk/camera.ts";
import { initialState } from "../../src/desk/desk_state.ts";
import { createFrontDesk, type FrontDeskOptions } from "../../src/desk/front_desk.ts";
import type { Person } from "../../src/desk/person.ts";
import { silentLog } from "../../src/host/log.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { SESSION_ID, VIEWPORT } from "./driver.ts";

interface Setup {
  readonly freeze?: readonly (readonly [string, number])[];
  readonly slow?: readonly (readonly [string, number])[];
  readonly person?: readonly Person[];
  readonly takePicture?: FrontDeskOptions["takePicture"];
}

function front(setup: Setup = {}) {
  const clock = new FakeClock();
  const facts = {
    sessionId: SESSION_ID,
    version: "1.2.3",
    readOnly: false,
    viewport: VIEWPORT,
    slow: new Map(setup.slow ?? []),
  };
  const desk = createFrontDesk({
    state: initialState(facts, fitExtents(VIEWPORT, undefined), setup.person ?? []),
    clock,
    log: silentLog,
    freeze: new Map(setup.freeze ?? []),
    takePicture: setup.takePicture ?? (() => Promise.resolve()),
  });
  const ask = (request: JsonObject) => desk.answer({ request, line: JSON.stringify(request) });
  const status = async (request_id: string) => (await ask({ op: "operation", request_id })).status;
  return { clock, desk, ask, status };
}

Deno.test("a desk that stands still for 15 seconds answers response_timeout, and works on", async () => {
  const { clock, ask, status } = front({ freeze: [["new", 20_000]] });
  const reply = ask({ op: "new", request_id: "n" });
  const after = ask({ op: "state" });
  await clock.advance(14_999);
  let answered = false;
  reply.then(() => answered = true);
  await clock.advance(0);
  assertEquals(answered, false);
  await clock.advance(1);
  const { error, ...rest } = await reply;
  assertEquals(rest, { ok: false, code: "response_timeout" });
  assertEquals(typeof error, "string");
  assertEquals((await after).code, "response_timeout", "what waits behind it waits as long");
  await clock.advance(5_000);
  assertEquals(await status("n"), "completed");
});

Deno.test("a short standstill only delays, and keeps the order", async () => {
  const { clock, ask } = front({ freeze: [["new", 3_000]] });
  const first = ask({ op: "new", request_id: "n" });
  const second = ask({ op: "state" });
  await clock.advance(3_000);
  assertEquals((await first).status, "completed");
  assertEquals((await second).document_id, 2);
  assertEquals(clock.pending, 0);
});

Deno.test("the 33rd request in the queue is answered busy, without a status", async () => {
  const { clock, ask } = front({ freeze: [["new", 1_000]] });
  const waiting = [ask({ op: "new", request_id: "n" })];
  for (let n = 1; n < 32; n++) waiting.push(ask({ op: "state" }));
  const { error, ...rest } = await ask({ op: "state" });
  assertEquals(rest, { ok: false, code: "busy" });
  assertEquals(typeof error, "string");
  await clock.advance(1_000);
  assertEquals((await Promise.all(waiting)).every((reply) => reply.ok === true), true);
});

Deno.test("a slow operation runs for its time and settles by itself", async () => {
  const { clock, ask, status } = front({ slow: [["new", 5_000]] });
  assertEquals((await ask({ op: "new", request_id: "n" })).status, "accepted");
  await clock.advance(4_999);
  assertEquals(await status("n"), "running");
  await clock.advance(1);
  assertEquals(await status("n"), "completed");
});

Deno.test("the scripted person answers after the time it takes", async () => {
  const person = {
    pick: "any",
    afterMs: 800,
    answer: { kind: "point", point: [1, 2, 0] },
  } as const;
  const { clock, ask, status } = front({ person: [person] });
  await ask({ op: "new", request_id: "n" });
  assertEquals((await ask({ op: "getpoint", request_id: "p" })).status, "accepted");
  await clock.advance(799);
  assertEquals(await status("p"), "running");
  await clock.advance(1);
  assertEquals((await ask({ op: "operation", request_id: "p" })).result, { point: [1, 2, 0] });
});

Deno.test("nobody answers a pick that was taken back", async () => {
  const person = { pick: "any", afterMs: 800, answer: { kind: "all" } } as const;
  const { clock, ask } = front({ person: [person] });
  await ask({ op: "new", request_id: "n" });
  await ask({ op: "user_select", request_id: "p" });
  assertEquals((await ask({ op: "cancel", request_id: "c" })).status, "cancelled");
  assertEquals(clock.pending, 0);
});

Deno.test("a capture is accepted, runs until the picture is written, then settles", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const paths: string[] = [];
  const { clock, ask, status } = front({
    takePicture: (plan) => {
      paths.push(plan.path);
      return promise;
    },
  });
  await ask({ op: "new", request_id: "n" });
  const request = { op: "capture", request_id: "c", document_id: 2, path: "/tmp/c.png" };
  assertEquals((await ask(request)).status, "accepted");
  assertEquals(await status("c"), "running");
  assertEquals(paths, ["/tmp/c.png"]);
  resolve();
  await clock.advance(0);
  assertEquals(await status("c"), "completed");
});

Deno.test("a slow capture is drawn only after its time", async () => {
  let pictures = 0;
  const { clock, ask, status } = front({
    slow: [["capture", 1_000]],
    takePicture: () => {
      pictures++;
      return Promise.resolve();
    },
  });
  await ask({ op: "new", request_id: "n" });
  await ask({ op: "capture", request_id: "c", document_id: 2, path: "/tmp/c.png" });
  await clock.advance(999);
  assertEquals([pictures, await status("c")], [0, "running"]);
  await clock.advance(1);
  assertEquals([pictures, await status("c")], [1, "completed"]);
});

Deno.test("a picture that cannot be written fails its capture, with the path and the reason", async () => {
  const { clock, ask } = front({ takePicture: () => Promise.reject(new Error("disk full")) });
  await ask({ op: "new", request_id: "n" });
  await ask({ op: "capture", request_id: "c", document_id: 2, path: "/tmp/c.png" });
  await clock.advance(0);
  const reply = await ask({ op: "operation", request_id: "c" });
  assertEquals([reply.ok, reply.status], [false, "failed"]);
  assertEquals(reply.error, "The picture could not be written to /tmp/c.png: disk full");
});

Deno.test("a closed desk waits for nothing and leaves nobody waiting", async () => {
  const { clock, desk, ask } = front({ slow: [["new", 5_000]], freeze: [["select", 9_000]] });
  await ask({ op: "new", request_id: "n" });
  const waiting = [ask({ op: "select", request_id: "s" }), ask({ op: "state" })];
  desk.close();
  assertEquals((await Promise.all(waiting)).map(({ ok }) => ok), [false, false]);
  assertEquals(clock.pending, 0);
});
