/**
 * Which methods exist in which era, and the static ones answered: `initialize`, `server/discover`,
 * `ping`, `tools/list` and `resources/templates/list` depend on nothing but the face. They are
 * answered here so that a client's handshake does not wait for the SDK and zod to be loaded.
 */

import type { JsonObject } from "../host/json.ts";
import type { Caller } from "./eras.ts";
import type { Era, ServerFace } from "./face.ts";
import { ErrorCode, ProtocolFault } from "./faults.ts";
import { COMPLETIONS_SINCE, discover } from "./handshake.ts";
import { listResourceTemplates, listTools } from "./lists.ts";
import type { Request } from "./message.ts";
import { isBefore, MetaKey } from "./versions.ts";

/** Methods that both eras have and the face answers. */
const SERVED = ["tools/call", "resources/list", "resources/read", "completion/complete"];

const LEGACY = new Set(SERVED);

const MODERN = new Set([
  ...SERVED,
  "tasks/get",
  "tasks/update",
  "tasks/cancel",
  "subscriptions/listen",
]);

/**
 * The result of a static method, or undefined when the method is one for the face. Raises
 * ProtocolFault -32601 for what the caller's era does not have or the bridge does not declare.
 */
export function answerInFront(
  face: ServerFace,
  request: Request,
  caller: Caller,
): JsonObject | undefined {
  return caller.era === "modern"
    ? answerModern(face, request)
    : answerLegacy(face, request, caller.protocolVersion);
}

function answerLegacy(
  face: ServerFace,
  request: Request,
  version: string,
): JsonObject | undefined {
  switch (request.method) {
    case "ping":
      return {};
    case "tools/list":
      return listTools(face, request);
    case "resources/templates/list":
      return listResourceTemplates(face, request);
    case "completion/complete":
      if (isBefore(version, COMPLETIONS_SINCE)) throw unknown(request.method);
      return undefined;
    default:
      if (!LEGACY.has(request.method)) throw unknown(request.method);
      return undefined;
  }
}

function answerModern(face: ServerFace, request: Request): JsonObject | undefined {
  switch (request.method) {
    case "server/discover":
      return modernResult(face, discover(face));
    case "tools/list":
      return modernResult(face, listTools(face, request));
    case "resources/templates/list":
      return modernResult(face, listResourceTemplates(face, request));
    default:
      if (!MODERN.has(request.method)) throw unknown(request.method);
      return undefined;
  }
}

/** The result as an era gets it. */
export function eraResult(face: ServerFace, result: JsonObject, era: Era): JsonObject {
  return era === "modern" ? modernResult(face, result) : result;
}

/** Adds what every modern result carries, unless it has a type (mcp-stdio.md 2.3, 3.2). */
function modernResult(face: ServerFace, result: JsonObject): JsonObject {
  return {
    resultType: "complete",
    ...result,
    _meta: { [MetaKey.serverInfo]: { ...face.serverInfo } },
  };
}

function unknown(method: string): ProtocolFault {
  return new ProtocolFault(ErrorCode.methodNotFound, `Method not found: ${method}`);
}
