/** Drives the desk's core without sockets: requests in, replies out, effects kept for the test. */

import { assertEquals } from "@std/assert";
import { fitExtents } from "../../src/desk/camera.ts";
import { type DeskState, initialState } from "../../src/desk/desk_state.ts";
import { dispatch, drawn, type Effect, elapsed, type Turn } from "../../src/desk/dispatch.ts";
import { payloadOf } from "../../src/desk/payload.ts";
import type { Person } from "../../src/desk/person.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/host/json.ts";

/** The session id of every driven desk. */
export const SESSION_ID = "0123456789abcdef0123456789abcdef";

/** A viewport whose numbers are easy to work out by hand. */
export const VIEWPORT = { width: 800, height: 600 };

/** One desk under a test's control. */
export class Driver {
  state: DeskState;
  effects: readonly Effect[] = [];
  #ids = 0;

  constructor(
    options: {
      readonly person?: readonly Person[];
      readonly slow?: readonly (readonly [string, number])[];
      readonly tools?: () => JsonObject;
    } = {},
  ) {
    const facts = {
      sessionId: SESSION_ID,
      version: "1.2.3",
      readOnly: false,
      viewport: VIEWPORT,
      slow: new Map(options.slow ?? []),
      ...(options.tools === undefined ? {} : { tools: options.tools }),
    };
    this.state = initialState(facts, fitExtents(VIEWPORT, undefined), options.person ?? []);
  }

  /** Sends a request as it is. */
  raw(request: JsonObject): JsonObject {
    const answer = dispatch(this.state, request, payloadOf(JSON.stringify(request)));
    this.#take(answer);
    return answer.reply;
  }

  /** Sends a mutation for the active document, with a request id of its own. */
  send(op: string, parameters: JsonObject = {}): JsonObject {
    return this.raw({
      op,
      request_id: `t-${++this.#ids}`,
      document_id: this.state.activeId,
      ...parameters,
    });
  }

  /** Sends a read. */
  read(op: string, parameters: JsonObject = {}): JsonObject {
    return this.raw({ op, ...parameters });
  }

  /** Sends a mutation that must complete, and answers its result. */
  done(op: string, parameters: JsonObject = {}): JsonObject {
    const reply = this.send(op, parameters);
    assertEquals(reply.status, "completed", JSON.stringify(reply).slice(0, 300));
    return objectOf(reply.result);
  }

  /** Opens a drawing and makes entities in it; answers their handles. */
  draw(...entities: readonly JsonObject[]): readonly string[] {
    if (this.state.activeId === 1) this.done("new");
    return stringsOf(this.done("entities_create", { entities }).handles);
  }

  /** The time of the pending operation is over. */
  elapse(requestId: string): void {
    this.#take(elapsed(this.state, requestId));
  }

  /** The picture of the pending capture is written, or failed. */
  finishPicture(requestId: string, error: string | null = null): void {
    this.#take(drawn(this.state, requestId, error));
  }

  #take(turn: Turn): void {
    this.state = turn.state;
    this.effects = turn.effects;
  }
}

/** The value as an object; fails the test for anything else. */
export function objectOf(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new Error(`Not an object: ${JSON.stringify(value)}`);
  return value;
}

/** The value as an array; fails the test for anything else. */
export function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`Not an array: ${JSON.stringify(value)}`);
  return value;
}

/** The value as an array of objects. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value).map(objectOf);
}

/** The value as an array of strings. */
export function stringsOf(value: Json | undefined): readonly string[] {
  return listOf(value).map(String);
}

/** The value as an array of numbers. */
export function numbersOf(value: Json | undefined): readonly number[] {
  return listOf(value).map(Number);
}
