/** Whether a process still exists, told from one snapshot of the process table (bridge.md 3.2). */

import type { Clock } from "../host/clock.ts";
import type { ListProcesses } from "../host/processes.ts";
import type { Descriptor } from "./descriptor.ts";

/** How long a snapshot serves, in milliseconds. */
export const SNAPSHOT_LIFE_MS = 10_000;

/** Younger descriptors are never condemned by a cached snapshot, in milliseconds. */
export const GRACE_MS = 120_000;

/** One look at the process table. */
export interface Look {
  /** Undefined when the table could not be read: then everything counts as alive. */
  readonly alive: ReadonlySet<number> | undefined;
  /** Taken for this very look, thus after whatever was read before it. */
  readonly fresh: boolean;
}

/** The process table with its short memory. */
export interface Liveness {
  /** The snapshot of at most ten seconds ago, else a new one. Never rejects. */
  look(): Promise<Look>;
  /** A new snapshot whatever is remembered. Never rejects. */
  lookAgain(): Promise<Look>;
  /** Drops the snapshot; to be called after the editor was launched. */
  forget(): void;
}

/** A process table over `list`. */
export function createLiveness(list: ListProcesses, clock: Clock): Liveness {
  let snapshot: { readonly takenAt: number; readonly alive: Promise<Look["alive"]> } | undefined;
  const take = async (): Promise<Look> => {
    const own = {
      takenAt: clock.now(),
      // A lister that throws knows nothing, and what is not known is alive.
      alive: list().catch(() => undefined),
    };
    snapshot = own;
    const alive = await own.alive;
    // What is not known is not worth remembering.
    if (alive === undefined && snapshot === own) snapshot = undefined;
    return { alive, fresh: true };
  };
  return {
    async look() {
      const age = snapshot === undefined ? Infinity : clock.now() - snapshot.takenAt;
      if (snapshot === undefined || age < 0 || age >= SNAPSHOT_LIFE_MS) return await take();
      return { alive: await snapshot.alive, fresh: false };
    },
    lookAgain: take,
    forget() {
      snapshot = undefined;
    },
  };
}

/**
 * Whether a descriptor's process is known to be dead, so that its file may go. Without a pid, without
 * a table, or for a young file under a cached snapshot nothing is established: it counts as alive.
 */
export function isKnownDead(
  descriptor: Pick<Descriptor, "pid" | "modifiedMs">,
  look: Look,
  nowMs: number,
): boolean {
  if (descriptor.pid === undefined || look.alive === undefined) return false;
  if (look.alive.has(descriptor.pid)) return false;
  if (look.fresh) return true;
  return descriptor.modifiedMs !== null && nowMs - descriptor.modifiedMs >= GRACE_MS;
}
