/** How an operation ends: its status, its event, its place in the cache (gui-protocol.md 2.2, 2.4). */

import type { JsonObject } from "../host/json.ts";
import { activeDocument, type DeskState, KEPT } from "./desk_state.ts";
import type { Drawing } from "./drawing.ts";
import type { Pending, Start } from "./pending.ts";
import { stateView } from "./state_view.ts";

/** How many changes an answer lists. */
const CHANGES_LISTED = 1000;

/** An operation that is about to settle. */
export interface Settling extends Pick<Pending, "requestId" | "payload" | "op" | "start"> {
  readonly result: JsonObject;
  /** Whether a pick was given up. */
  readonly cancelled: boolean;
}

/** What an operation has to remember from before it ran. */
export function startOf(state: DeskState): Start {
  const active = activeDocument(state);
  return { documentId: active.id, drawing: active.drawing, lastLine: state.history.at(-1) };
}

/** The state after an operation settled, and its answer. Frees the slot. */
export function settle(
  state: DeskState,
  ending: Settling,
): { state: DeskState; reply: JsonObject } {
  const error = errorSince(state, ending.start);
  const cancelled = ending.cancelled || ending.op === "cancel";
  const status = error !== null ? "failed" : cancelled ? "cancelled" : "completed";
  const active = activeDocument(state);
  const sequence = state.eventCursor + 1;
  const event = {
    sequence,
    request_id: ending.requestId,
    status,
    document_id: active.id,
    revision: active.revision,
  };
  const after: DeskState = {
    ...state,
    pending: null,
    eventCursor: sequence,
    events: [...state.events, event].slice(-KEPT),
  };
  const reply = {
    ok: status !== "failed",
    status,
    request_id: ending.requestId,
    error,
    result: ending.result,
    changes: active.id === ending.start.documentId
      ? changes(ending.start.drawing, active.drawing)
      : [],
    state: stateView(after),
  };
  const settled = { requestId: ending.requestId, payload: ending.payload, reply };
  return { state: { ...after, completed: [...after.completed, settled].slice(-KEPT) }, reply };
}

function changes(before: Drawing, after: Drawing): readonly JsonObject[] {
  if (before.entities === after.entities) return [];
  const found: JsonObject[] = [];
  for (const [handle, entity] of after.entities) {
    const known = before.entities.get(handle);
    if (known === undefined) found.push({ handle, kind: "Added" });
    else if (known !== entity) found.push({ handle, kind: "Modified" });
  }
  for (const handle of before.entities.keys()) {
    if (!after.entities.has(handle)) found.push({ handle, kind: "Removed" });
  }
  return found.slice(0, CHANGES_LISTED);
}

/** The last error line that came after the start, or null. */
function errorSince({ history }: DeskState, { lastLine }: Start): string | null {
  const from = lastLine === undefined ? 0 : history.lastIndexOf(lastLine) + 1;
  return history.slice(from).filter((line) => line.kind === "Error").at(-1)?.text ?? null;
}
