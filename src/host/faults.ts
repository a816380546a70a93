/** The two classes of failure that the layers below the client's side raise (bridge.md section 10). */

/**
 * The request itself could not be done: bad arguments, a failed operation, a request over 1 MiB.
 * Becomes a tool result with `isError: true`; the message tells the model what to do next.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/**
 * The way to the editor is broken: no live session, editor gone, transport broken, launch failed.
 * Becomes JSON-RPC error -32603; the message says what was tried, what was seen, what to do.
 */
export class InfrastructureError extends Error {
  override readonly name = "InfrastructureError";
}
