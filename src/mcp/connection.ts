/**
 * One client served over a pair of byte streams, from its first byte to its last (bridge.md section
 * 1, 5.2, 5.4, 13; mcp-stdio.md section 1). Nothing imported here may load the SDK or zod: the
 * handshake must not wait for them.
 */

import { type Clock, sleep, systemClock } from "../host/clock.ts";
import type { JsonObject } from "../host/json.ts";
import { type Log, silentLog } from "../host/log.ts";
import {
  errorMessage,
  notificationMessage,
  type Reply,
  resultMessage,
  wireError,
} from "./answers.ts";
import { Batch } from "./batch.ts";
import type { Dispatch } from "./dispatch.ts";
import { serve } from "./calls.ts";
import { type Caller, routeRequest } from "./eras.ts";
import type { Era, ServerFace } from "./face.ts";
import { ErrorCode } from "./faults.ts";
import { type Flight, Flights } from "./flights.ts";
import { answerInFront, eraResult } from "./front.ts";
import { initialize } from "./handshake.ts";
import { type ByteReader, chunks, LineSplitter, parseLine } from "./lines.ts";
import { isRequestId, readMessage, type Request } from "./message.ts";
import { substitute } from "./substitute.ts";
import { BATCH_VERSION, MetaKey } from "./versions.ts";
import { type ByteWriter, LineWriter } from "./writer.ts";

/** Why serving ended. All three are ordinary ends: the program exits with 0. */
export type ConnectionEnd =
  /** The client closed our input. What was in flight is aborted and stays unanswered. */
  | "end_of_input"
  /** The client no longer reads what we write. */
  | "client_gone"
  /** A newer build waits to be started; everything received has been answered. */
  | "rebuilt";

/** What a connection needs of the world. */
export interface ConnectionOptions {
  readonly reader: ByteReader;
  readonly writer: ByteWriter;
  readonly clock?: Clock;
  readonly log?: Log;
  /** The longest line taken in, in bytes; default 64 MiB. */
  readonly lineCap?: number;
  /** Asked when a message arrives: whether this program has been replaced (bridge.md 13). */
  readonly stale?: () => boolean;
  /** Aborted when the process is told to end: the same as the end of the input. */
  readonly signal?: AbortSignal;
}

const DEFAULT_LINE_CAP = 64 * 1024 * 1024;
/** How long a client that closed our input may still take to read what it is owed, in ms. */
const LAST_WORDS_MS = 1000;
/** After a rebuild the client must have been silent for this long, in ms, before we leave. */
const SILENCE_MS = 20;
/** A client that is never silent is left all the same this long after the rebuild was seen, in ms. */
const PATIENCE_MS = 2000;

/**
 * Serves one client until one of the ends. Never exits the process and does not close the face:
 * both are the caller's. After the end of the input nothing new is written.
 */
export function serveConnection(
  face: ServerFace,
  options: ConnectionOptions,
): Promise<ConnectionEnd> {
  return new Connection(face, options).run();
}

class Connection {
  readonly #face: ServerFace;
  readonly #options: ConnectionOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lines: LineSplitter;
  readonly #writer: LineWriter;
  readonly #flights: Flights;
  readonly #direct: Reply;
  readonly #stale = Promise.withResolvers<void>();
  /** The version that `initialize` answered; undefined before. */
  #negotiated: string | undefined;
  #dispatch: Promise<Dispatch> | undefined;
  #loaded: Dispatch | undefined;
  #received = 0;
  /** From now on what arrives is not even begun, since it could not be answered. */
  #over = false;

