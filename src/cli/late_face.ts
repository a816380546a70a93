/** A face that greets at once and has the tools behind it loaded later. */

import type { ServerFace, TaskView } from "../mcp/face.ts";
import type { Greeting } from "../tools/greeting.ts";

/** The face, and when it is whole. */
export interface LateFace {
  readonly face: ServerFace;
  /** Loads what is behind the face, once; until it resolves, the face can only greet. */
  load(): Promise<void>;
}

/**
 * A face over `open`, which is called at the first `load`. The caller sees to it that nothing but the
 * greeting is asked for before (doorstep.ts); listeners may be added at any time.
 */
export function lateFace(greeting: Greeting, open: () => Promise<ServerFace>): LateFace {
  let loading: Promise<ServerFace> | undefined;
  let whole: ServerFace | undefined;
  const load = () => loading ??= open().then((face) => whole = face);
  const listeners = new Set<(face: ServerFace) => () => void>();

  function behind(): ServerFace {
    if (whole === undefined) throw new Error("The tools were asked for before they were loaded.");
    return whole;
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
    async load() {
      const face = await load();
      for (const attach of listeners) attach(face);
      listeners.clear();
    },
    face: {
      ...greeting,
      get tools() {
        return behind().tools;
      },
      get resourceTemplates() {
        return behind().resourceTemplates;
      },
      callTool: (name, args, call) => behind().callTool(name, args, call),
      listResources: (call) => behind().listResources(call),
      readResource: (uri, call) => behind().readResource(uri, call),
      complete: (uri, argument, context, call) => behind().complete(uri, argument, context, call),
      getTask: (taskId, call) => behind().getTask(taskId, call),
      cancelTask: (taskId, call) => behind().cancelTask(taskId, call),
      updateTask: (taskId, call) => behind().updateTask(taskId, call),
      hasTask: (taskId) => behind().hasTask(taskId),
      // Without tools there was no call that could have left anything behind.
      cancelAnswered: (id) => whole?.cancelAnswered(id),
      onResourcesChanged: (listener) => listen((face) => face.onResourcesChanged(listener)),
      onTaskChanged: (listener: (task: TaskView) => void) =>
        listen((face) => face.onTaskChanged(listener)),
      async close() {
        // What is being loaded may hold something already by the time it is there.
        await (await loading)?.close();
      },
    },
  };
}
