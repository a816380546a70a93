/** What the bridge remembers of a session, and the defaults it fills in from that (bridge.md 4.2). */

import { isJsonObject, type JsonObject } from "../host/json.ts";
import { sameJson } from "./equality.ts";
import { Recent } from "./recent.ts";

/** Requests whose wire form is remembered, so that a replay is the same to the editor. */
const SENT_PLACES = 128;

/** Operations that go with the selection they were meant for. */
const WITH_SELECTION: ReadonlySet<string> = new Set([
  "input",
  "property",
  "run",
  "action",
  "save",
  "save_verified",
  "undo",
  "redo",
]);

/** The envelope keys that get a default. */
const FILLED = ["request_id", "client_id", "document_id", "revision", "selection"] as const;

/** A new 32 digit hex id. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The memory of one session. */
export class SessionMemory {
  readonly #clientId: string;
  readonly #sent = new Recent<string, { readonly asked: JsonObject; readonly wire: JsonObject }>(
    SENT_PLACES,
  );
  #state: JsonObject | undefined;

  constructor(clientId: string) {
    this.#clientId = clientId;
  }

  /** The last state seen in any answer. */
  get state(): JsonObject | undefined {
    return this.#state;
  }

  /** Looks for a state in the reply to `op`: the reply itself for hello and state. */
  see(op: string, reply: JsonObject): void {
    const own = op === "hello" || op === "state";
    const seen = own && reply.ok === true ? reply : reply.state;
    if (!isJsonObject(seen) || !isNewer(seen, this.#state)) return;
    this.#state = seen;
  }

  /** Forgets everything: the session is gone (bridge.md 4.5). */
  drop(): void {
    this.#state = undefined;
    this.#sent.clear();
  }

  /**
   * The request as it goes out. A request that is still remembered goes out as it did before, since
   * the editor knows a replay only by the whole of it (gui-protocol.md 2.4).
   */
  fill(asked: JsonObject): JsonObject {
    const id = asked.request_id;
    const before = typeof id === "string" ? this.#sent.get(id) : undefined;
    if (before !== undefined && sameJson(before.asked, asked)) return before.wire;
    const wire = withDefaults(asked, this.#state, this.#clientId);
    if (typeof wire.request_id === "string") this.#sent.set(wire.request_id, { asked, wire });
    return wire;
  }

  /** The editor refused it outright: its id is free, and the next try gets fresh defaults. */
  forgetSent(requestId: string): void {
    this.#sent.delete(requestId);
  }
}

/**
 * A replayed answer carries the state of its own time. The event cursor only rises, so a lower one
 * tells that it is older than what is known.
 */
function isNewer(seen: JsonObject, known: JsonObject | undefined): boolean {
  const [now, before] = [seen.event_cursor, known?.event_cursor];
  if (known?.session_id !== seen.session_id) return true;
  return !(typeof now === "number" && typeof before === "number" && now < before);
}

/** The request with defaults where the caller sent none; null counts as none (bridge.md 4.2). */
export function withDefaults(
  asked: JsonObject,
  state: JsonObject | undefined,
  clientId: string,
): JsonObject {
  const op = asked.op;
  const defaults: { [key: string]: JsonObject[string] } = { request_id: freshId() };
  if (op === "entities_copy_to") {
    // The envelope wants the target here; the active document is the source (gui-protocol.md 5.5).
    defaults.document_id = asked.target_document_id ?? undefined;
    defaults.revision = state?.revision;
    defaults.client_id = clientId;
  } else {
    defaults.document_id = state?.document_id;
    if (op !== "capture") {
      defaults.client_id = clientId;
      defaults.revision = state?.revision;
      if (typeof op === "string" && WITH_SELECTION.has(op)) defaults.selection = state?.selection;
    }
  }
  const wire: { [key: string]: JsonObject[string] } = { ...asked };
  for (const key of FILLED) {
    if (wire[key] !== undefined && wire[key] !== null) continue;
    if (defaults[key] === undefined) delete wire[key];
    else wire[key] = defaults[key];
  }
  return wire;
}
