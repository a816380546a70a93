/** The answer of the read `tools`, the bridge's and the desk's alike (gui-protocol.md 4.21). */

import type { JsonObject } from "../host/json.ts";
import type { ToolDefinition } from "../mcp/face.ts";

/** Tool definitions and instructions in the shape of a read's answer. */
export function toolsReply(tools: readonly ToolDefinition[], instructions: string): JsonObject {
  return {
    ok: true,
    status: "completed",
    tools: tools.map((tool) => ({ ...tool, annotations: { ...tool.annotations } })),
    instructions,
  };
}
