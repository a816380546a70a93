import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { Turns } from "../../src/editor/turns.ts";
import { FakeClock } from "../support/fake_clock.ts";

const never = new AbortController().signal;

Deno.test("whatever arrives, waits, gives up and ends in between, turns go in order of arrival", async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.constantFrom("arrive", "end", "abort", "time"), { maxLength: 60 }),
    async (steps) => {
      const clock = new FakeClock();
      const turns = new Turns(clock);
      const granted: number[] = [];
      const gaveUp = new Set<number>();
      const holding: (() => void)[] = [];
      const waiting: { id: number; abort: () => void }[] = [];
      let arrivals = 0;
      for (const step of steps) {
        if (step === "arrive") {
          const id = arrivals++;
          const controller = new AbortController();
          waiting.push({ id, abort: () => controller.abort() });
          turns.take(1_000, controller.signal).then((turn) => {
            if (turn === undefined) gaveUp.add(id);
            else {
              granted.push(id);
              holding.push(turn.end);
            }
          }, () => gaveUp.add(id));
        } else if (step === "end") holding.shift()?.();
        else if (step === "abort") waiting.pop()?.abort();
        else await clock.advance(600);
        await clock.advance(0);
        assertEquals(holding.length <= 1, true, "two turns at once");
      }
      while (holding.length > 0) {
        holding.shift()?.();
        await clock.advance(0);
      }
      assertEquals(granted, [...granted].sort((a, b) => a - b));
      assertEquals(granted.length + gaveUp.size, arrivals);
      assertEquals(clock.pending, 0);
    },
  ));
});

Deno.test("a turn that is ended twice lets only one in", async () => {
  const turns = new Turns(new FakeClock());
  const first = await turns.take(0, never);
  const second = turns.take(1_000, never);
  const third = turns.take(1_000, never);
  first?.end();
  first?.end();
  await second;
  const winner = await Promise.race([third.then(() => "third"), Promise.resolve("nobody")]);
  assertEquals(winner, "nobody");
});

Deno.test("an open pick lets everyone ahead in order, and closing it brings the turns back", async () => {
  const clock = new FakeClock();
  const turns = new Turns(clock);
  const order: string[] = [];
  await turns.take(0, never);
  const waiting = ["a", "b"].map((name) => turns.take(1_000, never).then(() => order.push(name)));
  turns.pickOpened("p");
  await Promise.all(waiting);
  assertEquals(order, ["a", "b"]);
  assertEquals(await turns.take(0, never) === undefined, false);
  turns.pickClosed("p");
  // The very first turn is still held.
  const late = turns.take(500, never);
  await clock.advance(500);
  assertEquals(await late, undefined);
});

Deno.test("giving up in the queue rejects with the signal's reason", async () => {
  const turns = new Turns(new FakeClock());
  await turns.take(0, never);
  const controller = new AbortController();
  const waiting = turns.take(1_000, controller.signal);
  controller.abort(new Error("cancelled"));
  await assertRejects(() => waiting, Error, "cancelled");
});
