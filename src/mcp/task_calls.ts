/** Tasks on the wire: the extension's gate and its shapes (mcp-stdio.md section 6, bridge.md 9). */

import type { JsonObject } from "../host/json.ts";
import type { CallContext, ServerFace, TaskStarted, TaskView } from "./face.ts";
import { ErrorCode, ProtocolFault } from "./faults.ts";
import type { Request } from "./message.ts";
import { TASKS_EXTENSION } from "./versions.ts";

/** Raises ProtocolFault -32021 unless this very request declared the extension. */
export function requireTasks(call: { readonly tasks: boolean }): void {
  if (call.tasks) return;
  throw new ProtocolFault(
    ErrorCode.missingClientCapability,
    `Missing required client capability: declare the extension ${TASKS_EXTENSION} in this request.`,
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  );
}

/** The answer of a `tools/call` that went on as a task: flat, without result or error. */
export function taskStarted(started: TaskStarted, call: CallContext): JsonObject {
  if (!call.tasks) throw new Error("A task was started for a client that did not declare tasks");
  const { result: _result, error: _error, ...handle } = started.task;
  return { resultType: "task", ...handle };
}

/** The whole view of a task; the nested result is typed, or strict clients refuse it. */
export function detailedTask(task: TaskView): JsonObject {
  const { result, error, ...handle } = task;
  return {
    ...handle,
    ...(task.status === "completed" && result !== undefined &&
      { result: { resultType: "complete", ...result } }),
    ...(task.status === "failed" && error !== undefined && { error: { ...error } }),
  };
}

/** Serves `tasks/get`. */
export async function getTask(
  face: ServerFace,
  request: Request,
  call: CallContext,
): Promise<JsonObject> {
  return detailedTask(await face.getTask(taskIdOf(request, call), call));
}

/** Serves `tasks/cancel`: an acknowledgement, also for a task that has ended. */
export async function cancelTask(
  face: ServerFace,
  request: Request,
  call: CallContext,
): Promise<JsonObject> {
  await face.cancelTask(taskIdOf(request, call), call);
  return {};
}

/** Serves `tasks/update`: an acknowledgement, since no task of ours asks for input. */
export async function updateTask(
  face: ServerFace,
  request: Request,
  call: CallContext,
): Promise<JsonObject> {
  await face.updateTask(taskIdOf(request, call), call);
  return {};
}

function taskIdOf(request: Request, call: CallContext): string {
  requireTasks(call);
  const { taskId } = request.params;
  if (typeof taskId === "string") return taskId;
  throw new ProtocolFault(
    ErrorCode.invalidParams,
    `Invalid params: ${request.method} needs "taskId", a string.`,
  );
}
