/** The way out: the only place that writes the client's stream, one message per line, in order. */

import { type Clock, sleep } from "../host/clock.ts";
import type { JsonObject } from "../host/json.ts";
import type { Log } from "../host/log.ts";

/** Where bytes go; `Deno.stdout` is one. */
export interface ByteWriter {
  write(bytes: Uint8Array): Promise<number>;
  writeSync?(bytes: Uint8Array): number;
}

/**
 * Lines up to this many bytes are written at once when nothing waits: that is the faster way, and a
 * pipe takes them without blocking. Longer ones are awaited, so that a slow reader cannot stop the
 * timers of the process.
 */
const AT_ONCE_BYTES = 16 * 1024;
/** A full non-blocking pipe is tried again after this many milliseconds. */
const RETRY_MS = 5;

/** A queue of lines in front of a byte writer. */
export class LineWriter {
  readonly #writer: ByteWriter;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #queue: Uint8Array[] = [];
  readonly #gone = Promise.withResolvers<void>();
  #flushed = Promise.withResolvers<void>();
  #pumping = false;
  #sealed = false;
  #broken = false;

  constructor(writer: ByteWriter, clock: Clock, log: Log) {
    this.#writer = writer;
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves when the client no longer reads. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /**
   * Queues one message. After `seal`, or once the client is gone, it is dropped. Throws when the
   * message cannot be written as JSON; nothing is queued then.
   */
  send(message: JsonObject | readonly JsonObject[]): void {
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    if (this.#sealed || this.#broken) return;
    const rest = this.#pumping ? bytes : this.#atOnce(bytes);
    if (rest.length === 0) return;
    this.#queue.push(rest);
    if (!this.#pumping) this.#pump();
  }

  /** From now on nothing is accepted; what is queued is still written. */
  seal(): void {
    this.#sealed = true;
  }

  /** Resolves when everything accepted so far is written, or the client is gone. */
  async flush(): Promise<void> {
    if (this.#pumping) await this.#flushed.promise;
  }

  /** Writes a short line synchronously; answers what is left of it. */
  #atOnce(bytes: Uint8Array): Uint8Array {
    const writer = this.#writer;
    if (writer.writeSync === undefined || bytes.length > AT_ONCE_BYTES) return bytes;
    let rest = bytes;
    try {
      while (rest.length > 0) rest = rest.subarray(writer.writeSync(rest));
    } catch (error) {
      if (error instanceof Deno.errors.WouldBlock) return rest;
      this.#fail(error);
      return rest.subarray(rest.length);
    }
    return rest;
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    this.#flushed = Promise.withResolvers<void>();
    for (let bytes = this.#queue.shift(); bytes !== undefined; bytes = this.#queue.shift()) {
      await this.#writeAll(bytes);
    }
    this.#pumping = false;
    this.#flushed.resolve();
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    let rest = bytes;
    while (rest.length > 0 && !this.#broken) {
      try {
        rest = rest.subarray(await this.#writer.write(rest));
      } catch (error) {
        if (error instanceof Deno.errors.WouldBlock) await sleep(this.#clock, RETRY_MS);
        else this.#fail(error);
      }
    }
  }

  #fail(error: unknown): void {
    this.#broken = true;
    this.#queue.length = 0;
    // A closed pipe is how a client says goodbye; anything else a person may want to know.
    if (!(error instanceof Deno.errors.BrokenPipe)) {
      this.#log.warn(`Writing to the client failed: ${error}. The connection ends.`);
    }
    this.#gone.resolve();
  }
}
