/** A face that greets at once, has its lists loaded then, and what is behind them last. */

import type { ServerFace, TaskView } from "../mcp/face.ts";
import type { Greeting } from "../tools/greeting.ts";
import type { Listing } from "../tools/tool_list.ts";

/** How the two parts are loaded; each is asked for once. */
export interface LateParts {
  list(): Promise<Listing>;
  open(listing: Listing): Promise<ServerFace>;
}

/** The face, and how to have it loaded before it is asked. */
export interface LateFace {
  readonly face: ServerFace;
  /** Loads what `tools/list` and `resources/templates/list` show. */
  list(): Promise<void>;
  /** Loads all of it. */
  open(): Promise<void>;
}

/**
 * A face over `parts`. The caller sees to it that nothing but the greeting is asked for before `list`
 * has resolved (doorstep.ts); what asks an editor waits by itself, and listeners may be added at any
 * time.
 */
export function lateFace(greeting: Greeting, parts: LateParts): LateFace {
  let listing: Promise<Listing> | undefined;
  let listed: Listing | undefined;
  let opening: Promise<ServerFace> | undefined;
  let whole: ServerFace | undefined;
  const listeners = new Set<(face: ServerFace) => () => void>();

  async function list(): Promise<Listing> {
    return listed = await (listing ??= parts.list());
  }

  function open(): Promise<ServerFace> {
    return opening ??= list().then(parts.open).then((face) => {
      whole = face;
      for (const attach of listeners) attach(face);
      listeners.clear();
      return face;
    });
  }

  function shown(): Listing {
    if (listed === undefined) throw new Error("The tools were asked for before they were loaded.");
    return listed;
  }

  /** Listens now, or as soon as there is something to listen to. */
  function listen(attach: (face: ServerFace) => () => void): () => void {
    if (whole !== undefined) return attach(whole);
    let stop = () => {
      listeners.delete(later);
    };
    const later = (face: ServerFace) => stop = attach(face);
    listeners.add(later);
    return () => stop();
  }

  return {
    list: async () => void await list(),
    open: async () => void await open(),
    face: {
      ...greeting,
      get tools() {
        return shown().definitions;
      },
      get resourceTemplates() {
        return shown().resourceTemplates;
      },
      callTool: async (name, args, call) => (await open()).callTool(name, args, call),
      listResources: async (call) => (await open()).listResources(call),
      readResource: async (uri, call) => (await open()).readResource(uri, call),
      complete: async (uri, argument, context, call) =>
        (await open()).complete(uri, argument, context, call),
      getTask: async (taskId, call) => (await open()).getTask(taskId, call),
      cancelTask: async (taskId, call) => (await open()).cancelTask(taskId, call),
      updateTask: async (taskId, call) => (await open()).updateTask(taskId, call),
      // Before all is there no call was made that could have left a task or anything else behind.
      hasTask: (taskId) => whole?.hasTask(taskId) ?? false,
      cancelAnswered: (id) => whole?.cancelAnswered(id),
      onResourcesChanged: (listener) => listen((face) => face.onResourcesChanged(listener)),
      onTaskChanged: (listener: (task: TaskView) => void) =>
        listen((face) => face.onTaskChanged(listener)),
      async close(picks) {
        // What is being loaded may hold something already by the time it is there.
        await (await opening)?.close(picks);
      },
    },
  };
}
