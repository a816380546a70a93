/** The launch claim: of all bridges that find no editor, one starts it (bridge.md 3.5). */

import type { Clock } from "../host/clock.ts";
import { isJsonObject } from "../host/json.ts";
import type { Log } from "../host/log.ts";
import { fileTrouble, inDirectory, isPhrase } from "./automation_files.ts";
import type { Liveness } from "./liveness.ts";

/** The claim's file name within the automation directory. */
export const LOCK_NAME = "starting.lock";

/** An older claim is stale, in milliseconds. */
export const CLAIM_LIFE_MS = 60_000;

/** Serialises the claimants; empty, and left where it is. */
const GUARD_NAME = "starting.guard";

/** How long a claimant waits for the guard before it goes on without, in milliseconds. */
const GUARD_BOUND_MS = 1_000;

/** What the claim needs. */
export interface LockMachine {
  readonly directory: string;
  readonly pid: number;
  readonly clock: Clock;
  readonly liveness: Liveness;
  readonly log: Log;
}

/** A granted claim. */
export interface Claim {
  /** Gives it back, if it is still ours; never rejects, and may be called twice. */
  release(): Promise<void>;
}

/** Claims the launch; undefined when it belongs to someone else. Never rejects. */
export async function claimLaunch(machine: LockMachine): Promise<Claim | undefined> {
  const path = inDirectory(machine.directory, LOCK_NAME);
  const started = Math.floor(machine.clock.now() / 1000);
  const text = JSON.stringify({ pid: machine.pid, started });
  try {
    if (isPhrase(machine.directory)) throw new Deno.errors.NotFound();
    await Deno.mkdir(machine.directory, { recursive: true, mode: 0o700 });
    const granted = await guarded(machine, async () => {
      if (await createExclusively(path, text)) return true;
      if (await isHeld(machine, path)) return false;
      return await replace(machine, path, text);
    });
    return granted ? claimOf(path, text) : undefined;
  } catch (error) {
    // A broken lock must not prevent launching.
    machine.log.warn(`Launching without ${LOCK_NAME}: ${fileTrouble(error)}`);
    return { release: () => Promise.resolve() };
  }
}

function claimOf(path: string, text: string): Claim {
  let released = false;
  return {
    async release() {
      if (released) return;
      released = true;
      try {
        // Taken over meanwhile, as a stale one: then it is no longer ours to remove.
        const { isFile } = await Deno.lstat(path);
        if (isFile && await Deno.readTextFile(path) === text) await Deno.remove(path);
      } catch {
        // Gone already, or the directory is: nothing is left to give back.
      }
    },
  };
}

async function createExclusively(path: string, text: string): Promise<boolean> {
  try {
    await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
    return true;
  } catch (error) {
    // A link that leads nowhere, or to itself, also has the name.
    const taken = error instanceof Deno.errors.AlreadyExists || await lstatOrNone(path);
    if (taken) return false;
    throw error;
  }
}

/** Facts about what has the name itself, link or not; undefined when there is nothing to be seen. */
async function lstatOrNone(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch {
    // Not there, or not to be looked at: what is done with the path next says which.
    return undefined;
  }
}

/** By rename, and read back: whoever does not take the guard (another program) still sees one. */
async function replace(machine: LockMachine, path: string, text: string): Promise<boolean> {
  const own = `${path}.${machine.pid}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(own, text, { createNew: true, mode: 0o600 });
    await Deno.rename(own, path);
  } catch (error) {
    await Deno.remove(own).catch(() => {
      // It was renamed, or never came to be.
    });
    throw error;
  }
  return await Deno.readTextFile(path) === text;
}

/** Whether the claim that is there is younger than a minute and its process alive. */
async function isHeld(machine: LockMachine, path: string): Promise<boolean> {
  let text: string;
  let writtenMs: number;
  try {
    const facts = await Deno.lstat(path);
    // No claimant makes a link or a pipe; reading one could lead out of the directory, or never end.
    if (!facts.isFile) return false;
    writtenMs = facts.mtime?.getTime() ?? 0;
    text = await Deno.readTextFile(path);
  } catch (error) {
    // Released between the two looks: free to be replaced.
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
  const claim = parseClaim(text);
  // A claim that is being written is empty for a moment; its file's age stands in.
  const startedMs = claim === undefined ? writtenMs : claim.started * 1000;
  if (Math.abs(machine.clock.now() - startedMs) >= CLAIM_LIFE_MS) return false;
  if (claim === undefined) return true;
  const look = await machine.liveness.look();
  if (look.alive === undefined || look.alive.has(claim.pid)) return true;
  if (look.fresh) return false;
  // The snapshot may predate the claimant.
  const again = await machine.liveness.lookAgain();
  return again.alive === undefined || again.alive.has(claim.pid);
}

/** The claim in the lock's text, or undefined when it is none. */
export function parseClaim(text: string): { pid: number; started: number } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    const { pid, started } = value;
    if (typeof pid !== "number" || typeof started !== "number") return undefined;
    return { pid, started };
  } catch {
    // Half written or foreign: the caller goes by the file's age.
    return undefined;
  }
}

/**
 * Runs `work` while holding an exclusive lock of the operating system, so that looking at a claim
 * and replacing it is one step. The lock ends with its process; where it cannot be had, `work` runs
 * all the same.
 */
async function guarded<T>(machine: LockMachine, work: () => Promise<T>): Promise<T> {
  const path = inDirectory(machine.directory, GUARD_NAME);
  const there = await lstatOrNone(path);
  // Opening a link could lead out of the directory, and opening a pipe waits for its reader.
  if (there !== undefined && !there.isFile) return await work();
  const file = await Deno.open(path, { create: true, write: true, mode: 0o600 });
  const locked = file.lock(true);
  let forget = () => {};
  const bound = new Promise<"late">((resolve) => {
    forget = machine.clock.after(GUARD_BOUND_MS, () => resolve("late"));
  });
  const got = await Promise.race([
    locked.then(() => "locked" as const, () => "unsupported" as const),
    bound,
  ]);
  forget();
  try {
    return await work();
  } finally {
    // Closing releases the lock; a lock still being waited for goes when it comes.
    if (got === "late") locked.then(() => file.close(), () => file.close());
    else file.close();
  }
}
