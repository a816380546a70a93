/** The `state` object, whole (gui-protocol.md section 3). */

import type { JsonObject } from "../host/json.ts";
import { worldHeight, worldToScreen } from "./camera.ts";
import { activeDocument, type DeskState } from "./desk_state.ts";
import { isDirty } from "./document.ts";
import { handleOf } from "./handles.ts";

/** Vertical field of view that goes with the distance, in radians (45 degrees). */
export const FIELD_OF_VIEW = Math.PI / 4;

/** What the desk can do, by the names and in the order of gui-protocol.md section 3. */
export const STATE_CAPABILITIES = [
  "selection",
  "user_select",
  "atomic_record_updates",
  "layers",
  "history",
  "documents",
  "events",
  "capture",
  "viewport_capture",
  "measure",
  "spatial_query",
] as const;

/** The state as `state`, `hello`, settled answers and `stale_state` show it. */
export function stateView(state: DeskState): JsonObject {
  const { facts } = state;
  const active = activeDocument(state);
  const { viewport } = facts;
  return {
    ok: true,
    protocol: 1,
    session_id: facts.sessionId,
    version: facts.version,
    mode: "gui",
    enabled: state.enabled,
    read_only: facts.readOnly,
    missing_fonts: [],
    document_id: active.id,
    revision: active.revision,
    geometry_revision: active.geometryRevision,
    camera_revision: active.cameraRevision,
    hand_seed: handleOf(active.seed),
    plugins: [],
    documents: state.documents.map((document) => ({
      id: document.id,
      title: document.title,
      path: document.path,
      dirty: isDirty(document),
      revision: document.revision,
      start: document.start,
    })),
    selection: active.selection,
    command: null,
    modal: null,
    layout: "Model",
    ucs: null,
    cursor: {
      world: state.cursor,
      screen: worldToScreen(active.view, viewport, [state.cursor[0], state.cursor[1]]),
    },
    viewport_size: [viewport.width, viewport.height],
    camera: {
      target: [...active.view.center, 0],
      rotation: [0, 0, 0, 1],
      distance: cameraDistance(worldHeight(active.view, viewport)),
      fov_y: FIELD_OF_VIEW,
      projection: "Orthographic",
      yaw: 0,
      pitch: Math.PI / 2,
    },
    mtext_editor: null,
    text_editor: false,
    event_cursor: state.eventCursor,
    operation: state.pending?.requestId ?? null,
    capabilities: STATE_CAPABILITIES,
  };
}

/** How far a camera stands off to see `height` drawing units. */
export function cameraDistance(height: number): number {
  return height / 2 / Math.tan(FIELD_OF_VIEW / 2);
}
