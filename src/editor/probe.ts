/** Probing: asking a descriptor's editor `hello`, many at once but not too many (bridge.md 3.3). */

import { DEADLINES, exchange, type ExchangeMachine } from "./exchange.ts";
import { describeFault } from "./exchange_faults.ts";
import type { Descriptor } from "./descriptor.ts";
import type { JsonObject } from "../host/json.ts";

/** Most probes at the same time. */
export const PROBES_AT_ONCE = 16;

/** What a probe found. */
export type Probed =
  | { readonly kind: "live"; readonly descriptor: Descriptor; readonly state: JsonObject }
  | {
    readonly kind: "no_session";
    readonly descriptor: Descriptor;
    readonly reason: string;
    /**
     * `gone`: nobody or another session is there. `hung`: the whole bound was spent. `odd`: an
     * answer, but none that tells; the session may well live.
     */
    readonly how: "gone" | "hung" | "odd";
  };

/** Asks one descriptor's editor. Rejects only with the reason of `signal`. */
export async function probe(
  machine: ExchangeMachine,
  descriptor: Descriptor,
  signal: AbortSignal,
): Promise<Probed> {
  const outcome = await exchange(machine, descriptor, { op: "hello" }, DEADLINES.hello, signal);
  const none = (how: "gone" | "hung" | "odd", reason: string) =>
    ({ kind: "no_session", descriptor, reason, how }) as const;
  if (outcome.kind === "fault") {
    const { fault } = outcome;
    const hung = fault.kind === "silent" ||
      (fault.kind === "half_answer" && fault.ended === "deadline");
    return none(
      fault.kind === "refused" ? "gone" : hung ? "hung" : "odd",
      `Its editor on port ${descriptor.port} ${describeFault(fault)}`,
    );
  }
  const { reply } = outcome;
  if (reply.ok !== true) {
    const code = typeof reply.code === "string" ? reply.code : "no code";
    return none(
      code === "session_changed" ? "gone" : "odd",
      `Its editor on port ${descriptor.port} answered hello with a failure (${code})`,
    );
  }
  if (reply.session_id !== descriptor.sessionId) {
    return none("gone", `The editor on port ${descriptor.port} is another session`);
  }
  return { kind: "live", descriptor, state: reply };
}

/** Runs `work` over all items, at most `atOnce` at the same time; results in the items' order. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: { readonly index: number; readonly result: R }[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results.push({ index, result: await work(item) });
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results.sort((a, b) => a.index - b.index).map(({ result }) => result);
}
