/** What stands behind the client's side: the one interface between the MCP layer and the tools. */

import type { Json, JsonObject } from "../host/json.ts";

/** A JSON-RPC request id. `7` and `"7"` are different ids; `0` and `""` are legal ones. */
export type RequestId = string | number;

/** Legacy: the `initialize` handshake, up to 2025-11-25. Modern: 2026-07-28, stateless. */
export type Era = "legacy" | "modern";

/** Who asks, and how the asking may end. One per request. */
export interface CallContext {
  readonly id: RequestId;
  readonly era: Era;
  /** The negotiated version (legacy) or the enveloped one (modern), such as `"2025-06-18"`. */
  readonly protocolVersion: string;
  /** Aborted by `notifications/cancelled` for this id, and when the client's input ends. */
  readonly signal: AbortSignal;
  /** Whether this very request declared the extension `io.modelcontextprotocol/tasks`. */
  readonly tasks: boolean;
  /**
   * Says what is being waited for. The MCP layer sends it on as progress: at most once a second,
   * rising, only with a progress token, never after the answer or a cancel (bridge.md 5.3).
   */
  phase(message: string): void;
}

/** A tool as `tools/list` shows it. Root schemas are objects in both eras. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** A content block of a tool result. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  /** `data` is base64. */
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | {
    readonly type: "resource_link";
    readonly uri: string;
    readonly name: string;
    readonly mimeType: string;
    /** Bytes. */
    readonly size: number;
  };

/** The answer of `tools/call`. `structuredContent` never goes with `isError` (bridge.md 2.6). */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
}

/** The state of a task as the wire shows it (mcp-stdio.md section 6, the modern shapes). */
export interface TaskView {
  readonly taskId: string;
  readonly status: "working" | "completed" | "failed" | "cancelled";
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds from `createdAt`. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** Only when completed: what `tools/call` would have answered. */
  readonly result?: ToolResult;
  /** Only when failed. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

/** The answer of a `tools/call` that went on as a task. */
export interface TaskStarted {
  readonly task: TaskView;
}

/** A resource as `resources/list` shows it. */
export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType: string;
  /** Bytes, where known. */
  readonly size?: number;
}

/** A template as `resources/templates/list` shows it. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType: string;
}

/** One item of a `resources/read` answer; `blob` is base64. */
export type ResourceContents =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly uri: string; readonly mimeType: string; readonly blob: string };

/** The answer of `completion/complete`; at most 100 values. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/**
 * The bridge's own half of the MCP server. Methods raise `ProtocolFault` (mcp/faults.ts) for
 * JSON-RPC errors; `ToolError` and `InfrastructureError` (host/faults.ts) are mapped by the caller.
 */
export interface ServerFace {
  /** Exactly `name`, `title`, `version` (bridge.md section 1). */
  readonly serverInfo: {
    readonly name: string;
    readonly title: string;
    readonly version: string;
  };
  /** Goes under `capabilities.experimental`. */
  readonly experimental: JsonObject;
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
  /** Unknown names raise ProtocolFault -32602 that names the tools there are. */
  callTool(name: string, args: JsonObject, call: CallContext): Promise<ToolResult | TaskStarted>;
  /** Never launches the editor, never fails for want of one. */
  listResources(call: CallContext): Promise<readonly ResourceEntry[]>;
  readonly resourceTemplates: readonly ResourceTemplate[];
  /** Raises ResourceNotFound for what does not exist. */
  readResource(uri: string, call: CallContext): Promise<readonly ResourceContents[]>;
  /** `uri` is the reference's template; an unknown one raises ProtocolFault -32602. */
  complete(
    uri: string,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    call: CallContext,
  ): Promise<Completion>;
  /** Raises ProtocolFault -32602 for an unknown or expired id, as do the next two. */
  getTask(taskId: string, call: CallContext): Promise<TaskView>;
  cancelTask(taskId: string, call: CallContext): Promise<void>;
  updateTask(taskId: string, call: CallContext): Promise<void>;
  /** Whether `listen` may watch this task id. */
  hasTask(taskId: string): boolean;
  /** A cancel whose request was already answered: dismiss what it left running (bridge.md 5.2). */
  cancelAnswered(id: RequestId): void;
  /** Calls back whenever the list of resources changed; returns how to stop that. */
  onResourcesChanged(listener: () => void): () => void;
  /** Calls back when a task's status changed; returns how to stop that. */
  onTaskChanged(listener: (task: TaskView) => void): () => void;
  /**
   * Lets go of everything, the launch claim too; at most about 1 s. Open picks are retracted with a
   * client that is gone, and left open for the build that comes next (bridge.md 5.1, 5.4, 13).
   */
  close(picks: "retract" | "keep"): Promise<void>;
}
