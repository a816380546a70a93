/** What `subscriptions/listen` needs beyond the SDK: task ids, tags, the end (mcp-stdio.md 3.9, 6). */

import { isJsonObject, type JsonObject } from "../host/json.ts";
import { notificationMessage } from "./answers.ts";
import type { ServerFace, TaskView } from "./face.ts";
import { ErrorCode, ProtocolFault } from "./faults.ts";
import type { Flight } from "./flights.ts";
import { detailedTask, requireTasks } from "./task_calls.ts";
import { MetaKey } from "./versions.ts";

/** The task ids that the open subscriptions watch. */
export class Listening {
  readonly #face: ServerFace;
  readonly #watched = new Map<Flight, readonly string[]>();

  constructor(face: ServerFace) {
    this.#face = face;
  }

  /**
   * Checks the filter of a `listen` request and answers the part of it that the SDK understands.
   * Raises ProtocolFault -32602 for a malformed one, -32021 for task ids without the extension.
   */
  admit(flight: Flight): JsonObject {
    const { notifications } = flight.request.params;
    if (!isJsonObject(notifications)) throw invalid('"notifications", an object');
    const { taskIds, ...rest } = notifications;
    if (taskIds !== undefined) {
      if (!Array.isArray(taskIds)) throw invalid('"taskIds" as an array of strings');
      requireTasks(flight.caller);
      this.#watched.set(flight, taskIds.map(taskId).filter((id) => this.#face.hasTask(id)));
    }
    for (const [name, value] of Object.entries(rest)) checkFilter(name, value);
    return rest;
  }

  /** The SDK's acknowledgement with the accepted task ids and the client's own id in the tag. */
  acknowledge(flight: Flight, params: JsonObject): JsonObject {
    const honoured = isJsonObject(params.notifications) ? params.notifications : {};
    const taskIds = this.#watched.get(flight);
    return tagged(flight, {
      ...params,
      notifications: { ...honoured, ...(taskIds !== undefined && { taskIds }) },
    });
  }

  /** The notifications that a change of a task causes. */
  taskChanged(task: TaskView): readonly JsonObject[] {
    return [...this.#watched]
      .filter(([flight, ids]) => flight.subscribed && ids.includes(task.taskId))
      .map(([flight]) =>
        notificationMessage("notifications/tasks", tagged(flight, detailedTask(task)))
      );
  }

  /** A subscription ended or was refused. */
  forget(flight: Flight): void {
    this.#watched.delete(flight);
  }
}

/** Parameters with the tag of a subscription: the id as the client wrote it, type included. */
export function tagged(flight: Flight, params: JsonObject): JsonObject {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  return { ...params, _meta: { ...meta, [MetaKey.subscriptionId]: flight.request.id } };
}

function taskId(value: unknown): string {
  if (typeof value !== "string") throw invalid('"taskIds" as an array of strings');
  return value;
}

/** The kinds of the specification are typed; others are unknown and therefore not honoured. */
function checkFilter(name: string, value: unknown): void {
  if (name.endsWith("ListChanged") && typeof value !== "boolean") {
    throw invalid(`"${name}" as true or false`);
  }
  if (name !== "resourceSubscriptions") return;
  if (!Array.isArray(value) || !value.every((uri) => typeof uri === "string")) {
    throw invalid('"resourceSubscriptions" as an array of strings');
  }
}

function invalid(what: string): ProtocolFault {
  return new ProtocolFault(
    ErrorCode.invalidParams,
    `Invalid params: subscriptions/listen needs ${what}.`,
  );
}
