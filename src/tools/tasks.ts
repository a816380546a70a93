/** Calls that outlast their wait, as tasks that can be polled and cancelled (bridge.md 9). */

import type { Clock } from "../host/clock.ts";
import { InfrastructureError, ToolError } from "../host/faults.ts";
import type { Json, JsonObject } from "../host/json.ts";
import type { TaskView, ToolResult } from "../mcp/face.ts";
import { ErrorCode, ProtocolFault } from "../mcp/faults.ts";
import type { Waiting } from "../editor/types.ts";
import { isPending } from "./results.ts";

/** How long a task can be asked for, from its creation. */
export const TASK_TTL_MS = 3_600_000;

/** How often a client should ask. */
export const TASK_POLL_MS = 250;

/** How often the bridge itself looks at working tasks while someone listens. */
export const TASK_WATCH_MS = 1000;

/** An operation that goes on after its call was answered. */
export interface Continuation {
  /** What is being waited for. */
  readonly message: string;
  /** One look, without waiting; the editor's answer. */
  poll(waiting: Waiting): Promise<JsonObject>;
  /** What `tools/call` would have answered, from the settled answer. */
  finish(reply: JsonObject, waiting: Waiting): Promise<ToolResult>;
  /** Whether the editor is still there, asked when a poll broke. */
  alive(): Promise<boolean>;
  /** Dismisses the operation in the editor and lets go of what it held. Never rejects. */
  dismiss(): Promise<void>;
  /** Lets go of what it held without touching the editor. */
  forget(): void;
}

type Outcome =
  | { readonly status: "working" | "cancelled"; readonly message: string }
  | { readonly status: "completed"; readonly message: string; readonly result: ToolResult }
  | { readonly status: "failed"; readonly message: string; readonly error: TaskError };

interface TaskError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

interface Task {
  readonly id: string;
  readonly continuation: Continuation;
  readonly createdAt: number;
  readonly stop: AbortController;
  updatedAt: number;
  outcome: Outcome;
  look: Promise<void> | undefined;
}

