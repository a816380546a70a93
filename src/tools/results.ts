/** Answers of the tools: one text block, structuredContent on success only (bridge.md 2.6). */

import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import type { ContentBlock, ToolResult } from "../mcp/face.ts";
import { guidanceFor } from "../ops/codes.ts";
import { cutDown, MESSAGE_LIMIT_BYTES, messageBytes } from "./message_size.ts";

/** Whether an editor's answer says that the request failed. */
export function hasFailed(reply: JsonObject): boolean {
  return reply.ok === false;
}

/** Whether the editor still works on it: `accepted` or `running` (gui-protocol.md 2.2). */
export function isPending(reply: JsonObject): boolean {
  return reply.ok !== false && (reply.status === "accepted" || reply.status === "running");
}

/** A success: the JSON as text, the same as structuredContent; further blocks after the text. */
export function succeeded(value: Json, blocks: readonly ContentBlock[] = []): ToolResult {
  const structuredContent = isJsonObject(value) ? value : { result: value };
  return {
    content: [{ type: "text", text: JSON.stringify(structuredContent) }, ...blocks],
    structuredContent,
  };
}

/**
 * A failed answer: text only, since strict clients hold structuredContent against the output
 * schema even then. Known error codes get a `next`: what to do about it; others get `otherwise`.
 */
export function failed(reply: JsonObject, otherwise?: string): ToolResult {
  const text = JSON.stringify(withNext(reply, otherwise));
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * The editor's answer as a tool result, whichever of the two it is. One that no message can carry
 * goes through `cut` first, which leaves out what is large or raises ToolError.
 */
export function answered(
  reply: JsonObject,
  cut: (reply: JsonObject, bytes: number) => JsonObject = cutDown,
): ToolResult {
  const text = JSON.stringify(reply);
  const bytes = messageBytes(text);
  if (bytes > MESSAGE_LIMIT_BYTES) return answered(cut(reply, bytes));
  return hasFailed(reply)
    ? failed(reply)
    : { content: [{ type: "text", text }], structuredContent: reply };
}

/** The answer with `warnings` appended to those that it already has; unchanged without any. */
export function withWarnings(answer: JsonObject, warnings: readonly string[]): JsonObject {
  if (warnings.length === 0) return answer;
  const earlier = Array.isArray(answer.warnings) ? answer.warnings : [];
  return { ...answer, warnings: [...earlier, ...warnings] };
}

function withNext(reply: JsonObject, otherwise: string | undefined): JsonObject {
  if (reply.next !== undefined) return reply;
  const known = typeof reply.code === "string" ? guidanceFor(reply.code) : undefined;
  const next = known ?? otherwise;
  return next === undefined ? reply : { ...reply, next };
}
