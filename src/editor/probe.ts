/** A probe: asking a descriptor's editor `hello` (bridge.md 3.3). */

import { DEADLINES, exchange, type ExchangeMachine } from "./exchange.ts";
import { describeFault, wasSilent } from "./exchange_faults.ts";
import type { Descriptor } from "./descriptor.ts";
import type { JsonObject } from "../host/json.ts";

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
  boundMs: number = DEADLINES.hello,
): Promise<Probed> {
  const outcome = await exchange(machine, descriptor, { op: "hello" }, boundMs, signal);
  const none = (how: "gone" | "hung" | "odd", reason: string) =>
    ({ kind: "no_session", descriptor, reason, how }) as const;
  if (outcome.kind === "fault") {
    const { fault } = outcome;
    const hung = wasSilent(fault) ||
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
