/** `capture`: what the picture will show, and what is said about it (gui-protocol.md section 7). */

import { applyMatrix, invertMatrix, type Matrix6 } from "../image/matrix.ts";
import type { Json, JsonObject } from "../host/json.ts";
import { type Bounds, boundsOf, boundsOfAll, union } from "./bounds.ts";
import {
  fitExtents,
  fitWindow,
  pixelToWorld,
  shrunk,
  type Size,
  worldBounds,
  worldHeight,
} from "./camera.ts";
import { type Document, type View, viewed } from "./document.ts";
import { type Drawing, isShown, sceneOf } from "./drawing.ts";
import type { Entity, Point2 } from "./entity.ts";
import { parseHandle } from "./handles.ts";
import { uiName, unitName } from "./names.ts";
import { corners, flag, given, list, requiredText, text, unsigned } from "./parameters.ts";
import type { CapturePlan } from "./pending.ts";
import { sceneExtents } from "./render/extents.ts";
import { cameraDistance, FIELD_OF_VIEW } from "./state_view.ts";

/** The longest edge of a picture, in pixels. */
const EDGE = { least: 256, most: 4096, otherwise: 1600 } as const;

/** How many entities are listed with a picture. */
const LISTED = 64;

/** What a capture comes to: the document with its new view and selection, and the picture to take. */
export interface CaptureStart {
  readonly document: Document;
  readonly plan: CapturePlan;
}

interface Mark {
  readonly entity: Entity;
  /** Pixels of the picture. */
  readonly at: Point2;
  readonly box: readonly [number, number, number, number];
  readonly center: readonly [number, number, number];
  readonly selected: boolean;
}

/** Moves the view and the selection as the request says, and plans the picture. */
export function planCapture(document: Document, viewport: Size, request: JsonObject): CaptureStart {
  const path = requiredText(request, "path");
  const scope = (text(request.scope) ?? "viewport") === "viewport" ? "viewport" : "window";
  const most = Math.min(
    EDGE.most,
    Math.max(EDGE.least, unsigned(request.max_dimension) ?? EDGE.otherwise),
  );
  const marked = highlighted(document, request.highlight_handles);
  const after = viewed(marked, viewFor(marked, viewport, request));
  const { view, drawing } = after;
  const picture = shrunk(viewport, most);
  const toWorld = pixelToWorld(view, viewport, picture);
  const toPixel = invertMatrix(toWorld);
  // The answer shows six zeros for a very small view, as the editor does; marks need the real thing.
  const marks = marksOf(after, invertMatrix(toWorld, 0), picture);
  const annotations = marks.map(annotation);
  const annotated = flag(request.annotate, false);
  const bounds = worldBounds(view, viewport);
  const camera = cameraView(view, viewport);
  const result = {
    path,
    scope,
    width: picture.width,
    height: picture.height,
    scale_factor: 1,
    waited_for_frame: true,
    document_id: after.id,
    revision: after.revision,
    camera_revision: after.cameraRevision,
    _spatial: {
      crs: "CAD_WCS",
      unit: unitName(drawing.header.insertionUnits),
      pixel_resolution: [picture.width, picture.height],
      world_bounds: bounds,
      pixel_to_world_matrix: toWorld,
      world_to_pixel_matrix: toPixel,
      camera,
      target_plane: { normal: [0, 0, -1], origin: [...view.center, 0] },
      annotations,
    },
    pixel_to_world_matrix: toWorld,
    world_to_pixel_matrix: toPixel,
    viewport_world_bounds: bounds,
    camera,
    annotated,
    annotations,
    visible_entities: annotations,
  };
  const badges = marks.map(({ at: [x, y], selected }, index) => ({
    tag: index + 1,
    x: Math.round(x),
    y: Math.round(y),
    selected,
  }));
  const scene = sceneOf(drawing, after.selection);
  return {
    document: after,
    plan: { path, scene, view, viewport, picture, badges: annotated ? badges : [], result },
  };
}

