/** Which answered requests left an operation running, for cancels that come late (bridge.md 5.2). */

import type { RequestId } from "../mcp/face.ts";

/** An operation that the editor was still working on when its request was answered. */
export interface PendingOperation {
  readonly sessionId: string;
  readonly requestId: string;
}

/** So many are remembered; the oldest is forgotten first. */
const LIMIT = 128;

/** The map from JSON-RPC ids, in which `7` and `"7"` differ, to what they left running. */
export class PendingOperations {
  readonly #byCall = new Map<RequestId, PendingOperation>();

  /** The request was answered while its operation still runs. */
  add(call: RequestId, operation: PendingOperation): void {
    this.#byCall.delete(call);
    this.#byCall.set(call, operation);
    const oldest = this.#byCall.keys().next();
    if (this.#byCall.size > LIMIT && !oldest.done) this.#byCall.delete(oldest.value);
  }

  /** Takes out what the id left running; also used when a new request carries the same id. */
  take(call: RequestId): PendingOperation | undefined {
    const operation = this.#byCall.get(call);
    this.#byCall.delete(call);
    return operation;
  }

  /** The operation is settled: a cancel has nothing to find any more. */
  settled(sessionId: string, requestId: string): void {
    for (const [call, operation] of this.#byCall) {
      if (operation.sessionId === sessionId && operation.requestId === requestId) {
        this.#byCall.delete(call);
      }
    }
  }
}
