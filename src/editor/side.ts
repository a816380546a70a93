/** The editor's side as a whole: which sessions there are, and how to get one. */

import { type Clock, systemClock } from "../host/clock.ts";
import { InfrastructureError } from "../host/faults.ts";
import { type Log, silentLog } from "../host/log.ts";
import {
  type ListProcesses,
  processLister,
  startDetached,
  type StartProcess,
} from "../host/processes.ts";
import { type AutomationFiles, machineFiles } from "./automation_files.ts";
import type { Descriptor } from "./descriptor.ts";
import { createDiscovery, type Found } from "./discovery.ts";
import { throughDoors } from "./doors.ts";
import { createLauncher } from "./launch.ts";
import { type EditorProgram, hasScreen } from "./launch_faults.ts";
import { createLiveness } from "./liveness.ts";
import { type Connect, connectLoopback } from "./loopback.ts";
import { freshId, SessionMemory } from "./memory.ts";
import { Session } from "./session.ts";
import { claimLaunch } from "./starting_lock.ts";
import type { Rescan } from "./talk.ts";
import type { EditorSession, EditorSide, LiveSession, Waiting } from "./types.ts";

/** What the editor's side is told, and the machine's parts, each with a real default. */
export interface EditorSideOptions {
  /** The automation directory, in the one spelling that the sandbox granted. */
  readonly directory: string;
  /** The editor to launch, resolved at start (bridge.md 3.5); undefined when none was found. */
  readonly editor: EditorProgram | undefined;
  /** The places where an editor was looked for, for the message that none was found. */
  readonly editorPlaces: readonly string[];
  /** What the editor gets on top of our environment (`--editor-env`). */
  readonly editorEnv?: Readonly<Record<string, string>>;
  /** Our environment as far as it was read: `DISPLAY` and `WAYLAND_DISPLAY` matter. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly os?: typeof Deno.build.os;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly files?: AutomationFiles;
  readonly connect?: Connect;
  readonly listProcesses?: ListProcesses;
  readonly startProcess?: StartProcess;
}

/** How long closing may take altogether, in milliseconds (bridge.md 5.4). */
const CLOSE_BOUND_MS = 1_000;

/** Puts the editor's side together. No I/O until it is asked for something. */
export function createEditorSide(options: EditorSideOptions): EditorSide {
  const { directory, editorEnv = {}, environment = {} } = options;
  const os = options.os ?? Deno.build.os;
  const log = options.log ?? silentLog;
  const clock = options.clock ?? systemClock;
  const machine = { clock, connect: throughDoors(options.connect ?? connectLoopback) };
  const liveness = createLiveness(options.listProcesses ?? processLister(), clock);
  const look = createDiscovery({
    ...machine,
    directory,
    files: options.files ?? machineFiles,
    liveness,
    log,
  });
  const clientId = freshId();
  const sessions = new Map<string, Session>();
  const doubles = new Set<string>();
  const listeners = new Set<() => void>();

  function changed(): void {
    for (const listener of [...listeners]) listener();
  }

  function forget(sessionId: string): boolean {
    sessions.get(sessionId)?.drop();
    return sessions.delete(sessionId);
  }

  async function discover(signal: AbortSignal): Promise<Found> {
    const found = await look(signal);
    let different = false;
    doubles.clear();
    const seen = new Set<string>();
    for (const live of found.live) {
      if (seen.has(live.sessionId)) doubles.add(live.sessionId);
      seen.add(live.sessionId);
      const descriptor = found.descriptors.get(live);
      if (descriptor !== undefined) different = remember(live, descriptor) || different;
    }
    for (const id of [...sessions.keys()]) {
      const gone = found.complete && !seen.has(id) && !found.undecided.has(id);
      if (gone) different = forget(id) || different;
    }
    if (different) changed();
    return found;
  }

  /** Whether the session is a new one. */
  function remember(live: LiveSession, endpoint: Descriptor): boolean {
    const known = sessions.get(live.sessionId);
    if (known !== undefined) {
      known.talk.moveTo(endpoint);
      known.talk.memory.see("hello", live.state);
      return false;
    }
    const memory = new SessionMemory(clientId);
    memory.see("hello", live.state);
    const rescan = () => rescanFor(live.sessionId);
    sessions.set(live.sessionId, new Session({ machine, endpoint, memory, rescan }));
    return true;
  }

  async function rescanFor(sessionId: string): Promise<Rescan> {
    const { live, undecided, complete } = await discover(new AbortController().signal);
    return { directory, live, undecided: !complete || undecided.has(sessionId) };
  }

  const launcher = createLauncher({
    program: options.editor,
    places: options.editorPlaces,
    environment: editorEnv,
    surroundings: { directory, os, screen: hasScreen(os, environment, editorEnv) },
    clock,
    liveness,
    log,
    start: options.startProcess ?? startDetached,
    discover,
    claim: () => claimLaunch({ directory, pid: Deno.pid, clock, liveness, log }),
  });

  let looking: Promise<Found> | undefined;

  /** Calls that come together share one look, so that many of them are not many probes. */
  async function lookTogether(signal: AbortSignal): Promise<Found> {
    looking ??= discover(new AbortController().signal).finally(() => {
      looking = undefined;
    });
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      return await Promise.race([looking, aborted]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  async function session(sessionId: string, waiting: Waiting): Promise<EditorSession> {
    const known = sessions.get(sessionId);
    if (known !== undefined && !doubles.has(sessionId)) return known;
    waiting.phase("looking for the session");
    // A look that had begun before may have missed what came since: then this call has its own.
    const joined = looking !== undefined;
    let found = await lookTogether(waiting.signal);
    if (joined && !sessions.has(sessionId)) found = await lookTogether(waiting.signal);
    const now = sessions.get(sessionId);
    if (now !== undefined && !doubles.has(sessionId)) return now;
    throw noSuchSession(sessionId, found, doubles.has(sessionId));
  }

  return {
    directory,
    discover,
    async sessions(launchIfNone, waiting) {
      const found = await discover(waiting.signal);
      return found.live.length > 0 || !launchIfNone ? found : await launcher.launch(waiting);
    },
    session,
    known: () => [...sessions.values()].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1)),
    onSessionsChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close(picks) {
      let stop = () => {};
      const bound = new Promise<void>((resolve) => {
        stop = clock.after(CLOSE_BOUND_MS, resolve);
      });
      const ending = [...sessions.values()].map((one) => one.close(picks));
      await Promise.race([Promise.allSettled([launcher.release(), ...ending]), bound]);
      stop();
    },
  };
}

function noSuchSession(sessionId: string, found: Found, double: boolean): InfrastructureError {
  if (double) {
    return new InfrastructureError(
      `More than one editor answers as session ${sessionId}, so it is not clear which one is ` +
        "meant. Close one of them, then call ocs_sessions.",
    );
  }
  if (found.undecided.has(sessionId)) {
    return new InfrastructureError(
      `Session ${sessionId} gave no usable answer to hello within 1 s. A dialog or a long job may ` +
        "hold its window up: look at it, then call again.",
    );
  }
  const ids = [...new Set(found.live.map((live) => live.sessionId))];
  const rest = ids.length > 0
    ? `Live sessions: ${ids.join(", ")}. Use one of these as ocs_session_id.`
    : `No live session in ${found.directory}. Call ocs_sessions to start an editor.`;
  return new InfrastructureError(`No session ${JSON.stringify(sessionId)}. ${rest}`);
}
