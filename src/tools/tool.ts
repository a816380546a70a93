/** What a tool is: its definition and its handler in one object; list, digest and docs derive. */

import type { BridgeIdentity } from "../host/build.ts";
import type { Clock } from "../host/clock.ts";
import type { JsonObject } from "../host/json.ts";
import type { Log } from "../host/log.ts";
import type { EditorSession, EditorSide, Waiting } from "../editor/types.ts";
import type { CallContext, ToolDefinition, ToolResult } from "../mcp/face.ts";
import type { OpPolicy } from "../ops/spec.ts";
import type { Cameras } from "./cameras.ts";
import type { PendingOperations } from "./pending.ts";
import type { Continuation } from "./tasks.ts";
import type { PathLookup } from "./workspaces.ts";

/** What the user allows (bridge.md 11). */
export interface Policy {
  /** Wins over every other switch. */
  readonly readOnly: boolean;
  readonly allowOps?: readonly string[];
  readonly denyOps?: readonly string[];
  /** Absolute folders; none means that paths are not confined. */
  readonly workspaces: readonly string[];
}

/** What the handlers work with: one set per connection. */
export interface Workshop {
  readonly editor: EditorSide;
  readonly identity: BridgeIdentity;
  readonly policy: Policy;
  readonly ops: OpPolicy;
  readonly clock: Clock;
  readonly log: Log;
  readonly paths: PathLookup;
  readonly cameras: Cameras;
  readonly pending: PendingOperations;
  /** The definitions as listed, and the instructions: what the read `tools` answers. */
  readonly listed: () => { readonly tools: readonly ToolDefinition[]; instructions: string };
}

/** A call that is answered, or that goes on after its wait. */
export type Handled =
  | ToolResult
  | {
    /** Becomes a task when the client can follow one (bridge.md 9). */
    readonly goesOn: Continuation;
    /** Else: the answer for now; may raise ToolError. */
    readonly answer: () => ToolResult;
    /** What that answer leaves running in the editor, for a cancel that comes late. */
    readonly left?: LeftRunning;
  };

/** The operation that an answered call leaves behind in the editor. */
export interface LeftRunning {
  readonly session: EditorSession;
  readonly requestId: string;
}

/** A tool. */
export interface Tool {
  readonly definition: ToolDefinition;
  handle(args: JsonObject, call: CallContext, workshop: Workshop): Promise<Handled>;
}

/** The part of a call that the editor's side needs. */
export function waitingOf(call: CallContext): Waiting {
  return { signal: call.signal, phase: (message) => call.phase(message) };
}

/** Whether the session still answers; asked as a last resort, so that doubt counts as gone. */
export async function isLive(workshop: Workshop, sessionId: string): Promise<boolean> {
  try {
    const { live } = await workshop.editor.discover(new AbortController().signal);
    return live.some((session) => session.sessionId === sessionId);
  } catch {
    // Only a signal makes a discovery reject, and this one is never aborted.
    return false;
  }
}
