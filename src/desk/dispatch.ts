/** The desk's core: a request and a state in; a reply, the next state and things to do out. */

import type { JsonObject } from "../host/json.ts";
import type { DeskState } from "./desk_state.ts";
import { noted } from "./desk_state.ts";
import { examine, unknownOperation } from "./envelope.ts";
import { OPERATIONS, type Outcome } from "./operations.ts";
import type { CapturePlan, Pending, Work } from "./pending.ts";
import { givenUp, type Picked, pickedBy } from "./picks.ts";
import { Refusal } from "./refusal.ts";
import { settle, startOf } from "./settling.ts";

/** What the world outside has to do for the core. */
export type Effect =
  /** Call `elapsed` after that time, unless the operation is settled by then. */
  | { readonly kind: "wait"; readonly requestId: string; readonly ms: number }
  /** Draw and write the picture, then call `drawn`. */
  | { readonly kind: "draw"; readonly requestId: string; readonly plan: CapturePlan }
  /** No longer wait for this operation. */
  | { readonly kind: "forget"; readonly requestId: string };

/** The next state, and what is to be done. */
export interface Turn {
  readonly state: DeskState;
  readonly effects: readonly Effect[];
}

/** A turn that answers a request. */
export interface Answer extends Turn {
  readonly reply: JsonObject;
}

/**
 * Answers one request, whose token is already removed. `payload` is the request in one spelling, for
 * telling repeated requests from reused ids (payload.ts).
 */
export function dispatch(state: DeskState, request: JsonObject, payload: string): Answer {
  try {
    const verdict = examine(state, request, payload);
    switch (verdict.kind) {
      case "answered":
        return { state, reply: verdict.reply, effects: [] };
      case "retract":
        return retract(state);
      case "run":
        return run(state, request, { ...verdict, payload });
    }
  } catch (error) {
    if (error instanceof Refusal) return { state, reply: error.reply(), effects: [] };
    throw error;
  }
}

/** The time of a waiting operation is over: the person acts, or a slow operation ends. */
export function elapsed(state: DeskState, requestId: string): Turn {
  const { pending } = state;
  if (pending === null || pending.requestId !== requestId) return { state, effects: [] };
  const { work } = pending;
  switch (work.kind) {
    case "held":
      return { state: ended(state, pending, work.result).state, effects: [] };
    case "capture":
      return { state, effects: [{ kind: "draw", requestId, plan: work.plan }] };
    case "pick":
      if (work.person === null) return { state, effects: [] };
      return {
        state: picked(pending, pickedBy(state, work.pick, work.person.answer)).state,
        effects: [],
      };
  }
}

/** The picture is written, or it is not and `error` says why. */
export function drawn(state: DeskState, requestId: string, error: string | null): Turn {
  const { pending } = state;
  if (pending?.requestId !== requestId || pending.work.kind !== "capture") {
    return { state, effects: [] };
  }
  const after = error === null ? state : noted(state, "Error", error);
  const result = error === null ? pending.work.plan.result : {};
  return { state: ended(after, pending, result).state, effects: [] };
}

function run(
  state: DeskState,
  request: JsonObject,
  asked: { readonly op: string; readonly requestId: string; readonly payload: string },
): Answer {
  const operation = OPERATIONS.get(asked.op);
  if (operation === undefined) throw unknownOperation(asked.op);
  const start = startOf(state);
  const outcome = operation(state, request);
  if (outcome.kind === "refused") {
    return { state: outcome.state, reply: outcome.refusal.reply(), effects: [] };
  }
  const slow = state.facts.slow.get(asked.op) ?? 0;
  const work = workOf(outcome, slow);
  if (work === undefined) {
    const result = outcome.kind === "done" ? outcome.result : {};
    return { ...settle(outcome.state, { ...asked, start, result, cancelled: false }), effects: [] };
  }
  const pending: Pending = {
    requestId: asked.requestId,
    payload: asked.payload,
    op: asked.op,
    start,
    work,
  };
  return {
    state: { ...outcome.state, pending },
    reply: { ok: true, status: "accepted", request_id: asked.requestId },
    effects: effectsOf(asked.requestId, work, slow),
  };
}

/** What stays to be waited for; undefined when the operation settles at once. */
function workOf(outcome: Exclude<Outcome, { readonly kind: "refused" }>, slow: number) {
  if (outcome.kind === "waiting") return outcome.work;
  return slow > 0 ? { kind: "held", result: outcome.result } as const : undefined;
}

function effectsOf(requestId: string, work: Work, slow: number): readonly Effect[] {
  switch (work.kind) {
    case "held":
      return [{ kind: "wait", requestId, ms: slow }];
    case "pick":
      return work.person === null ? [] : [{ kind: "wait", requestId, ms: work.person.afterMs }];
    case "capture":
      return slow > 0
        ? [{ kind: "wait", requestId, ms: slow }]
        : [{ kind: "draw", requestId, plan: work.plan }];
  }
}

/** Takes back the open pick: the answer is the pick's own (gui-protocol.md 6.2). */
function retract(state: DeskState): Answer {
  const { pending } = state;
  if (pending === null || pending.work.kind !== "pick") {
    throw new Refusal("busy", "The pick could not be taken back now.");
  }
  const { requestId } = pending;
  return {
    ...picked(pending, givenUp(state, pending.work.pick)),
    effects: [{ kind: "forget", requestId }],
  };
}

function picked(pending: Pending, { state, result, cancelled }: Picked) {
  return settle(state, { ...pending, result, cancelled });
}

function ended(state: DeskState, pending: Pending, result: JsonObject) {
  return settle(state, { ...pending, result, cancelled: false });
}
