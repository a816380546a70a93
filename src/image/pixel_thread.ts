/** Pixel work in a thread of its own: the one that serves answers `ping` meanwhile. */

import { ToolError } from "../host/faults.ts";
import { type Log, silentLog } from "../host/log.ts";
import type { DiffCapture, DiffCaptureResult } from "./diff_capture.ts";
import type { DiffDone, Done, FromPixels, Job, ToPixels } from "./pixel_jobs.ts";
import { pixelsHere, type PixelWork } from "./pixels.ts";
import { pngWasmBytes } from "./png_wasm.ts";

/** What the thread needs; only `log` is ever said. */
export interface PixelThreadOptions {
  readonly log?: Log;
  /** The thread's module. */
  readonly module?: URL;
  /** Who does the work when no thread can be had. */
  readonly instead?: PixelWork;
}

/** The thread is gone or never came: the work has to be done elsewhere. */
class NoThread extends Error {}

interface Waiter {
  resolve(result: Done): void;
  reject(error: Error): void;
}

interface Thread {
  run(job: Job): Promise<Done>;
  end(): void;
}

/**
 * Pixel work in a worker without any right, started at the first use. Where none can be started the
 * work is done here: a slow `ping` is better than no picture.
 */
export function pixelThread(options: PixelThreadOptions = {}): PixelWork {
  const { log = silentLog, instead = pixelsHere } = options;
  const module = options.module ?? new URL("./pixel_worker.ts", import.meta.url);
  let thread: Thread | undefined;
  let broken = false;

  /** What the thread made of the job; undefined when there is no thread to make anything of it. */
  async function done(job: Job): Promise<Done | undefined> {
    if (broken) return undefined;
    try {
      thread ??= startThread(module);
      return await thread.run(job);
    } catch (error) {
      if (!(error instanceof NoThread)) throw error;
      log.warn(`Pictures are worked on in the thread that serves: ${error.message}`);
      broken = true;
      thread?.end();
      thread = undefined;
      return undefined;
    }
  }

  async function diff(capture: DiffCapture): Promise<DiffCaptureResult> {
    const { signal: _, turn: __, ...asked } = capture;
    const made = await done({ kind: "diff", asked });
    return made?.kind === "diff" ? resultOf(asked, made) : await instead.diff(capture);
  }

  return {
    async diff(capture) {
      capture.signal?.throwIfAborted();
      return await unlessAborted(diff(capture), capture.signal);
    },
    async cut(asked) {
      const made = await done({ kind: "cut", asked });
      return made?.kind === "cut" ? made.cut : await instead.cut(asked);
    },
    async shrink(asked) {
      // Nothing to do is not worth the way to another thread.
      if (asked.png.length <= asked.maxBytes) return asked.png;
      const made = await done({ kind: "shrink", asked });
      return made?.kind === "shrink" ? made.png : await instead.shrink(asked);
    },
    close: () => thread?.end(),
  };
}

function resultOf(
  { png, hash }: Pick<DiffCapture, "png" | "hash">,
  { report, png: shown = png, raster }: DiffDone,
): DiffCaptureResult {
  const picture = raster === undefined
    ? { kind: "png", png } as const
    : { kind: "raster", raster } as const;
  return { report, png: shown, baseline: { hash, picture } };
}

function startThread(module: URL): Thread {
  const waiting = new Map<number, Waiter>();
  let next = 1;
  let over: Error | undefined;
  const rightless: WorkerOptions & { readonly deno: { readonly permissions: "none" } } = {
    type: "module",
    name: "pixels",
    deno: { permissions: "none" },
  };
  let worker: Worker;
  try {
    worker = new Worker(module, rightless);
  } catch (error) {
    throw new NoThread(error instanceof Error ? error.message : String(error));
  }
  const post = (message: ToPixels) => worker.postMessage(message);
  const codec = pngWasmBytes().then((bytes) => post({ kind: "codec", bytes }));
  worker.addEventListener("message", (event: MessageEvent<FromPixels>) => {
    const message = event.data;
    const waiter = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "done") waiter?.resolve(message.done);
    else {waiter?.reject(
        message.refused ? new ToolError(message.message) : new Error(message.message),
      );}
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    fail(new NoThread(event.message));
  });

  function fail(error: Error): void {
    over ??= error;
    for (const waiter of waiting.values()) waiter.reject(error);
    waiting.clear();
  }

  return {
    async run(job) {
      await codec;
      if (over !== undefined) throw over;
      const id = next++;
      const result = new Promise<Done>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
      post({ kind: "job", id, job });
      return await result;
    },
    end() {
      worker.terminate();
      fail(new DOMException("The pixel thread was ended", "AbortError"));
    },
  };
}

/** The promise, or the signal's reason as soon as it is aborted; the work itself goes on. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
