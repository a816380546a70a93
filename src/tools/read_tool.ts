/** `ocs_read`: looking at the drawing without changing it (bridge.md 2.2). */

import { ToolError } from "../host/faults.ts";
import type { JsonObject } from "../host/json.ts";
import type { EditorSession, Waiting } from "../editor/types.ts";
import type { ToolDefinition } from "../mcp/face.ts";
import { checkRead } from "../ops/check.ts";
import { readArgumentsSchema, type SchemaStyle } from "../ops/schema.ts";
import { SESSION_ID, unknownArguments } from "./arguments.ts";
import { withBridge } from "./bridge_key.ts";
import { MESSAGE_LIMIT_BYTES } from "./message_size.ts";
import { answered, failed, isPending, succeeded, withWarnings } from "./results.ts";
import { type Tool, waitingOf, type Workshop } from "./tool.ts";
import { toolsReply } from "./tools_reply.ts";

const NAME = "ocs_read";

/** Makes the tool, with its schema in the given style. */
export function readTool(style: SchemaStyle): Tool {
  const definition: ToolDefinition = {
    name: NAME,
    title: "Read the drawing",
    description:
      "Reads from a session and changes nothing: op names what (default state), parameters " +
      "narrow it down. Query and records page with offset and limit. To follow an operation " +
      "that still runs, read operation with its request_id.",
    inputSchema: readArgumentsSchema(style),
    outputSchema: {
      type: "object",
      description: "The editor's answer.",
      properties: {
        ok: { type: "boolean" },
        bridge: { type: "object" },
        warnings: { type: "array", items: { type: "string" } },
      },
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  return {
    definition,
    async handle(args, call, workshop) {
      const sessionId = SESSION_ID.take(args, NAME);
      const checked = checkRead(args.op, args.parameters);
      if (!checked.ok) throw new ToolError(checked.message);
      const { op: { op }, request: parameters } = checked;
      const warnings = [...unknownArguments(args, definition), ...checked.warnings];
      const own = ownAnswer(op, workshop);
      if (own !== undefined) {
        return own.ok === false ? failed(own) : succeeded(withWarnings(own, warnings));
      }
      const waiting = waitingOf(call);
      const session = await workshop.editor.session(sessionId, waiting);
      const reply = await read(session, op, parameters, waiting);
      if (op === "operation" && typeof parameters.request_id === "string" && !isPending(reply)) {
        workshop.pending.settled(sessionId, parameters.request_id);
      }
      const identified = op === "hello" || op === "capabilities";
      const answer = identified ? withBridge(reply, workshop.identity) : reply;
      return answered(withWarnings(answer, warnings), (_, bytes) => refuseTooLarge(op, bytes));
    },
  };
}

/** A read loses nothing when it is asked again for less, so half an answer is never given. */
function refuseTooLarge(op: string, bytes: number): never {
  throw new ToolError(
    `The answer to ${op} takes ${bytes} bytes, more than the ${MESSAGE_LIMIT_BYTES} that clients ` +
      "accept in one message. Ask for less: page with limit and offset, set detail to summary, " +
      "name fields or paths, or filter.",
  );
}

/** What the bridge answers by itself, without a connection. */
function ownAnswer(op: string, { listed }: Workshop): JsonObject | undefined {
  switch (op) {
    case "tools": {
      const { tools, instructions } = listed();
      return toolsReply(tools, instructions);
    }
    case "capture":
      return {
        ok: false,
        status: "failed",
        code: "use_capture_tool",
        error: "Pictures are taken with the tool ocs_capture, not with ocs_read",
      };
    default:
      return undefined;
  }
}

function read(
  session: EditorSession,
  op: string,
  parameters: JsonObject,
  waiting: Waiting,
): Promise<JsonObject> {
  // Batches exist in the bridge alone, and a dismissed operation is answered without the editor.
  return op === "operation" && typeof parameters.request_id === "string"
    ? session.poll(parameters.request_id, waiting)
    : session.read(op, parameters, waiting);
}
