/** The state of the desk as one immutable value: documents, the operation slot, the caches. */

import type { JsonObject } from "../host/json.ts";
import { type Document, newDocument, type View } from "./document.ts";
import type { Drawing } from "./drawing.ts";
import type { Point3 } from "./entity.ts";
import type { HistoryLine, Pending } from "./pending.ts";
import type { Person } from "./person.ts";

/** What stays the same while the desk runs. */
export interface DeskFacts {
  readonly sessionId: string;
  readonly version: string;
  readonly readOnly: boolean;
  /** Pixels. */
  readonly viewport: { readonly width: number; readonly height: number };
  /** How long an operation of that name stays `running`, in milliseconds. */
  readonly slow: ReadonlyMap<string, number>;
  /** What the read `tools` answers (gui-protocol.md 4.21); without it there is no such read. */
  readonly tools?: () => JsonObject;
}

/** What a settled mutation leaves in the ring of events (gui-protocol.md 4.2). */
export interface DeskEvent {
  readonly sequence: number;
  readonly request_id: string;
  readonly status: string;
  readonly document_id: number;
  readonly revision: number;
}

/** A settled operation: its answer, and the payload that it answered (gui-protocol.md 2.4). */
export interface Completed {
  readonly requestId: string;
  readonly payload: string;
  readonly reply: JsonObject;
}

/** Everything the desk knows. */
export interface DeskState {
  readonly facts: DeskFacts;
  /** False once automation was stopped (gui-protocol.md 2.5). */
  readonly enabled: boolean;
  /** In the order of opening; the first is the start page. */
  readonly documents: readonly Document[];
  readonly activeId: number;
  readonly nextDocumentId: number;
  readonly pending: Pending | null;
  /** The newest last; at most 128. */
  readonly completed: readonly Completed[];
  /** The newest last; at most 128. */
  readonly events: readonly DeskEvent[];
  readonly eventCursor: number;
  readonly history: readonly HistoryLine[];
  /** The last point a person showed. */
  readonly cursor: Point3;
  /** What the scripted person has not done yet. */
  readonly script: readonly Person[];
}

/** How many settled operations and how many events are kept (gui-protocol.md 2.4, 4.2). */
export const KEPT = 128;

/** How many lines of history are kept. */
const HISTORY_KEPT = 10_000;

/** A desk that shows the start page, or the drawing it was given beside it. */
export function initialState(
  facts: DeskFacts,
  view: View,
  script: readonly Person[],
  drawing?: { readonly title: string; readonly drawing: Drawing; readonly view: View },
): DeskState {
  const start = newDocument({ id: 1, title: "Start", start: true, view });
  const documents = drawing === undefined ? [start] : [start, newDocument({ id: 2, ...drawing })];
  return {
    facts,
    enabled: true,
    documents,
    activeId: documents.length,
    nextDocumentId: documents.length + 1,
    pending: null,
    completed: [],
    events: [],
    eventCursor: 0,
    history: [{ kind: "Info", text: `Desk ${facts.version}: a stand-in editor without a window.` }],
    cursor: [0, 0, 0],
    script,
  };
}

/** The active document. There is always one: the start page cannot be closed. */
export function activeDocument(state: DeskState): Document {
  const active = state.documents.find((document) => document.id === state.activeId);
  if (active === undefined) throw new Error(`The active document ${state.activeId} is not open.`);
  return active;
}

/** The state with another value of one of its documents. */
export function withDocument(state: DeskState, document: Document): DeskState {
  return {
    ...state,
    documents: state.documents.map((known) => known.id === document.id ? document : known),
  };
}

/** The state with one more line of history. */
export function noted(state: DeskState, kind: HistoryLine["kind"], text: string): DeskState {
  return { ...state, history: [...state.history, { kind, text }].slice(-HISTORY_KEPT) };
}