  constructor(face: ServerFace, options: ConnectionOptions) {
    this.#face = face;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLog;
    this.#lines = new LineSplitter(options.lineCap ?? DEFAULT_LINE_CAP);
    this.#writer = new LineWriter(options.writer, this.#clock, this.#log);
    this.#direct = { send: (message) => this.#send(message), drop() {} };
    this.#flights = new Flights({
      clock: this.#clock,
      send: (message, wanted) => this.#send(message, wanted),
      idle: () => this.#lookForBuild(),
    });
  }

  async run(): Promise<ConnectionEnd> {
    const forget = this.#face.onResourcesChanged(() => {
      // Legacy clients hear of it unasked; modern ones through their subscriptions (dispatch.ts).
      if (this.#negotiated === undefined) return;
      this.#send(notificationMessage("notifications/resources/list_changed"));
    });
    const end = await Promise.race([
      this.#read(),
      this.#told(),
      this.#writer.gone.then(() => "client_gone" as const),
      this.#stale.promise.then(() => this.#retire()),
    ]);
    this.#over = true;
    forget();
    this.#writer.seal();
    this.#flights.abortAll();
    await this.#loaded?.close();
    await this.#lastWords();
    return end;
  }

  async #read(): Promise<"end_of_input"> {
    const lines = this.#lines;
    try {
      for await (const chunk of chunks(this.#options.reader, this.#clock)) {
        for (const line of lines.push(chunk)) {
          if (this.#over) return "end_of_input";
          if (line.kind === "line") this.#line(line.bytes);
          else this.#refuse(ErrorCode.invalidRequest, `line longer than ${lines.cap} bytes`);
        }
      }
    } catch (error) {
      this.#log.warn(`Reading from the client failed: ${error}. The connection ends.`);
    }
    return "end_of_input";
  }

  /** The end of the process is the end of the input. */
  #told(): Promise<"end_of_input"> {
    const { signal } = this.#options;
    return new Promise((resolve) => {
      if (signal?.aborted) resolve("end_of_input");
      signal?.addEventListener("abort", () => resolve("end_of_input"), { once: true });
    });
  }

  #line(bytes: Uint8Array): void {
    const parsed = parseLine(bytes);
    if (parsed.kind === "blank") return;
    this.#received++;
    if (parsed.kind === "unreadable") this.#refuse(ErrorCode.parse, `not ${parsed.problem}`);
    else if (!Array.isArray(parsed.value)) this.#message(parsed.value, () => this.#direct);
    else if (this.#negotiated === BATCH_VERSION) this.#batch(parsed.value);
    else this.#refuse(ErrorCode.invalidRequest, "batches are only served in 2025-03-26");
    if (this.#flights.isIdle) this.#lookForBuild();
  }

  /**
   * Done when a message was answered rather than when it came: its answer does not wait for a look
   * at the disk, and while anything is in flight the answer to the question would change nothing.
   */
  #lookForBuild(): void {
    if (this.#options.stale?.()) this.#stale.resolve();
  }

  #batch(values: readonly unknown[]): void {
    if (values.length === 0) {
      this.#refuse(ErrorCode.invalidRequest, "an empty batch");
      return;
    }
    const batch = new Batch((answers) => this.#send(answers));
    for (const value of values) this.#message(value, () => batch.reply(), true);
    batch.seal();
  }

  /** One message. `reply` is only called for one that will be answered. */
  #message(value: unknown, reply: () => Reply, batched = false): void {
    const incoming = readMessage(value);
    switch (incoming.kind) {
      case "request":
        this.#request(incoming.request, reply(), batched);
        return;
      case "notification":
        if (incoming.method === "notifications/cancelled") this.#cancelled(incoming.params);
        return;
      case "malformed":
        reply().send(errorMessage(incoming.id, incoming.error));
        return;
      case "ignored":
        return;
    }
  }

  #request(request: Request, reply: Reply, batched: boolean): void {
    let era: Era = "legacy";
    try {
      if (batched && !isBatchable(request)) {
        const message = `Invalid request: ${request.method} cannot be part of a batch.`;
        reply.send(errorMessage(request.id, { code: ErrorCode.invalidRequest, message }));
        return;
      }
      const caller = routeRequest(request, this.#negotiated);
      era = caller.era;
      const result = this.#answer(request, caller);
      if (result !== undefined) reply.send(resultMessage(request.id, result));
      else this.#fly(this.#flights.open(request, caller, reply));
    } catch (error) {
      reply.send(errorMessage(request.id, wireError(error, request.method, era, this.#log)));
    }
  }

  /** The result of what needs nothing but the greeting; undefined for the rest. */
  #answer(request: Request, caller: Caller): JsonObject | undefined {
    if (caller.era === "modern" || request.method !== "initialize") {
      return answerInFront(this.#face, request, caller);
    }
    const { version, result } = initialize(this.#face, request);
    this.#negotiated = version;
    return result;
  }

  async #fly(flight: Flight): Promise<void> {
    const { request, caller } = flight;
    const open = () => this.#flights.get(flight.key) !== undefined;
    try {
      const dispatch = isDirect(flight) ? await undefined : await this.#load();
      // Its cancel may have come along with it, or while the SDK was loaded.
      if (!open()) return;
      if (dispatch !== undefined) return dispatch.deliver(flight);
      const result = await serve(this.#face, request, flight.call);
      this.#flights.succeed(flight, eraResult(this.#face, result, caller.era));
    } catch (error) {
      // A request that was cancelled fails as it should; that is nobody's concern.
      if (!open()) return;
      this.#flights.fail(flight, wireError(error, request.method, caller.era, this.#log));
    }
  }

  #cancelled(params: JsonObject): void {
    const id = params.requestId;
    if (!isRequestId(id)) return;
    const flights = this.#flights.cancel(id);
    if (flights.length === 0) this.#face.cancelAnswered(id);
    // Before it is loaded the SDK knows of no request, and will not be told of these.
    for (const flight of flights) if (!isDirect(flight)) this.#loaded?.cancel(flight);
  }

  #load(): Promise<Dispatch> {
    return this.#dispatch ??= this.#start();
  }

  async #start(): Promise<Dispatch> {
    const { createDispatch } = await import("./dispatch.ts");
    return this.#loaded = await createDispatch({
      face: this.#face,
      flights: this.#flights,
      log: this.#log,
      send: this.#direct.send,
    });
  }

  /**
   * Answers everything that has arrived, ends the subscriptions, and is done (bridge.md 13). A
   * client that asks on at once, or is in the middle of a line, is served until it pauses: what it
   * wrote into a pipe that nobody reads any more would be lost.
   */
  async #retire(): Promise<"rebuilt"> {
    const deadline = this.#clock.now() + PATIENCE_MS;
    let seen: number;
    const asksOn = () => seen !== this.#received || this.#lines.unfinished;
    do {
      await this.#flights.whenIdle();
      await this.#writer.flush();
      seen = this.#received;
      await sleep(this.#clock, SILENCE_MS);
    } while (
      !this.#flights.isIdle || (asksOn() && this.#clock.now() < deadline)
    );
    this.#over = true;
    await this.#loaded?.close();
    await this.#writer.flush();
    return "rebuilt";
  }

  /** Writes what was queued before the end, for a client that still reads. */
  async #lastWords(): Promise<void> {
    let forget = () => {};
    const enough = new Promise<void>((resolve) => {
      forget = this.#clock.after(LAST_WORDS_MS, resolve);
    });
    await Promise.race([this.#writer.flush(), enough, this.#writer.gone]);
    forget();
  }

  #refuse(code: number, what: string): void {
    const kind = code === ErrorCode.parse ? "Parse error" : "Invalid request";
    this.#send(errorMessage(undefined, { code, message: `${kind}: ${what}.` }));
  }

  #send(message: JsonObject | readonly JsonObject[], wanted?: () => boolean): void {
    try {
      this.#writer.send(message, wanted);
    } catch (error) {
      this.#log.error(`A message could not be written: ${error}`);
      const other = substitute(message);
      if (other !== undefined) this.#writer.send(other, wanted);
    }
  }
}

/**
 * A tool call does without the SDK, which would take every message for a response twice before it
 * sees a request in it: a quarter of a millisecond a call.
 */
function isDirect({ request }: Flight): boolean {
  return request.method === "tools/call";
}

/** `initialize` stands alone, and the modern era has no batches (mcp-stdio.md 1.2). */
function isBatchable(request: Request): boolean {
  return request.method !== "initialize" && !Object.hasOwn(request.meta, MetaKey.protocolVersion);
}
