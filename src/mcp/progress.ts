/** Progress notifications of one request: rising, at most one a second (bridge.md 5.3). */

import type { Clock } from "../host/clock.ts";
import type { JsonObject } from "../host/json.ts";
import { notificationMessage } from "./answers.ts";

/** The progress of one request. */
export interface Progress {
  /** Says what is being waited for; from now on it is told once a second. */
  phase(message: string): void;
  /** The request was answered or cancelled: nothing more is sent. */
  stop(): void;
}

/** What progress needs to know about its request. */
export interface ProgressOptions {
  readonly clock: Clock;
  /** Without a token nothing is ever sent. */
  readonly token: string | number | undefined;
  /** Whether the client's version knows `message` (since 2025-03-26). */
  readonly withMessage: boolean;
  send(message: JsonObject): void;
}

const INTERVAL_MS = 1000;
/** Keeps `progress` rising, in seconds, should the machine's clock be set back. */
const LEAST_STEP = 0.001;

/**
 * Starts to count. The first notification goes out one second after the start, or with the first
 * phase if that comes later: an answer within a second needs no progress.
 */
export function startProgress(options: ProgressOptions): Progress {
  const { clock, token, withMessage, send } = options;
  if (token === undefined) return { phase() {}, stop() {} };

  const started = clock.now();
  let current: string | undefined;
  let last = -Infinity;
  let stopped = false;
  let forget: (() => void) | undefined;

  function tick(): void {
    if (stopped) return;
    const elapsed = (clock.now() - started) / 1000;
    last = Math.max(elapsed, last + LEAST_STEP);
    forget = clock.after(INTERVAL_MS, tick);
    send(notificationMessage("notifications/progress", {
      progressToken: token,
      progress: last,
      ...(withMessage && { message: current }),
    }));
  }

  return {
    phase(message) {
      current = message;
      if (stopped || forget !== undefined) return;
      const wait = INTERVAL_MS - (clock.now() - started);
      if (wait > 0) forget = clock.after(wait, tick);
      else tick();
    },
    stop() {
      stopped = true;
      forget?.();
    },
  };
}
