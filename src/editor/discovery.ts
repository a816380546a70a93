/** Discovery: which sessions are live, however broken the directory is (bridge.md 3.1 to 3.4). */

import type { Log } from "../host/log.ts";
import { type AutomationFiles, fileTrouble, inDirectory } from "./automation_files.ts";
import { type Descriptor, readDescriptors } from "./descriptor.ts";
import type { ExchangeMachine } from "./exchange.ts";
import { isKnownDead, type Liveness } from "./liveness.ts";
import { probeAll } from "./probing.ts";
import type { Discovery, LiveSession, SkippedDescriptor } from "./types.ts";

/** What discovery needs. */
export interface DiscoveryMachine extends ExchangeMachine {
  readonly directory: string;
  readonly files: AutomationFiles;
  readonly liveness: Liveness;
  readonly log: Log;
}

/** What one look found, with the descriptors that lead to the live sessions. */
export interface Found extends Discovery {
  readonly descriptors: ReadonlyMap<LiveSession, Descriptor>;
  /** Sessions that gave no usable answer but may live: what is known of them is kept. */
  readonly undecided: ReadonlySet<string>;
  /** False when the directory could not be read: sessions that are missing may live. */
  readonly complete: boolean;
}

/** A looker that remembers which editors hung, to ask them last. Rejects only by the signal. */
export function createDiscovery(
  machine: DiscoveryMachine,
): (signal: AbortSignal) => Promise<Found> {
  const hanging = new Set<string>();
  return async (signal) => {
    signal.throwIfAborted();
    const { directory, files, log } = machine;
    const listing = await readDescriptors(directory, files);
    const skipped: SkippedDescriptor[] = [...listing.skipped];
    const candidates = await withoutTheDead(machine, listing.descriptors, skipped);
    signal.throwIfAborted();

    const probed = await probeAll(machine, inProbingOrder(candidates, hanging), signal);
    const live = new Map<LiveSession, Descriptor>();
    const undecided = new Set<string>();
    for (const one of probed) {
      const { descriptor } = one;
      if (one.kind === "live") {
        hanging.delete(descriptor.file);
        live.set(sessionOf(descriptor, one.state), descriptor);
      } else {
        if (one.how === "hung") hanging.add(descriptor.file);
        if (one.how !== "gone") undecided.add(descriptor.sessionId);
        skipped.push({ file: descriptor.file, reason: one.reason });
      }
    }
    const listed = new Set(listing.descriptors.map(({ file }) => file));
    for (const file of hanging) if (!listed.has(file)) hanging.delete(file);

    for (const { file, reason } of skipped) log.debug(`Skipped ${file}: ${reason}`);
    const byFile = [...live].sort(([, a], [, b]) => (a.file < b.file ? -1 : 1));
    return {
      directory,
      live: byFile.map(([session]) => session),
      skipped: skipped.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
      descriptors: new Map(byFile),
      undecided,
      complete: listing.complete,
    };
  };
}

/** The descriptors whose process may live; the files of the dead are deleted. */
async function withoutTheDead(
  machine: DiscoveryMachine,
  descriptors: readonly Descriptor[],
  skipped: SkippedDescriptor[],
): Promise<readonly Descriptor[]> {
  if (!descriptors.some(({ pid }) => pid !== undefined)) return descriptors;
  const look = await machine.liveness.look();
  const now = machine.clock.now();
  const dead = descriptors.filter((descriptor) => isKnownDead(descriptor, look, now));
  await Promise.all(dead.map(async ({ file, pid }) => {
    let outcome = "the file was deleted";
    try {
      await machine.files.remove(inDirectory(machine.directory, file));
    } catch (error) {
      // A file that stays costs the next look a line of the process table, nothing else.
      outcome = `the file could not be deleted: ${fileTrouble(error)}`;
    }
    skipped.push({ file, reason: `Its process ${pid} is gone; ${outcome}` });
  }));
  return descriptors.filter((descriptor) => !dead.includes(descriptor));
}

/**
 * Newest first, and those that hung the last time at the end: with more candidates than places,
 * live sessions are not kept waiting by dead weight.
 */
function inProbingOrder(
  candidates: readonly Descriptor[],
  hanging: ReadonlySet<string>,
): readonly Descriptor[] {
  const weight = ({ file }: Descriptor) => (hanging.has(file) ? 1 : 0);
  return [...candidates].sort((a, b) =>
    weight(a) - weight(b) || (b.modifiedMs ?? 0) - (a.modifiedMs ?? 0)
  );
}

function sessionOf(descriptor: Descriptor, state: LiveSession["state"]): LiveSession {
  const { sessionId, pid, port, executable } = descriptor;
  return {
    sessionId,
    port,
    state,
    ...(pid === undefined ? {} : { pid }),
    ...(executable === undefined ? {} : { executable }),
  };
}