/** The tasks of one connection; they live as long as the process. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();
  readonly #listeners = new Set<(task: TaskView) => void>();
  #forgetWatch: (() => void) | undefined;
  #closed = false;

  constructor(readonly clock: Clock) {}

  /** Registers the operation; `get` answers for it from now on. */
  start(continuation: Continuation): TaskView {
    this.#expire();
    const now = this.clock.now();
    const task: Task = {
      id: crypto.randomUUID(),
      continuation,
      createdAt: now,
      stop: new AbortController(),
      updatedAt: now,
      outcome: { status: "working", message: continuation.message },
      look: undefined,
    };
    this.#tasks.set(task.id, task);
    this.#watch();
    return view(task);
  }

  /** Whether the id names a task that has not expired. */
  has(id: string): boolean {
    this.#expire();
    return this.#tasks.has(id);
  }

  /** Looks at the operation once and says where it stands; -32602 for unknown or expired ids. */
  async get(id: string, signal: AbortSignal): Promise<TaskView> {
    const task = this.#find(id);
    await abortable(this.#look(task), signal);
    return view(task);
  }

  /** Cancels a working task; one that has ended stays as it is. -32602 as `get`. */
  async cancel(id: string): Promise<void> {
    const task = this.#find(id);
    if (task.outcome.status !== "working") return;
    this.#settle(task, { status: "cancelled", message: "Cancelled on request." });
    task.stop.abort(new DOMException("The task was cancelled", "AbortError"));
    await task.continuation.dismiss();
  }

  /** Nothing is ever asked of the client, so an update is only acknowledged. -32602 as `get`. */
  update(id: string): void {
    this.#find(id);
  }

  /** Calls back when a task's status changes; working tasks are looked at while someone listens. */
  onChanged(listener: (task: TaskView) => void): () => void {
    this.#listeners.add(listener);
    this.#watch();
    return () => this.#listeners.delete(listener);
  }

  /** Lets go of everything; no look and no callback happens after it. */
  close(): void {
    this.#closed = true;
    this.#forgetWatch?.();
    this.#listeners.clear();
    for (const task of this.#tasks.values()) {
      if (task.outcome.status !== "working") continue;
      task.stop.abort(new DOMException("Closing", "AbortError"));
      task.continuation.forget();
    }
  }

  #find(id: string): Task {
    this.#expire();
    const task = this.#tasks.get(id);
    if (task === undefined) {
      throw new ProtocolFault(ErrorCode.invalidParams, "Unknown or expired task");
    }
    return task;
  }

  #expire(): void {
    const now = this.clock.now();
    for (const [id, task] of this.#tasks) {
      if (now - task.createdAt < TASK_TTL_MS) continue;
      this.#tasks.delete(id);
      if (task.outcome.status !== "working") continue;
      task.stop.abort(new DOMException("The task expired", "AbortError"));
      task.continuation.forget();
    }
  }

  /** One look at a time per task: whoever asks meanwhile waits for the same one. */
  #look(task: Task): Promise<void> {
    if (task.outcome.status !== "working") return Promise.resolve();
    task.look ??= this.#lookNow(task).finally(() => {
      task.look = undefined;
    });
    return task.look;
  }

  async #lookNow(task: Task): Promise<void> {
    const waiting: Waiting = { signal: task.stop.signal, phase: () => {} };
    try {
      const reply = await task.continuation.poll(waiting);
      if (isPending(reply)) return;
      const result = await task.continuation.finish(reply, waiting);
      this.#settle(task, { status: "completed", message: "Done.", result });
    } catch (error) {
      if (task.stop.signal.aborted) return;
      // A single broken exchange is no end while the editor lives: the next look may succeed.
      if (error instanceof InfrastructureError && await task.continuation.alive()) return;
      this.#settle(task, ended(error));
    }
  }

  #settle(task: Task, outcome: Outcome): void {
    // A terminal state never changes: what completes after a cancel is discarded.
    if (task.outcome.status !== "working") return;
    task.outcome = outcome;
    task.updatedAt = this.clock.now();
    if (outcome.status === "failed") task.continuation.forget();
    const shown = view(task);
    for (const listener of this.#listeners) listener(shown);
  }

  #watch(): void {
    if (this.#closed || this.#forgetWatch !== undefined || this.#listeners.size === 0) return;
    if (![...this.#tasks.values()].some((task) => task.outcome.status === "working")) return;
    this.#forgetWatch = this.clock.after(TASK_WATCH_MS, () => {
      this.#expire();
      const looks = this.#listeners.size === 0
        ? []
        : [...this.#tasks.values()].map((task) => this.#look(task));
      Promise.all(looks).finally(() => {
        this.#forgetWatch = undefined;
        this.#watch();
      });
    });
  }
}

function ended(error: unknown): Outcome {
  if (error instanceof ToolError) {
    // What a tool refuses is a result of the tool, not a failure of the protocol.
    const result: ToolResult = { content: [{ type: "text", text: error.message }], isError: true };
    return { status: "completed", message: "Done, with an error.", result };
  }
  const message = error instanceof InfrastructureError || error instanceof ProtocolFault
    ? error.message
    : "The operation could not be followed to its end";
  const code = error instanceof ProtocolFault ? error.code : ErrorCode.internal;
  return { status: "failed", message, error: { code, message } };
}

function view(task: Task): TaskView {
  const { outcome } = task;
  return {
    taskId: task.id,
    status: outcome.status,
    statusMessage: outcome.message,
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt).toISOString(),
    ttlMs: TASK_TTL_MS,
    pollIntervalMs: TASK_POLL_MS,
    ...(outcome.status === "completed" && { result: outcome.result }),
    ...(outcome.status === "failed" && { error: outcome.error }),
  };
}

/** The promise, or the signal's reason as soon as it is aborted; the work itself goes on. */
function abortable(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
