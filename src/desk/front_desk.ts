/** The desk's one thread of work: a bounded queue before the core, and the effects behind it. */

import type { Clock } from "../host/clock.ts";
import type { JsonObject } from "../host/json.ts";
import type { Log } from "../host/log.ts";
import type { DeskState } from "./desk_state.ts";
import { dispatch, drawn, type Effect, elapsed, type Turn } from "./dispatch.ts";
import type { Incoming } from "./listener.ts";
import { payloadOf } from "./payload.ts";
import type { CapturePlan } from "./pending.ts";

/** How many requests wait at most, and how long one does, in milliseconds (gui-protocol.md 1.3). */
export const QUEUE = { size: 32, waitMs: 15_000 } as const;

/** What the thread of work needs. */
export interface FrontDeskOptions {
  readonly state: DeskState;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the desk stands still before it takes up an operation of that name, in milliseconds. */
  readonly freeze: ReadonlyMap<string, number>;
  /** Draws and writes a picture. */
  takePicture(plan: CapturePlan): Promise<void>;
}

/** The thread of work. */
export interface FrontDesk {
  /** The answer of a request; never rejects. */
  answer(incoming: Incoming): Promise<JsonObject>;
  /** The state as it is now. */
  state(): DeskState;
  /** Forgets everything that is waited for. */
  close(): void;
}

interface Waiting {
  readonly incoming: Incoming;
  readonly tell: (reply: JsonObject) => void;
}

/** Starts with an empty queue. */
export function createFrontDesk(options: FrontDeskOptions): FrontDesk {
  const { clock, log } = options;
  let state = options.state;
  let standing = false;
  let closed = false;
  const queue: Waiting[] = [];
  const timers = new Map<string, () => void>();
  let thaw: () => void = () => {};

  function take(turn: Turn): void {
    state = turn.state;
    for (const effect of turn.effects) carryOut(effect);
  }

  function carryOut(effect: Effect): void {
    const { requestId } = effect;
    switch (effect.kind) {
      case "wait":
        timers.set(
          requestId,
          clock.after(effect.ms, () => {
            timers.delete(requestId);
            take(elapsed(state, requestId));
          }),
        );
        return;
      case "draw":
        draw(requestId, effect.plan);
        return;
      case "forget":
        timers.get(requestId)?.();
        timers.delete(requestId);
    }
  }

  async function draw(requestId: string, plan: CapturePlan): Promise<void> {
    let failure: string | null = null;
    try {
      await options.takePicture(plan);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failure = `The picture could not be written to ${plan.path}: ${reason}`;
      log.warn(failure);
    }
    if (!closed) take(drawn(state, requestId, failure));
  }

  function workOff(): void {
    while (!standing) {
      const next = queue[0];
      if (next === undefined) return;
      const { op } = next.incoming.request;
      const ms = typeof op === "string" ? options.freeze.get(op) ?? 0 : 0;
      if (ms === 0) {
        queue.shift();
        handle(next);
        continue;
      }
      standing = true;
      thaw = clock.after(ms, () => {
        standing = false;
        queue.shift();
        handle(next);
        workOff();
      });
    }
  }

  function handle({ incoming, tell }: Waiting): void {
    try {
      const answer = dispatch(state, incoming.request, payloadOf(incoming.line));
      take(answer);
      tell(answer.reply);
    } catch (error) {
      // A mistake of the desk's own: the state is as it was, and whoever asked is told.
      const reason = error instanceof Error ? error.message : String(error);
      log.error(`The desk failed at the op ${JSON.stringify(incoming.request.op)}: ${reason}`);
      tell({ ok: false, code: "invalid_request", error: `The desk failed at this: ${reason}` });
    }
  }

  return {
    state: () => state,
    close() {
      closed = true;
      thaw();
      for (const forget of timers.values()) forget();
      timers.clear();
      const gone = { ok: false, code: "response_timeout", error: "The desk has ended." };
      for (const { tell } of queue.splice(0)) tell(gone);
    },
    answer(incoming) {
      if (queue.length >= QUEUE.size) {
        return Promise.resolve({
          ok: false,
          code: "busy",
          error: "Too many requests are waiting.",
        });
      }
      return new Promise((resolve) => {
        const forget = clock.after(QUEUE.waitMs, () =>
          resolve({
            ok: false,
            code: "response_timeout",
            error: "The desk did not answer in 15 s; the operation may still run, ask 'operation'.",
          }));
        queue.push({
          incoming,
          tell(reply) {
            forget();
            resolve(reply);
          },
        });
        workOff();
      });
    },
  };
}
