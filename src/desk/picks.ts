/** Picks: questions that a person answers in the drawing (gui-protocol.md section 6). */

import type { JsonObject } from "../host/json.ts";
import { boundsOf, overlaps } from "./bounds.ts";
import { curveOf, nearest } from "./curve.ts";
import { activeDocument, type DeskState, withDocument } from "./desk_state.ts";
import type { Document } from "./document.ts";
import { isShown } from "./drawing.ts";
import type { Entity, Point3 } from "./entity.ts";
import { detailOf, entityView } from "./entity_view.ts";
import { isOfType } from "./names.ts";
import { flag, given, text } from "./parameters.ts";
import type { Pick } from "./pending.ts";
import type { PersonAnswer } from "./person.ts";
import { Refusal } from "./refusal.ts";

/** How a pick ended. */
export interface Picked {
  readonly state: DeskState;
  readonly result: JsonObject;
  readonly cancelled: boolean;
}

/** How near a click must be to an entity, in pixels of the viewport. */
const APERTURE = 5;

/** The pick that a request asks for; refuses as gui-protocol.md 6.1 says. */
export function askFor(op: Pick["op"], request: JsonObject, document: Document): Pick {
  if (document.start) {
    throw new Refusal("no_document", `The start page is active; open a drawing before '${op}'.`);
  }
  const prompt = text(request.prompt)?.trim() ?? "";
  if (op === "getpoint") return { op, prompt: prompt === "" ? "Pick a point" : prompt };
  const detail = given(request.detail) ? detailOf(request.detail) : "full";
  if (detail === undefined) {
    throw new Refusal(
      "invalid_detail",
      "The parameter 'detail' must be summary, geometry or full.",
    );
  }
  return {
    op,
    prompt: prompt === "" ? "Select entities, then press Enter" : prompt,
    detail,
    type: text(request.type)?.trim() ?? "",
    layer: text(request.layer)?.trim() ?? "",
  };
}

/** The state when a pick opens: `clear` drops the selection that was there. */
export function opened(state: DeskState, request: JsonObject, pick: Pick): DeskState {
  if (pick.op !== "user_select" || !flag(request.clear, true)) return state;
  return withDocument(state, { ...activeDocument(state), selection: [] });
}

/** The end of a pick by what the person did. */
export function pickedBy(state: DeskState, pick: Pick, answer: PersonAnswer): Picked {
  if (answer.kind === "escape") return givenUp(state, pick);
  const moved = answer.kind === "point" ? { ...state, cursor: answer.point } : state;
  if (pick.op === "user_select") return confirmed(moved, pick, answer);
  if (answer.kind !== "point") return givenUp(state, pick);
  return { state: moved, result: { point: answer.point }, cancelled: false };
}

/** The end of a pick by Escape, by `cancel` or by retraction. */
export function givenUp(state: DeskState, pick: Pick): Picked {
  const nothing = { cancelled: true, count: 0, handles: [], entities: [] };
  return {
    state,
    result: pick.op === "getpoint" ? { cancelled: true } : nothing,
    cancelled: true,
  };
}

function confirmed(
  state: DeskState,
  pick: Extract<Pick, { readonly op: "user_select" }>,
  answer: PersonAnswer,
): Picked {
  const document = activeDocument(state);
  const { drawing } = document;
  const shown = [...drawing.entities.values()].filter((entity) => isShown(drawing, entity));
  const taken = answer.kind === "all"
    ? shown
    : answer.kind === "point"
    ? shown.filter((entity) => isAt(entity, document, answer.point))
    : answer.kind === "handles"
    ? answer.handles.flatMap((handle) => drawing.entities.get(handle) ?? [])
    : [];
  const selected = new Set([
    ...document.selection,
    ...taken.map((entity) => entity.common.handle),
  ]);
  const entities = [...selected].flatMap((handle) => drawing.entities.get(handle) ?? []);
  const fitting = entities.filter(({ common, geometry }) =>
    (pick.type === "" || isOfType(geometry, pick.type)) &&
    (pick.layer === "" || common.layer === pick.layer)
  );
  const handles = fitting.map((entity) => entity.common.handle);
  return {
    state: withDocument(state, { ...document, selection: handles }),
    result: {
      cancelled: false,
      count: fitting.length,
      ignored: entities.length - fitting.length,
      handles,
      entities: fitting.map((entity) => entityView(entity, drawing, pick.detail)),
    },
    cancelled: false,
  };
}

function isAt(entity: Entity, { view, drawing }: Document, [x, y]: Point3): boolean {
  const reach = APERTURE * view.unitsPerPixel;
  const curve = curveOf(entity.geometry);
  if (curve !== undefined) return (nearest(curve, [x, y])?.distance ?? Infinity) <= reach;
  const bounds = boundsOf(entity.geometry, drawing.blocks);
  return bounds !== undefined && overlaps(bounds, [x - reach, y - reach], [x + reach, y + reach]);
}
