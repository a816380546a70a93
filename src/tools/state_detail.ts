/** How much of the editor's state and of what changed an answer carries (bridge.md 2.3). */

import type { EditorSession, Waiting } from "../editor/types.ts";
import { InfrastructureError, ToolError } from "../host/faults.ts";
import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import { withWarnings } from "./results.ts";

/** The values of `response_detail`. */
export const RESPONSE_DETAILS = ["compact", "changed_entities", "full"] as const;

/** One of them. */
export type ResponseDetail = typeof RESPONSE_DETAILS[number];

/** What `compact` leaves of a state. */
export const COMPACT_STATE_KEYS = [
  "session_id",
  "document_id",
  "revision",
  "geometry_revision",
  "camera_revision",
  "selection",
  "command",
  "modal",
  "event_cursor",
  "operation",
] as const;

/** At most so many handles are queried for `changed_entities`. */
export const CHANGED_ENTITIES_LIMIT = 6400;

/** The answer with its `state` reduced; one without a state stays as it is. */
export function compacted(reply: JsonObject): JsonObject {
  const { state } = reply;
  if (!isJsonObject(state)) return reply;
  const kept = COMPACT_STATE_KEYS.filter((key) => key in state).map((key) => [key, state[key]]);
  return { ...reply, state: Object.fromEntries(kept) };
}

/** The answer in the detail asked for; `changed_entities` reads them from the session. */
export async function detailed(
  reply: JsonObject,
  detail: ResponseDetail,
  session: EditorSession,
  waiting: Waiting,
): Promise<JsonObject> {
  switch (detail) {
    case "full":
      return reply;
    case "compact":
      return compacted(reply);
    case "changed_entities":
      return compacted(await withChangedEntities(reply, session, waiting));
  }
}

async function withChangedEntities(
  reply: JsonObject,
  session: EditorSession,
  waiting: Waiting,
): Promise<JsonObject> {
  if (!Array.isArray(reply.changes)) {
    return withWarnings({ ...reply, changed_entities: [] }, [
      "the editor did not say which entities changed; query what you need",
    ]);
  }
  const handles = changedHandles(reply.changes);
  if (handles.length === 0) return { ...reply, changed_entities: [] };
  const asked = handles.slice(0, CHANGED_ENTITIES_LIMIT);
  waiting.phase(`reading ${asked.length} changed entities`);
  try {
    const answer = await session.read("query", {
      handles: asked,
      detail: "geometry",
      limit: CHANGED_ENTITIES_LIMIT,
    }, waiting);
    if (answer.ok === false) {
      return unread(reply, typeof answer.error === "string" ? answer.error : "no reason given");
    }
    const entities = Array.isArray(answer.entities) ? answer.entities : [];
    return withWarnings(
      { ...reply, changed_entities: entities },
      handles.length > asked.length
        ? [`changed_entities holds the first ${asked.length} of ${handles.length} handles`]
        : [],
    );
  } catch (error) {
    // The operation itself succeeded and must not look failed because this look at it did.
    if (!(error instanceof InfrastructureError || error instanceof ToolError)) throw error;
    return unread(reply, error.message);
  }
}

function unread(reply: JsonObject, reason: string): JsonObject {
  return withWarnings({ ...reply, changed_entities: [] }, [
    `changed_entities could not be read: ${reason}`,
  ]);
}

function changedHandles(changes: readonly Json[]): readonly string[] {
  const handles = changes.flatMap((change) =>
    isJsonObject(change) && typeof change.handle === "string" ? [change.handle] : []
  );
  return [...new Set(handles)];
}
