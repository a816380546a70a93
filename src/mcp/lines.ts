/** The way in: bytes of stdin become lines, in linear time whatever their length (mcp-stdio.md 1.1). */

import { type Clock, sleep } from "../host/clock.ts";

/** Where bytes come from; `Deno.stdin` is one. */
export interface ByteReader {
  /** Fills `into` and says how many bytes came; null at the end of the input. */
  read(into: Uint8Array): Promise<number | null>;
}

/** One line without its newline, or the news that one was longer than allowed. */
export type Line =
  /** `bytes` is only valid until the next line is asked for. */
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  | { readonly kind: "too_long" };

const NEWLINE = 0x0a;
const READ_SIZE = 64 * 1024;
/** A non-blocking stdin is asked again after this many milliseconds. */
const RETRY_MS = 5;

/**
 * Cuts a stream of chunks into lines. Only the unfinished line is kept, and only new bytes are
 * searched, and its buffer doubles, so that a line costs time in proportion to its length. A line above the cap is reported once and its
 * bytes are dropped up to the next newline.
 */
export class LineSplitter {
  readonly #allocate: (size: number) => Uint8Array<ArrayBuffer>;
  #buffer: Uint8Array<ArrayBuffer>;
  #length = 0;
  #discarding = false;

  /** `cap` is the longest line in bytes, newline not counted; memory comes from `allocate`. */
  constructor(readonly cap: number, allocate = (size: number) => new Uint8Array(size)) {
    this.#allocate = allocate;
    this.#buffer = allocate(READ_SIZE);
  }

  /** Whether the last chunk ended within a line: the rest of it is on its way. */
  get unfinished(): boolean {
    return this.#length > 0 || this.#discarding;
  }

  /** The lines that `chunk` completes. */
  *push(chunk: Uint8Array): Generator<Line> {
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, from);
      const until = newline === -1 ? chunk.length : newline;
      const piece = chunk.subarray(from, until);
      from = until + 1;
      if (this.#discarding) {
        this.#discarding = newline === -1;
      } else if (this.#length + piece.length > this.cap) {
        this.#forget();
        this.#discarding = newline === -1;
        yield { kind: "too_long" };
      } else if (newline === -1) {
        this.#append(piece);
      } else if (this.#length === 0) {
        yield { kind: "line", bytes: piece };
      } else {
        this.#append(piece);
        yield { kind: "line", bytes: this.#buffer.subarray(0, this.#length) };
        this.#forget();
      }
    }
  }

  #append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) {
      const grown = this.#allocate(Math.max(needed, this.#buffer.length * 2));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = needed;
  }

  /** Starts a new line, and gives the memory of an unusually long one back. */
  #forget(): void {
    this.#length = 0;
    if (this.#buffer.length > 16 * READ_SIZE) this.#buffer = this.#allocate(READ_SIZE);
  }
}

/**
 * The chunks of a byte source until its end; each is only valid until the next is asked for. A read
 * that would block is repeated after 5 ms (stdin may be a non-blocking pipe).
 */
export async function* chunks(reader: ByteReader, clock: Clock): AsyncGenerator<Uint8Array> {
  const into = new Uint8Array(READ_SIZE);
  for (;;) {
    let count: number | null;
    try {
      count = await reader.read(into);
    } catch (error) {
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      await sleep(clock, RETRY_MS);
      continue;
    }
    if (count === null) return;
    yield into.subarray(0, count);
  }
}

/** What a line holds. */
export type Parsed =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "blank" }
  | { readonly kind: "unreadable"; readonly problem: "UTF-8" | "JSON" };

// Decoding drops one leading byte order mark by itself.
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads one line: a byte order mark and, white space to JSON, a carriage return are tolerated. */
export function parseLine(bytes: Uint8Array): Parsed {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    // Not UTF-8. The client is told with a parse error.
    return { kind: "unreadable", problem: "UTF-8" };
  }
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    // Not JSON: a blank line is ignored, anything else is told with a parse error.
    return text.trim() === "" ? { kind: "blank" } : { kind: "unreadable", problem: "JSON" };
  }
}
