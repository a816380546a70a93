/** The requests in flight: who asked, how to stop them, and that each is answered at most once. */

import type { Clock } from "../host/clock.ts";
import type { JsonObject } from "../host/json.ts";
import { errorMessage, type Reply, resultMessage, type WireError } from "./answers.ts";
import type { Caller } from "./eras.ts";
import type { CallContext, RequestId } from "./face.ts";
import type { Request } from "./message.ts";
import { type Progress, startProgress } from "./progress.ts";
import { isBefore } from "./versions.ts";

/** The first version whose progress notifications have a `message`. */
const PROGRESS_MESSAGE_SINCE = "2025-03-26";

/** One request between its arrival and its answer. */
export class Flight {
  readonly #controller = new AbortController();
  readonly #reply: Reply;
  readonly #progress: Progress;
  /** Why it fails, once its handler has said so; goes to the wire exactly as it is here. */
  fault: WireError | undefined;
  /** Whether this is a subscription that stays open by design and is waited for by nobody. */
  subscribed = false;

  constructor(
    /** The id that the SDK sees: never reused, unlike the client's. */
    readonly key: number,
    readonly request: Request,
    readonly caller: Caller,
    reply: Reply,
    progress: Progress,
  ) {
    this.#reply = reply;
    this.#progress = progress;
  }

  /** What the face gets to know about the request. */
  get call(): CallContext {
    const { era, protocolVersion, tasks } = this.caller;
    return {
      id: this.request.id,
      era,
      protocolVersion,
      tasks,
      signal: this.#controller.signal,
      phase: (message) => this.#progress.phase(message),
    };
  }

  /** Sends the answer. Only `Flights` calls this. */
  settle(message: JsonObject): void {
    this.#progress.stop();
    this.#reply.send(message);
  }

  /** Stops the work; there will be no answer. Only `Flights` calls this. */
  abort(reason: unknown): void {
    this.#progress.stop();
    this.#controller.abort(reason);
    this.#reply.drop();
  }
}

/** What the table needs. */
export interface FlightsOptions {
  readonly clock: Clock;
  /** Writes progress, unless it is no longer wanted when it can be written. */
  send(message: JsonObject, wanted: () => boolean): void;
  /** Called each time nobody waits for an answer any more. */
  readonly idle?: () => void;
}

/** The table of requests in flight. Ids keep their type: `7` and `"7"` are two requests. */
export class Flights {
  readonly #options: FlightsOptions;
  readonly #open = new Map<number, Flight>();
  #keys = 0;
  /** Open requests that somebody waits for: all but the acknowledged subscriptions. */
  #waiting = 0;
  #idle = Promise.withResolvers<void>();

  constructor(options: FlightsOptions) {
    this.#options = options;
  }

  /** Takes a request in. */
  open(request: Request, caller: Caller, reply: Reply): Flight {
    const key = ++this.#keys;
    const progress = startProgress({
      clock: this.#options.clock,
      token: request.progressToken,
      withMessage: !isBefore(caller.protocolVersion, PROGRESS_MESSAGE_SINCE),
      send: (message) => this.#options.send(message, () => this.#open.has(key)),
    });
    const flight = new Flight(key, request, caller, reply, progress);
    this.#open.set(flight.key, flight);
    this.#waiting++;
    return flight;
  }

  /** The request with the SDK's id `key`, unless it has been answered or cancelled. */
  get(key: unknown): Flight | undefined {
    return typeof key === "number" ? this.#open.get(key) : undefined;
  }

  /** Answers with a result; false when the request is no longer open. */
  succeed(flight: Flight, result: JsonObject): boolean {
    return this.#close(flight, () => flight.settle(resultMessage(flight.request.id, result)));
  }

  /** Answers with an error; false when the request is no longer open. */
  fail(flight: Flight, error: WireError): boolean {
    return this.#close(flight, () => flight.settle(errorMessage(flight.request.id, error)));
  }

  /** Stops every open request with this id and answers them; nothing is sent for them any more. */
  cancel(id: RequestId): readonly Flight[] {
    const found = [...this.#open.values()].filter((flight) => flight.request.id === id);
    for (const flight of found) {
      this.#close(flight, () => flight.abort(new DOMException("Cancelled", "AbortError")));
    }
    return found;
  }

  /** The client is gone: stops everything, answers nothing. */
  abortAll(): void {
    for (const flight of [...this.#open.values()]) {
      this.#close(flight, () => flight.abort(new DOMException("Client gone", "AbortError")));
    }
  }

  /** A subscription was acknowledged: from now on it holds nobody up. */
  subscribe(flight: Flight): void {
    if (flight.subscribed || !this.#open.has(flight.key)) return;
    flight.subscribed = true;
    this.#release();
  }

  /** Whether no request waits for its answer; open subscriptions do not count. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves when `isIdle`. */
  async whenIdle(): Promise<void> {
    while (!this.isIdle) await this.#idle.promise;
  }

  #close(flight: Flight, how: () => void): boolean {
    if (!this.#open.delete(flight.key)) return false;
    how();
    if (!flight.subscribed) this.#release();
    return true;
  }

  #release(): void {
    if (--this.#waiting > 0) return;
    this.#idle.resolve();
    this.#idle = Promise.withResolvers<void>();
    this.#options.idle?.();
  }
}
