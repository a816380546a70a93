/** Launching the editor: at most one, whoever asks, and waiting for its session (bridge.md 3.5). */

import { type Clock, sleep } from "../host/clock.ts";
import type { Log } from "../host/log.ts";
import type { ExitStatus, StartProcess } from "../host/processes.ts";
import type { Found } from "./discovery.ts";
import {
  type EditorProgram,
  endedEarly,
  nothingToLaunch,
  startFailed,
  stillStarting,
  type Surroundings,
} from "./launch_faults.ts";
import type { Liveness } from "./liveness.ts";
import type { Claim } from "./starting_lock.ts";
import type { Waiting } from "./types.ts";

/** How often discovery looks while an editor starts, in milliseconds. */
export const POLL_MS = 200;

/** How long an editor may take to show its session, in milliseconds. */
export const LAUNCH_BOUND_MS = 30_000;

/** So long an editor is said to be starting; what is waited for after that is its window. */
export const STARTING_MS = 1_500;

/** What launching needs. */
export interface LaunchMachine {
  readonly program: EditorProgram | undefined;
  /** Places where the program was looked for. */
  readonly places: readonly string[];
  /** On top of our own environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly surroundings: Surroundings;
  readonly clock: Clock;
  readonly liveness: Liveness;
  readonly log: Log;
  readonly start: StartProcess;
  readonly discover: (signal: AbortSignal) => Promise<Found>;
  readonly claim: () => Promise<Claim | undefined>;
}

/** One bridge's launching. */
export interface Launcher {
  /**
   * Waits until there is a live session, starting the editor unless someone else does. Raises
   * InfrastructureError when there is none to start, it ends early, or 30 s have passed.
   */
  launch(waiting: Waiting): Promise<Found>;
  /** Gives back a claim that is still held. */
  release(): Promise<void>;
}

interface Started {
  readonly program: EditorProgram;
  /** When. */
  readonly atMs: number;
  /** Set once the process has ended. */
  exit: ExitStatus | undefined;
}

/** A launcher; it remembers the editor that it started, so as not to start another while it comes. */
export function createLauncher(machine: LaunchMachine): Launcher {
  const held = new Set<Claim>();
  let started: Started | undefined;

  function start(program: EditorProgram): Started {
    let child: ReturnType<StartProcess>;
    try {
      child = machine.start(program.command, ["--new-instance"], machine.environment);
    } catch (error) {
      throw startFailed(machine.surroundings, program, error);
    }
    machine.log.info(`Started the editor ${program.command} as process ${child.pid}`);
    machine.liveness.forget();
    const own: Started = { program, atMs: machine.clock.now(), exit: undefined };
    child.ended.then((status) => {
      own.exit = status;
    }, () => {
      own.exit = { code: -1, signal: null };
    });
    return own;
  }

  async function claimed(
    claim: Claim,
    program: EditorProgram,
    waiting: Waiting,
  ): Promise<Found | undefined> {
    held.add(claim);
    // Between our last look and the claim someone else's editor may have come up.
    const found = await machine.discover(waiting.signal);
    if (found.live.length > 0) return found;
    waiting.phase("starting the editor");
    started = start(program);
    return undefined;
  }

  async function launch(waiting: Waiting): Promise<Found> {
    const { clock, program, surroundings } = machine;
    if (program === undefined) throw nothingToLaunch(surroundings, machine.places);
    const until = clock.now() + LAUNCH_BOUND_MS;
    let own: Claim | undefined;
    try {
      while (true) {
        if (own === undefined && (started === undefined || started.exit !== undefined)) {
          own = await machine.claim();
          if (own !== undefined) {
            const found = await claimed(own, program, waiting);
            if (found !== undefined) return found;
          }
        }
        waiting.phase(phaseNow(own !== undefined));
        // Asked before looking, so that a session that came with the end is still seen.
        const exit = own === undefined ? undefined : started?.exit;
        const found = await machine.discover(waiting.signal);
        if (found.live.length > 0) return found;
        if (exit !== undefined && started !== undefined) {
          throw endedEarly(surroundings, started.program, exit);
        }
        if (clock.now() >= until) throw stillStarting(surroundings);
        await sleep(clock, POLL_MS, waiting.signal);
      }
    } finally {
      if (own !== undefined) {
        held.delete(own);
        await own.release();
      }
    }
  }

  function phaseNow(claimIsOurs: boolean): string {
    const ours = claimIsOurs || started?.exit === undefined ? started : undefined;
    if (ours === undefined) return "waiting for an editor that another client is starting";
    // Progress is told once a second: phases that follow each other at once would not be seen.
    const young = machine.clock.now() - ours.atMs < STARTING_MS;
    return young ? "starting the editor" : "waiting for its window";
  }

  return {
    launch,
    async release() {
      await Promise.all([...held].map((claim) => claim.release()));
    },
  };
}