/** The view that shows these entities; the view there was when they have no extent. */
export function viewOn(document: Document, viewport: Size, handles: readonly string[]): View {
  const entities = handles.flatMap((handle) => document.drawing.entities.get(handle) ?? []);
  const extents = extentsOf(document.drawing, entities);
  return extents === undefined ? document.view : fitExtents(viewport, extents);
}

/** The view that shows all of a drawing that is not hidden. */
export function viewOnAll(drawing: Drawing, viewport: Size): View {
  const shown = [...drawing.entities.values()].filter((entity) => isShown(drawing, entity));
  return fitExtents(viewport, extentsOf(drawing, shown));
}

/**
 * How far entities reach, measured or drawn: the width of a text is measured by a rule of the
 * protocol (4.8), and its letters may need more.
 */
function extentsOf(drawing: Drawing, all: readonly Entity[]): Bounds | undefined {
  const entities = all.filter(({ geometry }) => boundsOf(geometry, drawing.blocks) !== undefined);
  const measured = boundsOfAll(entities, drawing.blocks);
  const drawn = sceneExtents({ ...sceneOf(drawing, []), entities });
  if (drawn === undefined) return measured;
  return union(measured, { min: [...drawn.min, 0], max: [...drawn.max, 0] });
}

function highlighted(document: Document, parameter: Json | undefined): Document {
  return given(parameter)
    ? { ...document, selection: known(document.drawing, parameter) }
    : document;
}

function viewFor(document: Document, viewport: Size, request: JsonObject): View {
  if (given(request.focus_handles)) {
    return viewOn(document, viewport, known(document.drawing, request.focus_handles));
  }
  const window = corners(request.bounds);
  if (window !== undefined) return fitWindow(viewport, window.min, window.max);
  switch (request.view) {
    case "extents":
      return viewOnAll(document.drawing, viewport);
    case "selection":
      return viewOn(document, viewport, document.selection);
    default:
      return document.view;
  }
}

/** The handles of a list that are entities here; the others are ignored. */
function known(drawing: Drawing, parameter: Json): readonly string[] {
  const handles = (list(parameter) ?? []).map(parseHandle)
    .filter((handle) => handle !== undefined)
    .filter((handle) => drawing.entities.has(handle));
  return [...new Set(handles)];
}

function marksOf(document: Document, toPixel: Matrix6, picture: Size): readonly Mark[] {
  const { drawing } = document;
  const selection = new Set(document.selection);
  const area = ({ box: [x0, y0, x1, y1] }: Mark) => (x1 - x0) * (y1 - y0);
  return [...drawing.entities.values()]
    .filter((entity) => isShown(drawing, entity))
    .flatMap((entity): Mark[] => {
      const bounds = boundsOf(entity.geometry, drawing.blocks);
      if (bounds === undefined) return [];
      const { min, max } = bounds;
      const center = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2] as const;
      const at = applyMatrix(toPixel, center[0], center[1]);
      const [left, top] = applyMatrix(toPixel, min[0], max[1]);
      const [right, bottom] = applyMatrix(toPixel, max[0], min[1]);
      if (![...at, left, top, right, bottom].every(Number.isFinite)) return [];
      if (at[0] < 0 || at[1] < 0 || at[0] > picture.width || at[1] > picture.height) return [];
      const selected = selection.has(entity.common.handle);
      return [{ entity, at, box: [left, top, right, bottom], center, selected }];
    })
    .sort((one, other) => Number(other.selected) - Number(one.selected) || area(other) - area(one))
    .slice(0, LISTED);
}

function annotation({ entity, at, box, center, selected }: Mark, index: number): JsonObject {
  return {
    tag: index + 1,
    handle: entity.common.handle,
    type: uiName(entity.geometry),
    layer: entity.common.layer,
    screen_pixel: at.map(Math.round),
    screen_bounds: box.map(Math.round),
    world_center: center,
    selected,
  };
}

function cameraView(view: View, viewport: Size): JsonObject {
  const height = worldHeight(view, viewport);
  const distance = cameraDistance(height);
  return {
    eye: [...view.center, distance],
    target: [...view.center, 0],
    distance,
    ortho_size: height,
    projection: "Orthographic",
    fov_y: FIELD_OF_VIEW,
  };
}
