/** The editor's side as the tools see it: sessions, reads, operations, waiting. */

import type { Json, JsonObject } from "../host/json.ts";

/** How a call may end early and what it reports while it waits. */
export interface Waiting {
  readonly signal: AbortSignal;
  /** Says what is being waited for, in a phrase a person can read. */
  phase(message: string): void;
}

/** A descriptor file that was not used, and why (bridge.md 3.1, 3.2). */
export interface SkippedDescriptor {
  readonly file: string;
  readonly reason: string;
}

/** A live editor session: its `state` as the probe saw it. */
export interface LiveSession {
  readonly sessionId: string;
  readonly pid?: number;
  readonly port: number;
  readonly executable?: string;
  readonly state: JsonObject;
}

/** What one look into the automation directory found. */
export interface Discovery {
  readonly directory: string;
  readonly live: readonly LiveSession[];
  readonly skipped: readonly SkippedDescriptor[];
}

/** How an operation waits: a mutation and a capture up to 60 s, a pick up to 600 s (bridge.md 5.1). */
export type OperationKind = "mutation" | "pick" | "capture";

/** How long to wait, in milliseconds, already clamped for the kind. */
export interface ExecuteOptions {
  readonly kind: OperationKind;
  readonly waitMs: number;
}

/** One editor session; remembers the last state seen and keeps mutations in order. */
export interface EditorSession {
  readonly sessionId: string;
  /** The last `state` seen in any answer. */
  lastState(): JsonObject | undefined;
  /**
   * A read: what the caller sent and nothing more. The reply may be a failure (`ok: false`);
   * raises InfrastructureError when the exchange fails, ToolError when the request is too large.
   */
  read(op: string, parameters: JsonObject, waiting: Waiting): Promise<JsonObject>;
  /**
   * A validated operation with its `request_id`: defaults filled in, in turn, waited for.
   * Settled, failed, or still `running` when the wait is over; a lost answer is recovered
   * (bridge.md 4.2 to 4.5, 5.1). An abort dismisses the operation in the editor (5.2) and rejects
   * with the signal's reason.
   */
  execute(request: JsonObject, options: ExecuteOptions, waiting: Waiting): Promise<JsonObject>;
  /** A validated batch, step by step (bridge.md section 6). */
  batch(request: JsonObject, options: ExecuteOptions, waiting: Waiting): Promise<JsonObject>;
  /** One look at an operation or a batch, without waiting; a dismissed one answers `cancelled`. */
  poll(requestId: string, waiting: Waiting): Promise<JsonObject>;
  /** Dismisses a pending operation or batch. Never rejects: the outcome stands either way. */
  dismiss(requestId: string): Promise<void>;
}

/** The editor's side as a whole. */
export interface EditorSide {
  /** The automation directory that is looked into. */
  readonly directory: string;
  /** One look: descriptors, liveness, parallel probes. Never rejects but by the signal. */
  discover(signal: AbortSignal): Promise<Discovery>;
  /**
   * What one look found; launches the editor when nothing lives and `launchIfNone` is set
   * (bridge.md 3.5). Raises InfrastructureError when launching fails or takes too long.
   */
  sessions(launchIfNone: boolean, waiting: Waiting): Promise<Discovery>;
  /** The session of that id; raises InfrastructureError naming the ids that exist. */
  session(sessionId: string, waiting: Waiting): Promise<EditorSession>;
  /** Sessions that earlier calls have used or seen, in stable order; no I/O. */
  known(): readonly EditorSession[];
  /** Calls back when a session appears or goes; returns how to stop that. */
  onSessionsChanged(listener: () => void): () => void;
  /** Ends the open picks, or not, and releases the launch claim; 1 s altogether (bridge.md 5.4). */
  close(picks: OpenPicks): Promise<void>;
}

/** What closing does with the picks that are still open. */
export type OpenPicks = "retract" | "keep";

/** An editor's answer in the protocol's own shape; `ok` and `status` as gui-protocol.md 2.2. */
export type EditorReply = JsonObject & { readonly ok?: Json; readonly status?: Json };
