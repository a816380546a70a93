/** An open document: a drawing with its history of undo, its revisions, its view and its selection. */

import { type Drawing, emptyDrawing, FIRST_HANDLE } from "./drawing.ts";
import type { Point2 } from "./entity.ts";

/** How a document is looked at; plan view, north up. */
export interface View {
  /** The drawing point in the middle of the viewport. */
  readonly center: Point2;
  /** Drawing units per pixel of the viewport. */
  readonly unitsPerPixel: number;
}

/** One tab of the desk. */
export interface Document {
  readonly id: number;
  readonly title: string;
  readonly path: string | null;
  /** The welcome page. */
  readonly start: boolean;
  readonly drawing: Drawing;
  /** The drawing as it was when it was last in step with its file: what differs is dirty. */
  readonly clean: Drawing;
  /** The number of the next handle. Undo does not give handles back. */
  readonly seed: number;
  /** Drawings to go back to, the newest last. */
  readonly undo: readonly Drawing[];
  /** Drawings to go forward to, the nearest last. */
  readonly redo: readonly Drawing[];
  /** Raised by every edit, undo and redo (gui-protocol.md 9, Q4). */
  readonly revision: number;
  /** Raised together with `revision`. */
  readonly geometryRevision: number;
  /** Raised when the view changes. */
  readonly cameraRevision: number;
  /** Handles in the order of picking. */
  readonly selection: readonly string[];
  readonly view: View;
}

/** How many steps undo goes back. */
export const UNDO_DEPTH = 1000;

/** A new document that shows `drawing`; handles go on from `seed`. */
export function newDocument(options: {
  readonly id: number;
  readonly title: string;
  readonly view: View;
  readonly start?: boolean;
  readonly drawing?: Drawing;
}): Document {
  const drawing = options.drawing ?? emptyDrawing();
  return {
    id: options.id,
    title: options.title,
    path: null,
    start: options.start ?? false,
    drawing,
    clean: drawing,
    seed: seedFor(drawing),
    undo: [],
    redo: [],
    revision: 0,
    geometryRevision: 0,
    cameraRevision: 0,
    selection: [],
    view: options.view,
  };
}

/** The document after an edit: one more step to undo, none to redo. No change is no edit. */
export function edited(document: Document, drawing: Drawing, seed = document.seed): Document {
  if (drawing === document.drawing) return document;
  return withDrawing(document, drawing, {
    seed,
    undo: [...document.undo, document.drawing].slice(-UNDO_DEPTH),
    redo: [],
  });
}

/** The document one step back, or undefined when there is none. */
export function undone(document: Document): Document | undefined {
  const drawing = document.undo.at(-1);
  if (drawing === undefined) return undefined;
  return withDrawing(document, drawing, {
    undo: document.undo.slice(0, -1),
    redo: [...document.redo, document.drawing],
  });
}

/** The document one step forward, or undefined when there is none. */
export function redone(document: Document): Document | undefined {
  const drawing = document.redo.at(-1);
  if (drawing === undefined) return undefined;
  return withDrawing(document, drawing, {
    undo: [...document.undo, document.drawing],
    redo: document.redo.slice(0, -1),
  });
}

/** The document seen otherwise; the camera revision rises only when that is another view. */
export function viewed(document: Document, view: View): Document {
  const same = view.center[0] === document.view.center[0] &&
    view.center[1] === document.view.center[1] &&
    view.unitsPerPixel === document.view.unitsPerPixel;
  return same ? document : { ...document, view, cameraRevision: document.cameraRevision + 1 };
}

/** Whether the drawing differs from what its file holds. */
export function isDirty(document: Document): boolean {
  return document.drawing !== document.clean;
}

function withDrawing(
  document: Document,
  drawing: Drawing,
  steps: Partial<Pick<Document, "seed" | "undo" | "redo">>,
): Document {
  return {
    ...document,
    ...steps,
    drawing,
    revision: document.revision + 1,
    geometryRevision: document.geometryRevision + 1,
    selection: document.selection.filter((handle) => drawing.entities.has(handle)),
  };
}

function seedFor(drawing: Drawing): number {
  const layers = [...drawing.layers.values()].map((layer) => layer.handle);
  return [...drawing.entities.keys(), ...layers]
    .reduce((seed, handle) => Math.max(seed, Number.parseInt(handle, 16) + 1), FIRST_HANDLE);
}
