/** The JSON-RPC messages that the bridge writes, and how a failure becomes one (bridge.md section 10). */

import { InfrastructureError, ToolError } from "../host/faults.ts";
import type { Json, JsonObject } from "../host/json.ts";
import type { Log } from "../host/log.ts";
import type { Era, RequestId } from "./face.ts";
import { ErrorCode, ProtocolFault, ResourceNotFound } from "./faults.ts";

/** The `error` member of a JSON-RPC answer. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/** Where the answer to one request goes: its own line, or its place in a batch. */
export interface Reply {
  send(message: JsonObject): void;
  /** There will be no answer: the request was cancelled. */
  drop(): void;
}

/** A successful answer. */
export function resultMessage(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/**
 * A failed answer. Without a readable id the member is left out, since null is not schema-valid in
 * MCP (mcp-stdio.md 1.2).
 */
export function errorMessage(id: RequestId | undefined, error: WireError): JsonObject {
  const { code, message, data } = error;
  return {
    jsonrpc: "2.0",
    ...(id !== undefined && { id }),
    error: { code, message, ...(data !== undefined && { data }) },
  };
}

/** A notification; `params` left out when there are none. */
export function notificationMessage(method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: "2.0", method, ...(params !== undefined && { params }) };
}

/**
 * What the wire says about a failure, by its class and never by its text. A failure that nobody
 * classified is a defect of ours: the client learns the method, the log gets the rest.
 */
export function wireError(fault: unknown, method: string, era: Era, log: Log): WireError {
  if (fault instanceof ResourceNotFound) {
    const code = era === "legacy" ? ErrorCode.resourceNotFound : ErrorCode.invalidParams;
    return { code, message: fault.message, data: { uri: fault.uri } };
  }
  if (fault instanceof ProtocolFault) {
    const { code, message, data } = fault;
    return data === undefined ? { code, message } : { code, message, data };
  }
  if (fault instanceof InfrastructureError || fault instanceof ToolError) {
    return { code: ErrorCode.internal, message: fault.message };
  }
  log.error(`${method} failed unexpectedly: ${fault}`);
  if (fault instanceof Error) log.debug(`${method} failed at ${fault.stack}`);
  return {
    code: ErrorCode.internal,
    message: `Internal error while serving ${method}. The bridge's log on stderr has the detail.`,
  };
}
