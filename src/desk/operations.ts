/** The mutations that the desk knows, each from state and request to what it leads to. */

import type { JsonObject } from "../host/json.ts";
import { planCapture, viewOn } from "./capture.ts";
import { createEntities } from "./creating.ts";
import { activeDocument, type DeskState, noted, withDocument } from "./desk_state.ts";
import { edited, isDirty, newDocument, redone, undone, viewed } from "./document.ts";
import { flag, given, requiredHandles, text, unsigned } from "./parameters.ts";
import type { Work } from "./pending.ts";
import { nextPerson } from "./person.ts";
import { askFor, opened } from "./picks.ts";
import { Refusal } from "./refusal.ts";
import { selected } from "./selecting.ts";
import { sysvar } from "./sysvars.ts";
import { presentEntities, transformEntities } from "./transforming.ts";
import { setProperties } from "./updating.ts";
import { fitExtents } from "./camera.ts";

/** What an operation led to. */
export type Outcome =
  | { readonly kind: "done"; readonly state: DeskState; readonly result: JsonObject }
  | { readonly kind: "waiting"; readonly state: DeskState; readonly work: Work }
  /** Refused, though some of it was done (`sysvar`, gui-protocol.md 5.7). */
  | { readonly kind: "refused"; readonly state: DeskState; readonly refusal: Refusal };

type Operation = (state: DeskState, request: JsonObject) => Outcome;

/** The mutations by name; each raises a Refusal for what it cannot do. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["new", open],
  ["activate", activate],
  ["switch_document", activate],
  ["close", close],
  ["select", select],
  ["entities_create", create],
  ["entities_delete", erase],
  ["entities_transform", transform],
  ["undo", undo],
  ["redo", redo],
  ["set_properties", update],
  ["sysvar", variables],
  ["view_focus", focus],
  ["user_select", (state, request) => pick(state, request, "user_select")],
  ["getpoint", (state, request) => pick(state, request, "getpoint")],
  ["cancel", (state) => done(state)],
  ["stop", (state) => done({ ...state, enabled: false })],
  ["capture", capture],
]);

function done(state: DeskState, result: JsonObject = {}): Outcome {
  return { kind: "done", state, result };
}

function open(state: DeskState, request: JsonObject): Outcome {
  if (given(request.template)) {
    throw new Refusal("template_missing", "The desk reads no files, so it has no templates.");
  }
  const id = state.nextDocumentId;
  const document = newDocument({
    id,
    title: `Drawing${id - 1}`,
    view: fitExtents(state.facts.viewport, undefined),
  });
  return done({
    ...state,
    documents: [...state.documents, document],
    activeId: id,
    nextDocumentId: id + 1,
  });
}

function activate(state: DeskState, request: JsonObject): Outcome {
  // The envelope has found the document open.
  return done({ ...state, activeId: unsigned(request.document_id) ?? state.activeId });
}

function close(state: DeskState, request: JsonObject): Outcome {
  const id = unsigned(request.document_id) ?? state.activeId;
  const index = state.documents.findIndex((document) => document.id === id);
  const document = state.documents[index];
  if (document === undefined) throw new Refusal("document_closed", `Document ${id} is not open.`);
  if (document.start) return done(state, { closed: false, reason: "start_page" });
  if (isDirty(document) && !flag(request.discard, false)) {
    throw new Refusal(
      "document_dirty",
      `'${document.title}' has unsaved changes; pass discard:true to close it without them.`,
    );
  }
  const documents = state.documents.toSpliced(index, 1);
  const neighbour = documents[Math.min(index, documents.length - 1)];
  const activeId = state.activeId === id ? neighbour?.id ?? state.activeId : state.activeId;
  return done({ ...state, documents, activeId }, {
    closed: true,
    documents_before: state.documents.length,
    documents_after: documents.length,
    closed_document_id: id,
  });
}

function select(state: DeskState, request: JsonObject): Outcome {
  const document = activeDocument(state);
  const selection = selected(document.drawing, request);
  return done(withDocument(state, { ...document, selection }));
}

function create(state: DeskState, request: JsonObject): Outcome {
  const document = activeDocument(state);
  const made = createEntities(document.drawing, document.seed, request.entities);
  return done(withDocument(state, edited(document, made.drawing, made.seed)), {
    handles: made.handles,
    created: made.handles.length,
    layers_created: made.layersCreated,
  });
}

function erase(state: DeskState, request: JsonObject): Outcome {
  const document = activeDocument(state);
  const handles = requiredHandles(request.handles);
  presentEntities(document.drawing, handles);
  const entities = new Map(document.drawing.entities);
  for (const handle of handles) entities.delete(handle);
  const after = edited(document, { ...document.drawing, entities });
  return done(withDocument(state, after), { erased: handles.length });
}

function transform(state: DeskState, request: JsonObject): Outcome {
  const document = activeDocument(state);
  const made = transformEntities(document.drawing, document.seed, request);
  return done(withDocument(state, edited(document, made.drawing, made.seed)), {
    affected: made.affected,
    created: made.created,
  });
}

function undo(state: DeskState): Outcome {
  const before = undone(activeDocument(state));
  return done(
    before === undefined
      ? noted(state, "Info", "There is nothing to undo.")
      : withDocument(state, before),
  );
}

function redo(state: DeskState): Outcome {
  const after = redone(activeDocument(state));
  return done(
    after === undefined
      ? noted(state, "Info", "There is nothing to redo.")
      : withDocument(state, after),
  );
}

function update(state: DeskState, request: JsonObject): Outcome {
  const document = activeDocument(state);
  const { drawing, result } = setProperties(document.drawing, request);
  return done(withDocument(state, edited(document, drawing)), result);
}

function variables(state: DeskState, request: JsonObject): Outcome {
  const document = activeDocument(state);
  const { drawing, result, refusal } = sysvar(document.drawing, request);
  const after = withDocument(state, edited(document, drawing));
  return refusal === undefined ? done(after, result) : { kind: "refused", state: after, refusal };
}

function focus(state: DeskState, request: JsonObject): Outcome {
  const document = activeDocument(state);
  const handles = requiredHandles(request.handles);
  presentEntities(document.drawing, handles);
  const seen = viewed(document, viewOn(document, state.facts.viewport, handles));
  const highlight = flag(request.highlight, true);
  return done(withDocument(state, highlight ? { ...seen, selection: handles } : seen), {
    zoomed: true,
    selected: highlight ? handles.length : 0,
  });
}

function pick(state: DeskState, request: JsonObject, op: "user_select" | "getpoint"): Outcome {
  const asked = askFor(op, request, activeDocument(state));
  const { person, rest } = nextPerson(state.script, op);
  const line = `${op} ${text(request.request_id) ?? ""}: ${asked.prompt}`;
  return {
    kind: "waiting",
    state: noted(opened({ ...state, script: rest }, request, asked), "Info", line),
    work: { kind: "pick", pick: asked, person },
  };
}

function capture(state: DeskState, request: JsonObject): Outcome {
  const { document, plan } = planCapture(activeDocument(state), state.facts.viewport, request);
  return {
    kind: "waiting",
    state: withDocument(state, document),
    work: { kind: "capture", plan },
  };
}
