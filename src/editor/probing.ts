/** Probing many descriptors in about one probe's time, whatever hangs (bridge.md 3.3). */

import type { Descriptor } from "./descriptor.ts";
import { DEADLINES, type ExchangeMachine } from "./exchange.ts";
import { probe, type Probed } from "./probe.ts";

/** Most probes at the same time. */
export const PROBES_AT_ONCE = 16;

/**
 * How long a silent probe keeps its place while others have not been asked at all, in milliseconds.
 * A live editor answers hello within a few.
 */
export const PATIENCE_MS = 250;

/**
 * Probes all candidates, the first ones first; results in no particular order. A probe that is
 * silent makes room for a candidate that was not asked yet, and is asked again when a place is
 * free: so n hanging editors take one bound and a quarter for every further sixteen, and keep no
 * live one waiting. Only when nobody lives do those that were cut short get their whole bound.
 * Rejects only with the reason of `signal`.
 */
export async function probeAll(
  machine: ExchangeMachine,
  candidates: readonly Descriptor[],
  signal: AbortSignal,
): Promise<readonly Probed[]> {
  const first = await round(machine, candidates, signal);
  if (first.some(({ probed }) => probed.kind === "live")) return first.map(({ probed }) => probed);
  const short = first.filter(({ probed, boundMs }) =>
    probed.kind === "no_session" && probed.how === "hung" && boundMs < DEADLINES.hello
  );
  const again = new Map<Descriptor, Probed>();
  await inPlaces(short, async ({ probed: { descriptor } }) => {
    again.set(descriptor, await probe(machine, descriptor, signal));
  });
  return first.map(({ probed }) => again.get(probed.descriptor) ?? probed);
}

interface Asked {
  readonly probed: Probed;
  /** How long the editor had for its answer, in milliseconds. */
  readonly boundMs: number;
}

async function round(
  machine: ExchangeMachine,
  candidates: readonly Descriptor[],
  signal: AbortSignal,
): Promise<readonly Asked[]> {
  const { clock } = machine;
  const unasked = [...candidates];
  const cut: Descriptor[] = [];
  const asked: Asked[] = [];
  let endMs = 0;
  /** Places that were given up for a candidate that has not taken it yet. */
  let promised = 0;

  async function patiently(descriptor: Descriptor): Promise<void> {
    const giveUp = new AbortController();
    const forget = clock.after(PATIENCE_MS, () => {
      if (unasked.length <= promised) return;
      promised++;
      giveUp.abort();
    });
    try {
      const probed = await probe(machine, descriptor, AbortSignal.any([signal, giveUp.signal]));
      asked.push({ probed, boundMs: DEADLINES.hello });
    } catch {
      // Either the caller gave up, which goes on as it came, or we made room.
      signal.throwIfAborted();
      cut.push(descriptor);
    } finally {
      forget();
      if (giveUp.signal.aborted) promised--;
    }
  }

  async function place(): Promise<void> {
    while (true) {
      const next = unasked.shift();
      if (next !== undefined) {
        endMs = clock.now() + DEADLINES.hello;
        await patiently(next);
        continue;
      }
      const again = cut.shift();
      if (again === undefined) return;
      const boundMs = Math.min(DEADLINES.hello, Math.max(PATIENCE_MS, endMs - clock.now()));
      asked.push({ probed: await probe(machine, again, signal, boundMs), boundMs });
    }
  }

  await Promise.all(Array.from({ length: Math.min(PROBES_AT_ONCE, candidates.length) }, place));
  return asked;
}

async function inPlaces<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const place = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(PROBES_AT_ONCE, items.length) }, place));
}
