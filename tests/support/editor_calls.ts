/** Small pieces that the tests of the editor's side share. */

import { createEditorSide, type EditorSideOptions } from "../../src/editor/side.ts";
import type { Connect, Wire } from "../../src/editor/loopback.ts";
import type { EditorSide, Waiting } from "../../src/editor/types.ts";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import type { FakeClock } from "./fake_clock.ts";

/** A `Waiting` that keeps what it is told. */
export interface WatchedWaiting extends Waiting {
  readonly phases: readonly string[];
  abort(reason?: unknown): void;
}

/** A new one. */
export function watched(): WatchedWaiting {
  const controller = new AbortController();
  const phases: string[] = [];
  return {
    signal: controller.signal,
    phases,
    phase(message) {
      phases.push(message);
    },
    abort: (reason = new Error("Cancelled by the test")) => controller.abort(reason),
  };
}

/** An editor's side over `directory` with nothing to launch, unless `more` says otherwise. */
export function sideOver(directory: string, more: Partial<EditorSideOptions> = {}): EditorSide {
  return createEditorSide({ directory, editor: undefined, editorPlaces: [], ...more });
}

/** A wire without a network: `respond` gives the bytes that answer a request, null a silent close. */
export function scriptedConnect(
  respond: (request: JsonObject) => Uint8Array | null | Promise<Uint8Array | null>,
): Connect {
  return () => {
    const closed = Promise.withResolvers<null>();
    let answer: Promise<Uint8Array> | undefined;
    let given = 0;
    const wire: Wire = {
      write(bytes) {
        const request: unknown = JSON.parse(new TextDecoder().decode(bytes));
        answer = Promise.resolve(respond(isJsonObject(request) ? request : {}))
          .then((reply) => reply ?? new Uint8Array());
        return Promise.resolve(bytes.length);
      },
      async read(buffer) {
        const all = await Promise.race([answer ?? closed.promise, closed.promise]);
        if (all === null || given >= all.length) return null;
        const part = all.subarray(given, given + buffer.length);
        buffer.set(part);
        given += part.length;
        return part.length;
      },
      close: () => closed.resolve(null),
    };
    return Promise.resolve(wire);
  };
}

/** A JSON value as the line that goes over the wire. */
export function line(value: JsonObject): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value) + "\n");
}

/** Lets the event loop turn once, sockets included. */
export function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Moves the clock on in steps of `stepMs` until `promise` is settled, and gives its outcome. */
export async function drive<T>(
  clock: FakeClock,
  promise: Promise<T>,
  stepMs = 50,
): Promise<T> {
  let done = false;
  const end = () => {
    done = true;
  };
  promise.then(end, end);
  await turnOfTheLoop();
  while (!done) {
    await clock.advance(stepMs);
    await turnOfTheLoop();
  }
  return await promise;
}
