import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { JsonObject } from "../../src/host/json.ts";
import { startProgress } from "../../src/mcp/progress.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { asObject, Client } from "./client.ts";

/** Progress whose notifications are collected as their params. */
function start(token: string | number | undefined = "t", withMessage = true) {
  const clock = new FakeClock();
  const sent: JsonObject[] = [];
  const progress = startProgress({
    clock,
    token,
    withMessage,
    send: (message) => sent.push(asObject(message.params)),
  });
  return { clock, sent, progress };
}

Deno.test("progress is told once a second with the phase of the moment", async () => {
  const { clock, sent, progress } = start(0);
  progress.phase("starting the editor");
  await clock.advance(999);
  assertEquals(sent, []);
  await clock.advance(1);
  progress.phase("waiting for its window");
  progress.phase("waiting for the person to pick");
  await clock.advance(2500);
  assertEquals(sent, [
    { progressToken: 0, progress: 1, message: "starting the editor" },
    { progressToken: 0, progress: 2, message: "waiting for the person to pick" },
    { progressToken: 0, progress: 3, message: "waiting for the person to pick" },
  ]);
});

Deno.test("before the first phase nothing is told, a late one is told at once", async () => {
  const { clock, sent, progress } = start();
  await clock.advance(4200);
  assertEquals(sent, []);
  progress.phase("saving");
  progress.phase("saving still");
  assertEquals(sent, [{ progressToken: "t", progress: 4.2, message: "saving" }]);
  await clock.advance(1000);
  assertEquals(sent.at(-1), { progressToken: "t", progress: 5.2, message: "saving still" });
});

Deno.test("after the stop nothing is told and no timer is left", async () => {
  const { clock, sent, progress } = start();
  progress.phase("a");
  await clock.advance(1000);
  progress.stop();
  progress.phase("b");
  await clock.advance(10_000);
  assertEquals(sent.length, 1);
  assertEquals(clock.pending, 0);
});

Deno.test("without a token there is neither progress nor a timer", async () => {
  const clock = new FakeClock();
  const progress = startProgress({
    clock,
    token: undefined,
    withMessage: true,
    send: () => {
      throw new Error("sent without a token");
    },
  });
  progress.phase("a");
  assertEquals(clock.pending, 0);
  await clock.advance(5000);
  progress.stop();
});

Deno.test("progress rises even when the machine's clock is set back", () => {
  let now = 10_000;
  let due: (() => void) | undefined;
  const sent: unknown[] = [];
  const progress = startProgress({
    clock: { now: () => now, after: (_ms, callback) => (due = callback, () => {}) },
    token: 1,
    withMessage: false,
    send: (message) => sent.push(asObject(message.params).progress),
  });
  now = 12_000;
  progress.phase("a");
  now = 5_000;
  due?.();
  due?.();
  assertEquals(sent, [2, 2.001, 2.002]);
});

Deno.test("whenever phases are set, progress rises strictly and is a second apart", async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.record({ wait: fc.nat(3000), phase: fc.string() }), { maxLength: 12 }),
    async (steps) => {
      const clock = new FakeClock();
      const times: number[] = [];
      const values: number[] = [];
      const progress = startProgress({
        clock,
        token: 7,
        withMessage: true,
        send(message) {
          times.push(clock.now());
          values.push(Number(asObject(message.params).progress));
        },
      });
      for (const { wait, phase } of steps) {
        await clock.advance(wait);
        progress.phase(phase);
      }
      await clock.advance(2000);
      progress.stop();
      for (let i = 1; i < times.length; i++) {
        assert((times[i] ?? 0) - (times[i - 1] ?? 0) >= 1000);
        assert((values[i] ?? 0) > (values[i - 1] ?? 0));
      }
    },
  ));
});

Deno.test("the message of progress is left out for 2024-11-05", async () => {
  for (
    const [version, params] of [
      ["2024-11-05", { progressToken: "p", progress: 1 }],
      ["2025-03-26", { progressToken: "p", progress: 1, message: "picking" }],
    ] as const
  ) {
    const clock = new FakeClock();
    const client = new Client({ clock });
    await client.initialize(version);
    client.request(1, "tools/call", { name: "slow", _meta: { progressToken: "p" } });
    const slow = await client.face.nextSlow();
    slow.call.phase("picking");
    await clock.advance(1000);
    assertEquals((await client.next()).params, params);
    slow.finish({ content: [] });
    assertEquals((await client.next()).id, 1);
    assertEquals(clock.pending, 0);
    await clock.advance(5000);
    await client.quiet();
    await client.close();
  }
});
