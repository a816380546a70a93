/** The JSON-RPC envelope: what a parsed line is, or what is wrong with it (mcp-stdio.md 1.2). */

import { isJsonObject, type JsonObject } from "../host/json.ts";
import type { WireError } from "./answers.ts";
import type { RequestId } from "./face.ts";
import { ErrorCode } from "./faults.ts";

/** A well-formed request. Absent `params` and `_meta` are empty objects. */
export interface Request {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly meta: JsonObject;
  /** `0` and `""` are legal tokens. */
  readonly progressToken?: string | number;
}

/** What one JSON value on the wire turns out to be. */
export type Incoming =
  | { readonly kind: "request"; readonly request: Request }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
  /** A response nobody asked for, or a malformed notification: never answered. */
  | { readonly kind: "ignored" }
  | { readonly kind: "malformed"; readonly id?: RequestId; readonly error: WireError };

/** Whether a value can be a request id: text, or a whole number that JSON carries exactly. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value));
}

/** Reads one message. Never throws. */
export function readMessage(value: unknown): Incoming {
  if (!isJsonObject(value)) return invalid(undefined, "Invalid request: expected a JSON object.");
  const id = isRequestId(value.id) ? value.id : undefined;
  if (value.jsonrpc !== "2.0") {
    return isNamedNotification(value)
      ? { kind: "ignored" }
      : invalid(id, 'Invalid request: "jsonrpc" must be "2.0".');
  }
  const method = value.method;
  if (method === undefined && (value.result !== undefined || value.error !== undefined)) {
    return { kind: "ignored" };
  }
  if (typeof method !== "string") {
    return invalid(id, 'Invalid request: "method" must be a string.');
  }
  if (!Object.hasOwn(value, "id")) {
    const params = value.params ?? {};
    return isJsonObject(params) ? { kind: "notification", method, params } : { kind: "ignored" };
  }
  if (id === undefined) {
    return invalid(undefined, 'Invalid request: "id" must be a string or a whole number.');
  }
  return readRequest(id, method, value.params);
}

/** `params: null` counts as absent: some serializers write every member. */
function readRequest(id: RequestId, method: string, given: unknown): Incoming {
  const params = given ?? {};
  if (Array.isArray(params)) {
    return malformed(id, "Invalid params: expected an object, positional params are not MCP.");
  }
  if (!isJsonObject(params)) return invalid(id, 'Invalid request: "params" must be an object.');
  const meta = params._meta ?? {};
  if (!isJsonObject(meta)) return malformed(id, 'Invalid params: "_meta" must be an object.');
  const token = meta.progressToken ?? undefined;
  if (token === undefined) return { kind: "request", request: { id, method, params, meta } };
  if (!isRequestId(token)) {
    return malformed(id, 'Invalid params: "progressToken" must be a string or a whole number.');
  }
  return { kind: "request", request: { id, method, params, meta, progressToken: token } };
}

/** A notification is never answered, not even a malformed one. */
function isNamedNotification(value: JsonObject): boolean {
  const { method } = value;
  return !Object.hasOwn(value, "id") && typeof method === "string" &&
    method.startsWith("notifications/");
}

function invalid(id: RequestId | undefined, message: string): Incoming {
  const error = { code: ErrorCode.invalidRequest, message };
  return id === undefined ? { kind: "malformed", error } : { kind: "malformed", id, error };
}

function malformed(id: RequestId, message: string): Incoming {
  return { kind: "malformed", id, error: { code: ErrorCode.invalidParams, message } };
}
