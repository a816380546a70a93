/** Other processes: which are alive, and how one is started that outlives us. */

import { type Clock, systemClock } from "./clock.ts";

/** Asks the machine for the ids of all live processes; undefined when that cannot be established. */
export type ListProcesses = () => Promise<ReadonlySet<number> | undefined>;

/** How a process that we started ended. */
export interface ExitStatus {
  readonly code: number;
  /** The signal that ended it, such as `"SIGSEGV"`. */
  readonly signal: string | null;
}

/** A process that we started and that goes on without us. */
export interface StartedProcess {
  readonly pid: number;
  readonly ended: Promise<ExitStatus>;
}

/** Starts `command` with standard streams closed, in a session of its own; throws when it cannot. */
export type StartProcess = (
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
) => StartedProcess;

/** Longest time that the process lister gets, in milliseconds. */
const LISTER_BOUND_MS = 3_000;

/** What the dynamic linkers read; the sandbox lets none of it through to a child. */
const LINKER_VARIABLE = /\b(?:LD|DYLD)_[A-Z0-9_]+/g;

/** Where the process lister stands on this system; the sandbox grants exactly this path. */
export function processListerPath(
  os: typeof Deno.build.os = Deno.build.os,
  systemRoot = "C:\\Windows",
): string {
  if (os === "windows") return `${systemRoot}\\System32\\tasklist.exe`;
  return os === "darwin" ? "/bin/ps" : "/usr/bin/ps";
}

/** The ids in the output of `ps -A -o pid=,stat=`; zombies (state Z) are dead already. */
export function parsePs(text: string): ReadonlySet<number> {
  const alive = new Set<number>();
  for (const line of text.split("\n")) {
    const [, pid, state] = /^\s*(\d+)\s+(\S+)/.exec(line) ?? [];
    if (pid !== undefined && state !== undefined && !state.startsWith("Z")) alive.add(Number(pid));
  }
  return alive;
}

/** The ids in the output of `tasklist /FO CSV /NH`. */
export function parseTasklist(text: string): ReadonlySet<number> {
  const alive = new Set<number>();
  for (const line of text.split(/\r?\n/)) {
    const pid = /^"(?:[^"]|"")*","(\d+)"/.exec(line)?.[1];
    if (pid !== undefined) alive.add(Number(pid));
  }
  return alive;
}

/**
 * A lister that runs `program` once per call. The child gets an empty environment: the sandbox
 * refuses to start anything that would inherit a linker variable.
 */
export function processLister(
  program: string = processListerPath(),
  os: typeof Deno.build.os = Deno.build.os,
  clock: Clock = systemClock,
): ListProcesses {
  const windows = os === "windows";
  return async () => {
    let forget = () => {};
    try {
      const child = new Deno.Command(program, {
        args: windows ? ["/FO", "CSV", "/NH"] : ["-A", "-o", "pid=,stat="],
        stdin: "null",
        stdout: "piped",
        stderr: "null",
        clearEnv: true,
      }).spawn();
      forget = clock.after(LISTER_BOUND_MS, () => {
        try {
          child.kill("SIGKILL");
        } catch {
          // It ended in the same moment: nothing is left to stop.
        }
      });
      const { success, stdout } = await child.output();
      if (!success) return undefined;
      const text = new TextDecoder().decode(stdout);
      const alive = windows ? parseTasklist(text) : parsePs(text);
      // We run ourselves: a table without any process is no table.
      return alive.size > 0 ? alive : undefined;
    } catch {
      // No lister, or not allowed: the caller then counts every process as alive (bridge.md 3.2).
      return undefined;
    } finally {
      forget();
    }
  };
}

/**
 * Starts a process that outlives us: own session, no streams, not waited for (bridge.md 3.5). It
 * gets our environment and `environment` on top; linker variables of ours are blanked where the
 * sandbox would refuse to hand them on.
 */
export const startDetached: StartProcess = (command, args, environment) => {
  const spawn = (env: Record<string, string>) => {
    const child = new Deno.Command(command, {
      args: [...args],
      stdin: "null",
      stdout: "null",
      stderr: "null",
      detached: true,
      env,
    }).spawn();
    child.unref();
    return { pid: child.pid, ended: child.status };
  };
  try {
    return spawn({ ...environment });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    const ours = (error.message.match(LINKER_VARIABLE) ?? []).filter((name) =>
      environment[name] === undefined
    );
    if (ours.length === 0) throw error;
    return spawn({ ...Object.fromEntries(ours.map((name) => [name, ""])), ...environment });
  }
};
