/** The two stages of the program: a broad main thread that narrows itself, and the worker that works. */

import type { Log } from "../host/log.ts";
import { giveUp, type Grants, NOT_FOR_LOADING, stillGranted } from "../host/sandbox.ts";

/** What the main thread tells the worker. */
export type ToWorker<Order> =
  /** What is to be done: to be prepared, but not begun. */
  | { readonly type: "order"; readonly order: Order }
  /** The main thread holds no right any more: begin. */
  | { readonly type: "go" }
  /** A signal arrived: close what is open and post the exit code. */
  | { readonly type: "stop"; readonly signal: string };

/** What the worker tells the main thread. */
export type FromWorker =
  /** Loaded and listening; the main thread may give up its rights. */
  | { readonly type: "up" }
  /** Done; all output is flushed. `Deno.exit` in a worker would end only the worker. */
  | { readonly type: "exit"; readonly code: number };

/** Exit code of a program that could not narrow itself (bridge.md 12). */
export const EXIT_NOT_NARROW = 70;

/** How long the worker may take to close after a signal, in ms; itself it bounds this by 1 s. */
const STOP_BOUND_MS = 1_500;

/** What a run in two stages needs. */
export interface Stage<Order> {
  /** The worker's module. */
  readonly module: URL;
  readonly grants: Grants;
  /** Complete before any right is given up, since making it may need them. */
  readonly order: Promise<Order>;
  readonly log: Log;
}

/**
 * Starts the worker with its narrow grants, gives up every right of this thread once it is up, and
 * only then lets it go: no byte of a client is read while anything broad is held. The order is sent
 * ahead, so that it can be prepared meanwhile. Resolves to the exit code; from then on the caller
 * ends the process.
 */
export function runStaged<Order>(stage: Stage<Order>): Promise<number> {
  const { log } = stage;
  return new Promise((resolve) => {
    const narrow: WorkerOptions & { readonly deno: { readonly permissions: Grants } } = {
      type: "module",
      name: "bridge",
      deno: { permissions: stage.grants },
    };
    const worker = new Worker(stage.module, narrow);
    let started = false;
    const post = (message: ToWorker<Order>) => worker.postMessage(message);
    for (const signal of stopSignals()) {
      // Listened to before anything is revoked, and for as long as the process lives.
      Deno.addSignalListener(signal, () => {
        if (!started) return resolve(0);
        post({ type: "stop", signal });
        // A worker that is stuck in a computation hears nothing; the client must not wait for it.
        setTimeout(() => resolve(0), STOP_BOUND_MS);
      });
    }
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      log.error(`The working half of the program failed: ${event.message}`);
      resolve(1);
    });
    // While the worker loads its modules, which needs this thread's right to read, this thread is
    // idle: it gives up the other rights then.
    const ready = stage.order.then((order) => {
      post({ type: "order", order });
      giveUp(NOT_FOR_LOADING);
    });
    worker.addEventListener("message", async (event: MessageEvent<FromWorker>) => {
      if (event.data.type === "exit") return resolve(event.data.code);
      await ready;
      giveUp();
      const left = stillGranted();
      if (left.length > 0) {
        log.error(`These rights could not be given up: ${left.join(", ")}. Nothing was served.`);
        return resolve(EXIT_NOT_NARROW);
      }
      started = true;
      post({ type: "go" });
    });
  });
}

/** The signals that ask for an orderly end. */
export function stopSignals(): readonly Deno.Signal[] {
  return Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGTERM", "SIGINT", "SIGHUP"];
}
