import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import type { Descriptor } from "../../src/editor/descriptor.ts";
import type { Connect } from "../../src/editor/loopback.ts";
import { PATIENCE_MS, probeAll } from "../../src/editor/probing.ts";
import { drive, line, scriptedConnect } from "../support/editor_calls.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { ordinaryState } from "../support/protocol_server.ts";

const never = new AbortController().signal;

function descriptor(port: number): Descriptor {
  return { file: `${port}.json`, sessionId: `s${port}`, port, token: "t", modifiedMs: 0 };
}

/** Editors that answer hello after so many milliseconds; Infinity hangs. Ports count from 1. */
function editors(clock: FakeClock, delays: readonly number[]) {
  const open = { now: 0, most: 0 };
  const connect: Connect = async (port, signal) => {
    open.most = Math.max(open.most, ++open.now);
    const wire = await scriptedConnect(async () => {
      const delay = delays[port - 1] ?? Infinity;
      if (delay === Infinity) await new Promise(() => {});
      else if (delay > 0) await new Promise<void>((done) => clock.after(delay, done));
      return line(ordinaryState(`s${port}`));
    })(port, signal);
    let closed = false;
    return {
      ...wire,
      close() {
        if (!closed) open.now--;
        closed = true;
        wire.close();
      },
    };
  };
  return { open, connect, descriptors: delays.map((_, index) => descriptor(index + 1)) };
}

async function probed(delays: readonly number[]) {
  const clock = new FakeClock();
  const { open, connect, descriptors } = editors(clock, delays);
  const from = clock.now();
  const all = await drive(clock, probeAll({ clock, connect }, descriptors, never), 10);
  const live = all.filter(({ kind }) => kind === "live").map((one) => one.descriptor.port);
  return { all, live: live.sort((a, b) => a - b), tookMs: clock.now() - from, open };
}

const hung = (count: number) => Array.from({ length: count }, () => Infinity);

Deno.test("twenty hanging editors in front of three live ones take a bound and a quarter", async () => {
  const { live, tookMs, all, open } = await probed([...hung(20), 0, 5, 20]);
  assertEquals(live, [21, 22, 23]);
  assertEquals(all.length, 23);
  assert(tookMs <= 1_000 + PATIENCE_MS + 20, `${tookMs} ms`);
  assertEquals(open.most, 16);
});

Deno.test("up to sixteen editors have their whole second each", async () => {
  const { live, tookMs } = await probed([...hung(15), 990]);
  assertEquals(live, [16]);
  assert(tookMs <= 1_010, `${tookMs} ms`);
});

Deno.test("when nobody else lives, one that was cut short gets its whole second", async () => {
  // The first of them all is the only one alive, and slow.
  for (const place of [0, 5, 12, 19]) {
    const delays = hung(20);
    delays[place] = 900;
    assertEquals((await probed(delays)).live, [place + 1]);
  }
});

Deno.test("whoever answers within the patience is found, whatever else hangs, sixteen at a time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 10, 200, 700, Infinity), { maxLength: 50 }),
      async (delays) => {
        const { all, live, open } = await probed(delays);
        const quick = delays.flatMap((delay, index) => (delay < PATIENCE_MS ? [index + 1] : []));
        assert(quick.every((port) => live.includes(port)));
        assertEquals(all.length, delays.length);
        assert(open.most <= 16);
        assertEquals(open.now, 0);
        if (quick.length === 0 && delays.includes(700)) assert(live.length > 0);
      },
    ),
    { numRuns: 20 },
  );
});

Deno.test("an abort ends all probes with the signal's reason", async () => {
  const clock = new FakeClock();
  const { open, connect, descriptors } = editors(clock, hung(30));
  const controller = new AbortController();
  const probing = probeAll({ clock, connect }, descriptors, controller.signal);
  probing.catch(() => {});
  await clock.advance(600);
  controller.abort(new Error("enough"));
  await assertRejects(() => probing, Error, "enough");
  await clock.advance(0);
  assertEquals(open.now, 0);
});
