/** Prints each check of the conformance run with its result, and keeps the count. */

import { print } from "../print.ts";

/** Runs named checks one after the other; a check fails by throwing. */
export class Report {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  /** A line above the checks that follow. */
  heading(text: string): void {
    print(`\n${text}`);
  }

  /** Runs a check and prints `ok`, or `FAILED` with the reason. */
  async check(name: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#failed++;
      print(
        `  FAILED ${name}\n${indented(error instanceof Error ? error.message : String(error))}`,
      );
      return;
    }
    this.#passed++;
    print(`  ok     ${name}`);
  }

  /** Says that a check could not be made here, and why. */
  skip(name: string, reason: string): void {
    this.#skipped++;
    print(`  skip   ${name}: ${reason}`);
  }

  /** Prints the count and gives the exit code. */
  finish(): number {
    const skipped = this.#skipped === 0 ? "" : `, ${this.#skipped} skipped`;
    print(`\n${this.#passed} passed, ${this.#failed} failed${skipped}`);
    return this.#failed === 0 ? 0 : 1;
  }
}

function indented(text: string): string {
  return text.split("\n").map((line) => `         ${line}`).join("\n");
}
