/** The methods behind the SDK: parameters checked, the face asked, the result shaped (mcp-stdio.md 3). */

import { ToolError } from "../host/faults.ts";
import { isJsonObject, type JsonObject } from "../host/json.ts";
import type { CallContext, ContentBlock, ServerFace, ToolResult } from "./face.ts";
import { ErrorCode, ProtocolFault } from "./faults.ts";
import { refuseCursor, resourceContents, resourceList } from "./lists.ts";
import type { Request } from "./message.ts";
import { cancelTask, getTask, taskStarted, updateTask } from "./task_calls.ts";
import { isBefore } from "./versions.ts";

/** The first version whose clients know `resource_link` blocks (mcp-stdio.md 3.5). */
const RESOURCE_LINK_SINCE = "2025-06-18";

/**
 * Serves one request. The result has no `resultType` and no `_meta`: the SDK adds them for the
 * modern era. Raises ProtocolFault, and whatever the face raises.
 */
export function serve(face: ServerFace, request: Request, call: CallContext): Promise<JsonObject> {
  switch (request.method) {
    case "tools/call":
      return callTool(face, request, call);
    case "resources/list":
      return listResources(face, request, call);
    case "resources/read":
      return readResource(face, request, call);
    case "completion/complete":
      return complete(face, request, call);
    case "tasks/get":
      return getTask(face, request, call);
    case "tasks/update":
      return updateTask(face, request, call);
    case "tasks/cancel":
      return cancelTask(face, request, call);
    default:
      throw new ProtocolFault(ErrorCode.methodNotFound, `Method not found: ${request.method}`);
  }
}

async function callTool(
  face: ServerFace,
  request: Request,
  call: CallContext,
): Promise<JsonObject> {
  const { name } = request.params;
  if (typeof name !== "string") throw invalid('tools/call needs "name", a string');
  // The Go SDK writes null where it has no arguments.
  const args = request.params.arguments ?? {};
  if (!isJsonObject(args)) throw invalid('"arguments" of tools/call must be an object');
  try {
    const result = await face.callTool(name, args, call);
    if ("task" in result) return taskStarted(result, call);
    return toolResult(result, call.protocolVersion);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { content: [{ type: "text", text: error.message }], isError: true };
  }
}

/** A tool result in the terms of a version: below 2025-06-18 a link is its URI as text. */
export function toolResult(result: ToolResult, protocolVersion: string): JsonObject {
  if (!isBefore(protocolVersion, RESOURCE_LINK_SINCE)) return { ...result };
  const content = result.content.map((block): ContentBlock =>
    block.type === "resource_link" ? { type: "text", text: block.uri } : block
  );
  return { ...result, content };
}

async function listResources(
  face: ServerFace,
  request: Request,
  call: CallContext,
): Promise<JsonObject> {
  refuseCursor(request);
  return resourceList(await face.listResources(call));
}

async function readResource(
  face: ServerFace,
  request: Request,
  call: CallContext,
): Promise<JsonObject> {
  const { uri } = request.params;
  if (typeof uri !== "string") throw invalid('resources/read needs "uri", a string');
  return resourceContents(await face.readResource(uri, call));
}

async function complete(
  face: ServerFace,
  request: Request,
  call: CallContext,
): Promise<JsonObject> {
  const { ref, argument, context } = request.params;
  if (!isJsonObject(argument)) throw invalid('completion/complete needs "argument", an object');
  const { name, value } = argument;
  if (typeof name !== "string" || typeof value !== "string") {
    throw invalid('"argument" of completion/complete needs "name" and "value", both strings');
  }
  const uri = referredTemplate(ref);
  const completion = await face.complete(uri, { name, value }, givenArguments(context), call);
  return { completion: { ...completion } };
}

/** The template that a completion refers to. There are no prompts to refer to. */
function referredTemplate(ref: unknown): string {
  if (!isJsonObject(ref)) throw invalid('completion/complete needs "ref", an object');
  if (ref.type === "ref/prompt") throw invalid("there are no prompts here to complete for");
  if (ref.type !== "ref/resource" || typeof ref.uri !== "string") {
    throw invalid('"ref" must be {"type": "ref/resource", "uri": <template>}');
  }
  return ref.uri;
}

/** What the client has filled in already. */
function givenArguments(context: unknown): Readonly<Record<string, string>> {
  if (context === undefined || context === null) return {};
  const given = isJsonObject(context) ? context.arguments ?? {} : undefined;
  if (!isJsonObject(given)) throw invalid('"context.arguments" must be an object of strings');
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (typeof value !== "string") throw invalid('"context.arguments" must hold only strings');
      return [name, value];
    }),
  );
}

function invalid(what: string): ProtocolFault {
  return new ProtocolFault(ErrorCode.invalidParams, `Invalid params: ${what}.`);
}
