/** Talking to one session: exchanges that feed its memory and notice when it is gone (bridge.md 4.5). */

import { InfrastructureError, type ToolError } from "../host/faults.ts";
import type { JsonObject } from "../host/json.ts";
import { DEADLINES, type Endpoint, exchange, type ExchangeMachine } from "./exchange.ts";
import { describeFault, exchangeError, type ExchangeFault, wasSilent } from "./exchange_faults.ts";
import type { ExchangeOutcome } from "./exchange.ts";
import type { SessionMemory } from "./memory.ts";
import type { EditorReply, LiveSession } from "./types.ts";

/** What a rescan told about a session that did not answer. */
export interface Rescan {
  readonly directory: string;
  readonly live: readonly LiveSession[];
  /** It gave no usable answer, but may live. */
  readonly undecided: boolean;
}

/** What talking to a session needs. */
export interface TalkOptions {
  readonly machine: ExchangeMachine;
  readonly endpoint: Endpoint;
  readonly memory: SessionMemory;
  /** Looks once which sessions are live, and lets go of this one when it is not. */
  readonly rescan: () => Promise<Rescan>;
}

/** One session's line. */
export class Talk {
  readonly machine: ExchangeMachine;
  readonly memory: SessionMemory;
  readonly #rescan: () => Promise<Rescan>;
  #endpoint: Endpoint;

  constructor(options: TalkOptions) {
    this.machine = options.machine;
    this.memory = options.memory;
    this.#rescan = options.rescan;
    this.#endpoint = options.endpoint;
  }

  get sessionId(): string {
    return this.#endpoint.sessionId;
  }

  /** The descriptor was read again. */
  moveTo(endpoint: Endpoint): void {
    this.#endpoint = endpoint;
  }

  /** One exchange; the state in its reply is remembered. Rejects only by the signal. */
  async ask(
    request: JsonObject,
    signal?: AbortSignal,
    deadlineMs: number = DEADLINES.ordinary,
  ): Promise<ExchangeOutcome> {
    const outcome = await exchange(this.machine, this.#endpoint, request, deadlineMs, signal);
    if (outcome.kind === "reply" && typeof request.op === "string") {
      this.memory.see(request.op, outcome.reply);
    }
    return outcome;
  }

  /** The reply of one exchange; raises what `trouble` makes of a fault, and the signal's reason. */
  async reply(request: JsonObject, signal: AbortSignal): Promise<EditorReply> {
    const outcome = await this.ask(request, signal);
    const op = typeof request.op === "string" ? request.op : "?";
    if (outcome.kind === "fault") throw await this.trouble(op, outcome.fault);
    if (outcome.reply.code === "session_changed") throw await this.gone(op);
    return outcome.reply;
  }

  /**
   * The error for a failed exchange. A refusal, or a close without a word, may mean that the editor
   * was restarted: then one rescan tells which sessions there are now.
   */
  async trouble(op: string, fault: ExchangeFault): Promise<InfrastructureError | ToolError> {
    if (fault.kind !== "refused" && fault.kind !== "closed_without_a_byte") {
      return exchangeError(
        op,
        this.#endpoint.port,
        fault,
        wasSilent(fault)
          ? "A dialog or a long job may hold it up: look at its window, then call again."
          : "Call again; if it stays so, ask ocs_sessions which editors there are.",
      );
    }
    const seen = `the editor on port ${this.#endpoint.port} ${describeFault(fault)}`;
    return await this.#afterRescan(op, seen);
  }

  /** The error after an answer of `session_changed`. */
  async gone(op: string): Promise<InfrastructureError> {
    return await this.#afterRescan(
      op,
      `another session answered on port ${this.#endpoint.port}`,
      true,
    );
  }

  async #afterRescan(op: string, seen: string, certain = false): Promise<InfrastructureError> {
    const { directory, live, undecided } = await this.#rescan();
    const id = this.sessionId;
    if (!certain && (undecided || live.some(({ sessionId }) => sessionId === id))) {
      return new InfrastructureError(
        `Asked the editor for '${op}': ${seen}. Session ${id} is still there: call again in a ` +
          "moment.",
      );
    }
    this.memory.drop();
    const ids = live.map(({ sessionId }) => sessionId);
    const rest = ids.length > 0
      ? `Live sessions: ${ids.join(", ")}. Go on with one of these`
      : `No live session in ${directory}. Call ocs_sessions to start an editor`;
    return new InfrastructureError(
      `Session ${id} is gone: asked for '${op}', and ${seen}. The editor was closed or restarted. ` +
        `Handles, revisions and diff baselines of this session are void. ${rest}.`,
    );
  }
}
