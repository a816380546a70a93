/** The protocol versions of both eras, and the reserved `_meta` keys (mcp-stdio.md sections 1 and 2). */

/** The versions with an `initialize` handshake, oldest first. */
export const LEGACY_VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

/** What `initialize` answers to a version that is not served (mcp-stdio.md 2.1). */
export const NEWEST_LEGACY_VERSION = "2025-11-25";

/** The one legacy version in which a line may be a batch (mcp-stdio.md 1.2). */
export const BATCH_VERSION = "2025-03-26";

/** The stateless version, claimed by each request in its own `_meta`. */
export const MODERN_VERSION = "2026-07-28";

/** Reserved keys of `_meta` (mcp-stdio.md 2.3, 3.9). */
export const MetaKey = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

/** The extension under which a call may go on as a task (mcp-stdio.md section 6). */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Whether a negotiated version is older than `since`; versions are dates and compare as text. */
export function isBefore(version: string, since: string): boolean {
  return version < since;
}
