/** The checks that every request passes, in the order that the protocol lays down (gui-protocol.md 2.3). */

import type { JsonObject } from "../host/json.ts";
import { activeDocument, type DeskState } from "./desk_state.ts";
import { list, unsigned } from "./parameters.ts";
import { events, operation, READ_NAMES, READS } from "./reads.ts";
import { Refusal } from "./refusal.ts";
import { stateView } from "./state_view.ts";

/** What a request comes to. */
export type Verdict =
  /** It is answered, and nothing changes. */
  | { readonly kind: "answered"; readonly reply: JsonObject }
  /** It takes back the pick that is open. */
  | { readonly kind: "retract" }
  /** It is a mutation that may run. */
  | { readonly kind: "run"; readonly op: string; readonly requestId: string };

/** How many bytes a request id has at most. */
const ID_BYTES = 128;

/** Mutations that need no `document_id` (gui-protocol.md 2.1). */
const WITHOUT_DOCUMENT: ReadonlySet<string> = new Set([
  "new",
  "open",
  "stop",
  "user_select",
  "getpoint",
]);

/** Mutations that may name a document that is not the active one. */
const OTHER_DOCUMENT: ReadonlySet<string> = new Set([
  "activate",
  "switch_document",
  "close",
  "entities_copy_to",
]);

/** Commands, which the desk has none of; on the start page the protocol says so first. */
const COMMANDS: ReadonlySet<string> = new Set(["run", "start", "input"]);

/**
 * Takes a request through steps 1 to 17. `payload` is the request, without the token, in one spelling.
 * Raises a Refusal at the first step that fails. Step 15 never applies: no command is ever live here.
 */
export function examine(state: DeskState, request: JsonObject, payload: string): Verdict {
  const op = typeof request.op === "string" ? request.op : "";
  const isRead = READ_NAMES.has(op);
  if (!isRead && !state.enabled) {
    throw new Refusal("disabled", "Automation was stopped; only reads are answered.");
  }
  checkPeers(state, request);
  switch (op) {
    case "hello":
    case "state":
      return answered(stateView(state));
    case "operation":
      return answered(operation(state, request));
    case "events":
      return answered(events(state, request));
    case "tools":
      if (state.facts.tools === undefined) throw unknownOperation(op);
      return answered(state.facts.tools());
    case "commands":
      throw unknownOperation(op);
  }
  const requestId = isRead ? "" : requiredId(request);
  if (!isRead) {
    const verdict = checkSlot(state, op, requestId, payload);
    if (verdict !== undefined) return verdict;
  }
  checkDocument(state, op, isRead, request);
  checkRevisions(state, request);
  if (isRead) {
    const read = READS.get(op);
    if (read === undefined) throw unknownOperation(op);
    return answered(read(state, request));
  }
  if (COMMANDS.has(op) && activeDocument(state).start) {
    throw new Refusal("no_document", `The start page is active; open a drawing before '${op}'.`);
  }
  checkSelection(state, request);
  return { kind: "run", op, requestId };
}

/** The refusal of an operation that the desk does not have. */
export function unknownOperation(op: string): Refusal {
  return new Refusal("unknown_operation", `This editor has no operation '${op}'.`);
}

function answered(reply: JsonObject): Verdict {
  return { kind: "answered", reply };
}

/** Steps 2 and 3: the protocol and the session. */
function checkPeers(state: DeskState, request: JsonObject): void {
  const protocol = unsigned(request.protocol);
  if (protocol !== undefined && protocol !== 1) {
    throw new Refusal("protocol_mismatch", `This is protocol 1, not ${protocol}.`);
  }
  const session = request.session_id;
  if (typeof session === "string" && session !== state.facts.sessionId) {
    throw new Refusal("session_changed", `This is the session ${state.facts.sessionId}.`);
  }
}

/** Step 9: the idempotency key. */
function requiredId(request: JsonObject): string {
  const id = request.request_id;
  const bytes = typeof id === "string" ? new TextEncoder().encode(id).length : 0;
  if (typeof id !== "string" || bytes === 0 || bytes > ID_BYTES) {
    throw new Refusal("request_id_required", `A request_id of 1 to ${ID_BYTES} bytes is needed.`);
  }
  return id;
}

/** Steps 10 and 11: what is known by this id, and whether the slot is free. */
function checkSlot(
  state: DeskState,
  op: string,
  requestId: string,
  payload: string,
): Verdict | undefined {
  const settled = state.completed.findLast((known) => known.requestId === requestId);
  if (settled !== undefined) {
    if (settled.payload === payload) return answered(settled.reply);
    throw new Refusal("request_id_reused", `The request_id '${requestId}' had another request.`);
  }
  const { pending } = state;
  if (pending === null) return undefined;
  if (pending.requestId === requestId && pending.payload === payload) {
    return answered({ ok: true, status: "running", request_id: requestId });
  }
  if (op === "cancel" && pending.work.kind === "pick") return { kind: "retract" };
  throw new Refusal("busy", `The operation '${pending.requestId}' (${pending.op}) is running.`);
}

/** Step 12: the document. */
function checkDocument(state: DeskState, op: string, isRead: boolean, request: JsonObject): void {
  const id = unsigned(request.document_id);
  if (id === undefined) {
    if (isRead || WITHOUT_DOCUMENT.has(op)) return;
    throw new Refusal("document_required", `The operation '${op}' needs a document_id.`);
  }
  if (!state.documents.some((document) => document.id === id)) {
    throw new Refusal("document_closed", `Document ${id} is not open.`);
  }
  if (id !== state.activeId && !OTHER_DOCUMENT.has(op)) {
    throw new Refusal(
      "document_not_active",
      `Document ${id} is open, but ${state.activeId} is active.`,
    );
  }
}

/** Step 13: the revisions of the active document, where the request names them. */
function checkRevisions(state: DeskState, request: JsonObject): void {
  const active = activeDocument(state);
  const pairs = [
    ["revision", active.revision],
    ["geometry_revision", active.geometryRevision],
    ["camera_revision", active.cameraRevision],
  ] as const;
  for (const [name, now] of pairs) {
    const wanted = unsigned(request[name]);
    if (wanted !== undefined && wanted !== now) {
      throw new Refusal("stale_state", `The ${name} is ${now}, not ${wanted}.`, {
        state: stateView(state),
      });
    }
  }
}

/** Step 17: the selection, where the request names it. */
function checkSelection(state: DeskState, request: JsonObject): void {
  const wanted = list(request.selection);
  if (wanted === undefined) return;
  const { selection } = activeDocument(state);
  const agrees = wanted.length === selection.length &&
    wanted.every((handle, index) => handle === selection[index]);
  if (!agrees) {
    throw new Refusal("selection_changed", `The selection is [${selection.join(", ")}].`);
  }
}
