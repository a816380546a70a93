/** Turns: one mutation at a time per session, in the order they came (bridge.md 4.3). */

import type { Clock } from "../host/clock.ts";

/** A turn that was granted. */
export interface Turn {
  /** Lets the next one in; may be called twice. */
  end(): void;
}

interface Waiter {
  grant(turn: Turn): void;
}

/** The turns of one session. */
export class Turns {
  readonly #clock: Clock;
  readonly #queue = new Set<Waiter>();
  #holder: Turn | undefined;
  readonly #picks = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits for a turn, at most `boundMs`: undefined when the time ran out. Rejects with the reason
   * of `signal`. While a pick is open there is nothing to wait for: the editor itself says `busy`.
   */
  take(boundMs: number, signal: AbortSignal): Promise<Turn | undefined> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#picks.size > 0) return Promise.resolve(FREE);
    if (this.#holder === undefined) return Promise.resolve(this.#hold());
    return new Promise((resolve, reject) => {
      const leave = () => {
        forget();
        signal.removeEventListener("abort", onAbort);
        this.#queue.delete(waiter);
      };
      const waiter: Waiter = {
        grant(turn) {
          leave();
          resolve(turn);
        },
      };
      const forget = this.#clock.after(boundMs, () => {
        leave();
        resolve(undefined);
      });
      const onAbort = () => {
        leave();
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#queue.add(waiter);
    });
  }

  /** A pick is open: whoever waits goes ahead, in order, and nobody waits until it is closed. */
  pickOpened(requestId: string): void {
    this.#picks.add(requestId);
    for (const waiter of [...this.#queue]) waiter.grant(FREE);
  }

  /** The pick is settled, dismissed, or shown to be over. */
  pickClosed(requestId: string): void {
    this.#picks.delete(requestId);
  }

  #hold(): Turn {
    const turn: Turn = {
      end: () => {
        if (this.#holder !== turn) return;
        this.#holder = undefined;
        const [next] = this.#queue;
        next?.grant(this.#hold());
      },
    };
    this.#holder = turn;
    return turn;
  }
}

/** Going ahead without holding anything. */
const FREE: Turn = { end() {} };
