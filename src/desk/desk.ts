/** The desk: the stand-in editor, a server of protocol 1 over an in-memory drawing. */

import { type Clock, systemClock } from "../host/clock.ts";
import type { JsonObject } from "../host/json.ts";
import { type Log, silentLog } from "../host/log.ts";
import { fitExtents, type Size } from "./camera.ts";
import { viewOnAll } from "./capture.ts";
import { randomHex, removeDescriptor, writeDescriptor } from "./descriptor.ts";
import { initialState } from "./desk_state.ts";
import type { Drawing } from "./drawing.ts";
import { createFrontDesk } from "./front_desk.ts";
import { listen } from "./listener.ts";
import type { CapturePlan } from "./pending.ts";
import type { Person } from "./person.ts";

/** How a desk is set up. */
export interface DeskOptions {
  /** The `<config>` directory; the descriptor goes into `automation` below it. */
  readonly directory: string;
  /** What the descriptor names as the editor's executable. */
  readonly executable: string;
  /** What `state` says the editor's version is. */
  readonly version: string;
  readonly clock?: Clock;
  readonly log?: Log;
  /** The size of the drawing window, in pixels; 1600 by 1000 unless told. */
  readonly viewport?: Size;
  readonly readOnly?: boolean;
  /** What the person will do about picks, in order (person.ts); without it a pick stays open. */
  readonly person?: readonly Person[];
  /** A drawing to have open beside the start page, and active. */
  readonly drawing?: Drawing;
  /** How long an operation of that name stays `running` before it settles, in milliseconds. */
  readonly slow?: ReadonlyMap<string, number>;
  /** How long the desk stands still before it takes up an op of that name, in milliseconds. */
  readonly freeze?: ReadonlyMap<string, number>;
  /** What the read `tools` answers (gui-protocol.md 4.21); without it there is no such read. */
  readonly tools?: () => JsonObject;
  /** How a picture is drawn and written; the desk's own way unless told. */
  readonly takePicture?: (plan: CapturePlan) => Promise<void>;
}

/** A desk that is running. */
export interface Desk {
  readonly sessionId: string;
  readonly port: number;
  readonly descriptorPath: string;
  /** Ends the desk: no more connections, and the descriptor is gone. */
  stop(): Promise<void>;
  /** Resolves when the desk has ended, however it did. */
  readonly finished: Promise<void>;
}

const VIEWPORT: Size = { width: 1600, height: 1000 };

/** Starts a desk: listens, then writes the descriptor. Raises when either cannot be done. */
export async function startDesk(options: DeskOptions): Promise<Desk> {
  const { clock = systemClock, log = silentLog, viewport = VIEWPORT, drawing } = options;
  const sessionId = randomHex(16);
  const token = randomHex(32);
  const facts = {
    sessionId,
    version: options.version,
    readOnly: options.readOnly ?? false,
    viewport,
    slow: options.slow ?? new Map<string, number>(),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
  };
  const front = createFrontDesk({
    state: initialState(
      facts,
      fitExtents(viewport, undefined),
      options.person ?? [],
      drawing === undefined
        ? undefined
        : { title: "Drawing1", drawing, view: viewOnAll(drawing, viewport) },
    ),
    clock,
    log,
    freeze: options.freeze ?? new Map<string, number>(),
    takePicture: options.takePicture ?? takePictureLater,
  });
  const listener = listen({ token, clock, log, answer: (incoming) => front.answer(incoming) });
  let descriptorPath: string;
  try {
    descriptorPath = await writeDescriptor(options.directory, {
      sessionId,
      pid: Deno.pid,
      port: listener.port,
      token,
      executable: options.executable,
    });
  } catch (error) {
    listener.close();
    throw error;
  }
  log.info(`The desk listens on 127.0.0.1:${listener.port}; its descriptor is ${descriptorPath}`);
  const finished = listener.finished.finally(() => {
    front.close();
    return removeDescriptor(descriptorPath);
  });
  return {
    sessionId,
    port: listener.port,
    descriptorPath,
    finished,
    stop() {
      listener.close();
      return finished;
    },
  };
}

/** Loads what draws pictures only when the first one is wanted: a desk should be up at once. */
async function takePictureLater(plan: CapturePlan): Promise<void> {
  const { takePicture } = await import("./picture.ts");
  await takePicture(plan);
}
