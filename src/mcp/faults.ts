/** JSON-RPC errors as exceptions, classified where they arise (bridge.md section 10). */

import type { Json } from "../host/json.ts";

/** JSON-RPC and MCP error codes that the bridge answers with (mcp-stdio.md section 4). */
export const ErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Legacy era only; the modern era says -32602. */
  resourceNotFound: -32002,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** A request that is answered with a JSON-RPC error. */
export class ProtocolFault extends Error {
  override readonly name: string = "ProtocolFault";

  constructor(readonly code: number, message: string, readonly data?: Json) {
    super(message);
  }
}

/** A resource that does not exist; its code depends on the era of the request. */
export class ResourceNotFound extends ProtocolFault {
  override readonly name = "ResourceNotFound";

  constructor(readonly uri: string) {
    super(ErrorCode.invalidParams, "Resource not found", { uri });
  }
}
