/** The way out: the only place that writes the client's stream, one message per line, in order. */

import { type Clock, sleep } from "../host/clock.ts";
import type { JsonObject } from "../host/json.ts";
import type { Log } from "../host/log.ts";
import { LINE_LIMIT_BYTES, LineTooLong } from "./substitute.ts";

/** Where bytes go; `Deno.stdout` is one. */
export interface ByteWriter {
  /** Writes some of the bytes and says how many. */
  write(bytes: Uint8Array): Promise<number>;
}

/** Lines that wait together go out in one write of about this many bytes: what a pipe holds. */
const TOGETHER_BYTES = 64 * 1024;
/** A full non-blocking pipe is tried again after this many milliseconds. */
const RETRY_MS = 5;

/** A line that waits. One that is no longer wanted when its turn comes is dropped. */
interface Waiting {
  readonly bytes: Uint8Array;
  readonly wanted: () => boolean;
}

/**
 * A queue of lines in front of a byte writer. Every write is awaited: a synchronous one is some 25
 * microseconds faster, but a client that reads slowly would stop all timers of the process with it.
 */
export class LineWriter {
  readonly #writer: ByteWriter;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #encoder = new TextEncoder();
  readonly #gone = Promise.withResolvers<void>();
  #queue: Waiting[] = [];
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
   * message is no JSON or longer than clients accept; nothing is queued then. `wanted` is asked once more when
   * the line's turn comes, since a client that reads slowly may have cancelled in between.
   */
  send(
    message: JsonObject | readonly JsonObject[],
    wanted: () => boolean = () => true,
  ): void {
    const bytes = this.#encoder.encode(`${JSON.stringify(message)}\n`);
    if (bytes.length > LINE_LIMIT_BYTES) throw new LineTooLong(bytes.length);
    if (this.#sealed || this.#broken) return;
    this.#queue.push({ bytes, wanted });
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

  async #pump(): Promise<void> {
    this.#pumping = true;
    this.#flushed = Promise.withResolvers<void>();
    while (this.#queue.length > 0) await this.#writeAll(this.#take());
    this.#pumping = false;
    this.#flushed.resolve();
  }

  /** The wanted lines at the head of the queue that fit into one write; at least one if any. */
  #take(): Uint8Array {
    const lines: Uint8Array[] = [];
    let size = 0;
    let taken = 0;
    for (const { bytes, wanted } of this.#queue) {
      if (lines.length > 0 && size + bytes.length > TOGETHER_BYTES) break;
      taken++;
      if (!wanted()) continue;
      lines.push(bytes);
      size += bytes.length;
    }
    this.#queue.splice(0, taken);
    return join(lines, size);
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
    this.#queue = [];
    // A closed pipe is how a client says goodbye; anything else a person may want to know.
    if (!(error instanceof Deno.errors.BrokenPipe)) {
      this.#log.warn(`Writing to the client failed: ${error}. The connection ends.`);
    }
    this.#gone.resolve();
  }
}

function join(lines: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = lines;
  if (first !== undefined && lines.length === 1) return first;
  const together = new Uint8Array(size);
  let at = 0;
  for (const line of lines) {
    together.set(line, at);
    at += line.length;
  }
  return together;
}
