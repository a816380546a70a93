/** The bridge's half of the MCP server: tools, resources and tasks over the editor's side. */

import type { EditorSide } from "../editor/types.ts";
import type { BridgeIdentity } from "../host/build.ts";
import type { Clock } from "../host/clock.ts";
import { systemClock } from "../host/clock.ts";
import { type Log, silentLog } from "../host/log.ts";
import { type ListProcesses, processLister } from "../host/processes.ts";
import { pixelsHere, type PixelWork } from "../image/pixels.ts";
import type { CallContext, ServerFace, TaskStarted, ToolResult } from "../mcp/face.ts";
import { ErrorCode, ProtocolFault } from "../mcp/faults.ts";
import type { SchemaStyle } from "../ops/schema.ts";
import { Cameras } from "./cameras.ts";
import type { CaptureDisk } from "./capture_disk.ts";
import { CaptureFolder } from "./capture_file.ts";
import { complete } from "./completions.ts";
import { Gallery } from "./gallery.ts";
import { greetingOf } from "./greeting.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { PendingOperations } from "./pending.ts";
import { listResources, readResource } from "./resources.ts";
import { Tasks } from "./tasks.ts";
import type { Handled, Policy, Tool, Workshop } from "./tool.ts";
import { type Listing, listingOf, opPolicy } from "./tool_list.ts";
import { type PathLookup, systemPaths } from "./workspaces.ts";

/** What the face needs; effects have the machine's own as defaults. */
export interface FaceOptions {
  readonly editor: EditorSide;
  readonly identity: BridgeIdentity;
  readonly policy: Policy;
  readonly schemaStyle: SchemaStyle;
  /** The lists, if they were built before for this very policy and style. */
  readonly listing?: Listing;
  /** `<automation>/captures`; made when it is first needed. */
  readonly capturesDirectory: string;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly files?: {
    readonly captures?: CaptureDisk;
    readonly paths?: PathLookup;
  };
  /** Who compares and cuts pictures; the thread that serves, unless another one is given. */
  readonly pixels?: PixelWork;
  /** Tells whose captures are leftovers of a dead process. */
  readonly listProcesses?: ListProcesses;
  /** This process. */
  readonly pid?: number;
}

/** Makes the face of one connection. But for leftover captures, no file and no editor is touched. */
export function createFace(options: FaceOptions): ServerFace {
  const { editor, identity, policy, schemaStyle } = options;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? silentLog;
  const pixels = options.pixels ?? pixelsHere;
  const ops = opPolicy(policy);
  const resourceListeners = new Set<() => void>();
  const resourcesChanged = () => resourceListeners.forEach((listener) => listener());
  const folder = new CaptureFolder({
    directory: options.capturesDirectory,
    clock,
    log,
    pid: options.pid ?? Deno.pid,
    listProcesses: options.listProcesses ?? processLister(),
    ...(options.files?.captures !== undefined && { disk: options.files.captures }),
  });
  // What a killed bridge left behind goes at once; nobody waits for it.
  void folder.sweep();
  const cameras = new Cameras(new Gallery(resourcesChanged), folder, pixels);
  const pending = new PendingOperations();
  const tasks = new Tasks(clock);
  // Schemas cost time to build: not before a client asks for them.
  const listing = lazy(() => options.listing ?? listingOf(policy, schemaStyle));
  const workshop: Workshop = {
    editor,
    identity,
    policy,
    ops,
    clock,
    log,
    paths: options.files?.paths ?? systemPaths,
    cameras,
    pending,
    listed: () => ({ tools: listing().definitions, instructions: INSTRUCTIONS }),
  };
  const stopWatching = editor.onSessionsChanged(() => {
    const ids = new Set(editor.known().map((session) => session.sessionId));
    for (const id of cameras.sessionIds()) if (!ids.has(id)) cameras.forgetSession(id);
    resourcesChanged();
  });

  return {
    ...greetingOf(identity),
    get tools() {
      return listing().definitions;
    },
    async callTool(name, args, call) {
      // Modern clients may use an id again: what an earlier call left behind is not its business.
      pending.take(call.id);
      const tool = named(listing().tools, listing().definitions, name);
      return settled(await tool.handle(args, call, workshop), call);
    },
    listResources: (call) => listResources(workshop, call),
    get resourceTemplates() {
      return listing().resourceTemplates;
    },
    readResource: (uri, call) => readResource(uri, workshop, call),
    complete: (uri, argument, context, call) => complete(uri, argument, context, workshop, call),
    getTask: (taskId, call) => tasks.get(taskId, call.signal),
    cancelTask: (taskId) => tasks.cancel(taskId),
    updateTask: (taskId) => Promise.resolve().then(() => tasks.update(taskId)),
    hasTask: (taskId) => tasks.has(taskId),
    cancelAnswered(id) {
      const left = pending.take(id);
      const session = editor.known().find((known) => known.sessionId === left?.sessionId);
      // Never rejects: a dismissal that fails is ignored, the outcome stands (bridge.md 5.2).
      if (left !== undefined) void session?.dismiss(left.requestId);
    },
    onResourcesChanged(listener) {
      resourceListeners.add(listener);
      return () => resourceListeners.delete(listener);
    },
    onTaskChanged: (listener) => tasks.onChanged(listener),
    async close(picks) {
      stopWatching();
      resourceListeners.clear();
      tasks.close();
      pixels.close();
      await Promise.all([editor.close(picks), folder.close()]);
    },
  };

  function settled(handled: Handled, call: CallContext): ToolResult | TaskStarted {
    if (!("goesOn" in handled)) return handled;
    // Durable before it is answered: the id can be asked for from now on (mcp-stdio.md 6).
    if (call.tasks) return { task: tasks.start(handled.goesOn) };
    const { left } = handled;
    if (left !== undefined) {
      pending.add(call.id, { sessionId: left.session.sessionId, requestId: left.requestId });
    }
    return handled.answer();
  }
}

/** The tool of that name. One that is only hidden is found too and refuses by itself. */
function named(
  tools: readonly Tool[],
  shown: readonly { readonly name: string }[],
  name: string,
): Tool {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool !== undefined) return tool;
  throw new ProtocolFault(
    ErrorCode.invalidParams,
    `Unknown tool: ${name}. The tools are ${shown.map((tool) => tool.name).join(", ")}.`,
  );
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
