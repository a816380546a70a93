/** A short readable account of what a script does, with the time that each step took. */

import { print } from "./print.ts";

const STEP_WIDTH = 52;

/** Prints one line a step; durations are milliseconds of wall-clock time. */
export class Transcript {
  readonly #start = performance.now();
  #steps = 0;

  /** Runs a step and prints its name, its time and what `says` makes of its value. */
  async step<T>(
    name: string,
    run: () => Promise<T>,
    says: (value: T) => string | Promise<string>,
  ): Promise<T> {
    const start = performance.now();
    const value = await run();
    const ms = Math.round(performance.now() - start);
    const number = String(++this.#steps).padStart(2);
    print(
      `${number}. ${name.padEnd(STEP_WIDTH)} ${String(ms).padStart(5)} ms  ${await says(value)}`,
    );
    return value;
  }

  /** Prints how long everything took. */
  total(): void {
    const seconds = ((performance.now() - this.#start) / 1000).toFixed(1);
    print(`Done: ${this.#steps} steps in ${seconds} s.`);
  }
}
