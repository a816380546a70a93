/** A clock that moves only when a test says so. */

import type { Clock } from "../../src/host/clock.ts";

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock under the test's control: `advance` runs every timer that falls due, in order. */
export class FakeClock implements Clock {
  #now: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 1_800_000_000_000) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer: Timer = { due: this.#now + Math.max(0, ms), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves time on by `ms`, running what falls due and letting promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = next.due;
      next.callback();
      await settle();
    }
    this.#now = end;
  }

  #next(end: number): Timer | undefined {
    return [...this.#timers]
      .filter((timer) => timer.due <= end)
      .sort((a, b) => a.due - b.due || a.order - b.order)[0];
  }
}

/** Lets every promise that is already resolvable settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
