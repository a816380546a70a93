/** Batches: the bridge runs the steps that the editor knows only one by one (bridge.md section 6). */

import { ToolError } from "../host/faults.ts";
import { isJsonObject, type Json, type JsonObject } from "../host/json.ts";
import { sameJson } from "./equality.ts";
import { Recent } from "./recent.ts";
import { cancelledReply, isPending } from "./settled.ts";
import { stepId } from "./step_ids.ts";
import type { EditorReply, Waiting } from "./types.ts";

/** Most steps of a batch. */
export const STEP_CAP = 64;

const BATCH_PLACES = 64;

/** The preconditions that steps do not keep, since every step changes what they are about. */
const STRIPPED = [
  "revision",
  "geometry_revision",
  "camera_revision",
  "selection",
  "client_id",
] as const;

/** Runs one step under its id and answers as an operation does, `running` when time is up. */
export type RunStep = (
  step: JsonObject & { readonly request_id: string },
  waiting: Waiting,
) => Promise<EditorReply>;

/** A batch and how far it has come. */
interface Batch {
  readonly asked: JsonObject;
  readonly steps: readonly JsonObject[];
  readonly results: JsonObject[];
  readonly changes: Json[];
  state: JsonObject | undefined;
  completed: number;
  /** Set when there is nothing left to run. */
  result: EditorReply | undefined;
}

/** The batches of one session. */
export class Batches {
  readonly #batches = new Recent<string, Batch>(BATCH_PLACES);

  /** Whether the id belongs to a batch that is remembered. */
  has(requestId: string): boolean {
    return this.#batches.has(requestId);
  }

  /** The stored result, or how far the batch has come, without running anything. */
  look(requestId: string): EditorReply | undefined {
    const batch = this.#batches.get(requestId);
    return batch === undefined ? undefined : batch.result ?? report(requestId, batch, "running");
  }

  /** The request of a remembered batch, to run it on. */
  request(requestId: string): JsonObject | undefined {
    return this.#batches.get(requestId)?.asked;
  }

  /** The id of the step that is running or next; undefined when the batch is over or unknown. */
  activeStep(requestId: string): string | undefined {
    const batch = this.#batches.get(requestId);
    if (batch === undefined || batch.result !== undefined) return undefined;
    return stepId(requestId, batch.completed);
  }

  /** A batch that was cancelled is not run on. What its earlier steps did stands, and is told. */
  abandon(requestId: string): void {
    const batch = this.#batches.get(requestId);
    if (batch !== undefined && batch.result === undefined) {
      const step = `step ${batch.completed + 1} of ${batch.steps.length}`;
      batch.result = {
        ...report(requestId, batch, "cancelled"),
        ...cancelledReply(requestId),
        error:
          `Cancelled at ${step}: those before it are done. Whether that one took effect, ask ` +
          `operation with its request_id ${stepId(requestId, batch.completed)}.`,
      };
    }
  }

  drop(): void {
    this.#batches.clear();
  }

  /** Takes a new batch in, or finds the one of that id; raises ToolError on another payload. */
  admit(asked: JsonObject): string {
    const id = asked.request_id;
    if (typeof id !== "string" || id === "") {
      throw new ToolError("The batch has no request_id. Give it one of 1 to 128 bytes.");
    }
    const known = this.#batches.get(id);
    if (known !== undefined) {
      if (sameJson(known.asked, asked)) return id;
      throw new ToolError(
        `The request_id ${id} belongs to another batch with other steps. Send that batch again as ` +
          "it was to resume it, or give this one a new request_id.",
      );
    }
    const batch: Batch = {
      asked,
      steps: stepsOf(asked),
      results: [],
      changes: [],
      state: undefined,
      completed: 0,
      result: undefined,
    };
    this.#batches.set(id, batch);
    return id;
  }

  /** Runs a batch from where it stands until it is over or `timeIsUp` says so between steps. */
  async run(
    id: string,
    runStep: RunStep,
    timeIsUp: () => boolean,
    waiting: Waiting,
  ): Promise<EditorReply> {
    const batch = this.#batches.get(id);
    if (batch === undefined) return cancelledReply(id);
    while (batch.result === undefined) {
      const index = batch.completed;
      const step = batch.steps[index];
      if (step === undefined) {
        batch.result = report(id, batch, "completed");
        break;
      }
      const label = `step ${index + 1} of ${batch.steps.length}`;
      waiting.phase(label);
      const reply = await runStep({ ...step, request_id: stepId(id, index) }, {
        signal: waiting.signal,
        phase: (message) => waiting.phase(`${label}: ${message}`),
      });
      if (isJsonObject(reply.state)) batch.state = reply.state;
      if (isPending(reply)) return report(id, batch, "running");
      // A cancel that came while the step ran has ended the batch already.
      if (batch.result !== undefined) break;
      take(batch, index, step, reply);
      const stop = whyStop(reply, batch.steps[index + 1]);
      if (stop === undefined || stop === "waiting_input") batch.completed++;
      if (stop !== undefined) batch.result = report(id, batch, stop, reply);
      else if (batch.completed < batch.steps.length && timeIsUp()) {
        return report(id, batch, "running");
      }
    }
    return batch.result;
  }
}

function stepsOf(asked: JsonObject): readonly JsonObject[] {
  const steps: unknown = asked.steps;
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > STEP_CAP) {
    throw new ToolError(`A batch has 1 to ${STEP_CAP} steps, as an array 'steps'. None was run.`);
  }
  return steps.map((step: unknown, index) => {
    if (!isJsonObject(step) || typeof step.op !== "string") {
      throw new ToolError(`Step ${index} of the batch is no object with an op. No step was run.`);
    }
    const bare: { [key: string]: Json | undefined } = { ...step };
    for (const key of STRIPPED) delete bare[key];
    // What the batch itself demands of the drawing is demanded before its first step.
    if (index === 0) {
      for (const key of [...STRIPPED, "document_id"]) {
        if (bare[key] === undefined && asked[key] !== undefined) bare[key] = asked[key];
      }
    }
    return bare;
  });
}

function take(batch: Batch, index: number, step: JsonObject, reply: EditorReply): void {
  const { state: _state, changes, ...rest } = reply;
  batch.results.push({ ...rest, step: index, op: step.op });
  if (!Array.isArray(changes)) return;
  for (const change of changes) {
    batch.changes.push(isJsonObject(change) ? { ...change, step: index } : change);
  }
}

type Stop = "failed" | "cancelled" | "waiting_input";

function whyStop(reply: EditorReply, next: JsonObject | undefined): Stop | undefined {
  if (reply.status === "cancelled") return "cancelled";
  if (reply.ok === false || reply.status === "failed") return "failed";
  if (reply.status === "waiting_input" && next?.op !== "input" && next?.op !== "cancel") {
    return "waiting_input";
  }
  return undefined;
}

function report(
  id: string,
  batch: Batch,
  status: Stop | "completed" | "running",
  last?: EditorReply,
): EditorReply {
  const error = status === "failed" && typeof last?.error === "string" ? last.error : undefined;
  return {
    ok: status !== "failed",
    status,
    request_id: id,
    completed_steps: batch.completed,
    total_steps: batch.steps.length,
    next_step: batch.completed < batch.steps.length ? batch.completed : null,
    ...(error === undefined ? {} : { error: `steps[${batch.completed}] failed: ${error}` }),
    results: [...batch.results],
    changes: [...batch.changes],
    state: batch.state ?? null,
  };
}
