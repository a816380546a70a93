/** `ocs_sessions`: which editors run, and starting one when none does (bridge.md 2.1, 3.5). */

import { isJsonObject, type Json, type JsonObject } from "../host/json.ts";
import type { SkippedDescriptor } from "../editor/types.ts";
import type { ToolDefinition } from "../mcp/face.ts";
import { boolean, inputSchema, optional, unknownArguments } from "./arguments.ts";
import { withBridge } from "./bridge_key.ts";
import { answered, withWarnings } from "./results.ts";
import { type Tool, waitingOf } from "./tool.ts";

const NAME = "ocs_sessions";

const LAUNCH = optional("launch_if_none", boolean, true, {
  type: "boolean",
  default: true,
  description: "Start the editor when no session is live.",
});

const ARGUMENTS = [LAUNCH] as const;

/** Makes the tool. */
export function sessionsTool(): Tool {
  const definition: ToolDefinition = {
    name: NAME,
    title: "List editor sessions",
    description:
      "Lists the live editor sessions with their state: documents, revision, selection, open " +
      "command or dialog. Call it first; the other tools take the session_id of an entry as " +
      "ocs_session_id. Starts the editor when none runs, unless launch_if_none is false.",
    inputSchema: inputSchema(ARGUMENTS),
    outputSchema: {
      type: "object",
      properties: {
        result: {
          type: "array",
          description: "One state per live session, each with `bridge`.",
          items: {
            type: "object",
            properties: { session_id: { type: "string" }, bridge: { type: "object" } },
            required: ["session_id", "bridge"],
          },
        },
        next: { type: "string" },
        warnings: { type: "array", items: { type: "string" } },
      },
      required: ["result"],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  return {
    definition,
    async handle(args, call, { editor, identity, policy }) {
      const launch = LAUNCH.take(args, NAME) && !policy.readOnly;
      call.phase("looking for editor sessions");
      const { live, directory, skipped } = await editor.sessions(launch, waitingOf(call));
      const result: Json[] = live.map(({ sessionId, state }) =>
        withBridge("session_id" in state ? state : { session_id: sessionId, ...state }, identity)
      );
      const answer: JsonObject = result.length > 0 ? { result } : {
        result,
        next: noSession(directory, policy.readOnly) + whyNone(skipped),
      };
      return answered(withWarnings(answer, unknownArguments(args, definition)), outlined);
    },
  };
}

/** Which sessions there are, when no message can carry their states. */
function outlined(answer: JsonObject, bytes: number): JsonObject {
  const states = Array.isArray(answer.result) ? answer.result.filter(isJsonObject) : [];
  const warning = `the states take ${bytes} bytes, more than clients accept in one message; what ` +
    "is left is in ocs_read state, get_selection and query";
  const result = states.map((
    { session_id = "", document_id = null, revision = null, bridge = {} },
  ) => ({
    session_id,
    document_id,
    revision,
    bridge,
  }));
  return withWarnings({ ...answer, result }, [warning]);
}

/** So many reasons are told; doctor tells them all. */
const REASONS = 3;

/** What stands in the way of finding a session, when something does. */
function whyNone(skipped: readonly SkippedDescriptor[]): string {
  if (skipped.length === 0) return "";
  const reasons = skipped.slice(0, REASONS).map(({ file, reason }) => `${file}: ${reason}`);
  const more = skipped.length > REASONS ? `; and ${skipped.length - REASONS} more` : "";
  return ` Not used: ${reasons.join("; ")}${more}.`;
}

function noSession(directory: string, readOnly: boolean): string {
  return `No live session in ${directory}. ` +
    (readOnly
      ? "This bridge runs read-only and starts no editor: ask the person to start one, then call " +
        "ocs_sessions again."
      : "Call ocs_sessions with launch_if_none true, or ask the person to start the editor. If it " +
        "runs already, it keeps its sessions elsewhere: see --config-dir.");
}
