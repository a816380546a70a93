/** The files that captures pass through: reserved, read, and always removed (bridge.md 7.1). */

import { fileTrouble } from "../editor/automation_files.ts";
import type { Clock } from "../host/clock.ts";
import { InfrastructureError, ToolError } from "../host/faults.ts";
import type { Log } from "../host/log.ts";
import type { ListProcesses } from "../host/processes.ts";
import { type CaptureDisk, systemCaptureDisk } from "./capture_disk.ts";

/** A leftover of a process that still lives, or of unknown origin, is removed at this age. */
export const LEFTOVER_AGE_MS = 600_000;

/** A picture larger than this is not read. */
const MAX_PNG_BYTES = 128 * 1024 * 1024;

/** When what could not be removed is tried again, in ms: some systems keep what is being written. */
const RETRIES_MS = [100, 400, 1500, 5000, 20_000, 60_000];

/** How long closing goes on trying to remove, in ms. */
const CLOSING_MS = 600;

/** Ours are `<pid>-<uuid>`, so that a later process can tell whose they were. */
const NAME = /^(?:(\d+)-)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?:\.png)?$/;

/**
 * One file, not there yet, that the editor is asked to write. It has a folder of its own: once that
 * is gone, an editor that draws late, even after we have ended, can leave nothing behind.
 */
export interface CaptureFile {
  /** Absolute. */
  readonly path: string;
  /** The PNG's bytes; raises ToolError when there is no plain PNG file. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Removes it, there or not, and its folder. Never rejects. */
  remove(): Promise<void>;
}

/** What the folder needs. */
export interface CaptureFolderOptions {
  /** `<automation>/captures`. */
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** This process. */
  readonly pid: number;
  /** Asked only when there are leftovers. */
  readonly listProcesses: ListProcesses;
  readonly disk?: CaptureDisk;
}

/** The captures folder of the automation directory, shared with other bridges. */
export class CaptureFolder {
  readonly #options: CaptureFolderOptions;
  readonly #disk: CaptureDisk;
  /** Folders of single captures that are not removed yet. */
  readonly #open = new Set<string>();
  /** What forgets the next try at one of them. */
  readonly #retries = new Map<string, () => void>();
  #swept: Promise<void> | undefined;

  constructor(options: CaptureFolderOptions) {
    this.#options = options;
    this.#disk = options.disk ?? systemCaptureDisk;
  }

  /** Makes the folder when it is missing, private to its owner, and a place for one file in it. */
  async reserve(): Promise<CaptureFile> {
    const { directory, pid } = this.#options;
    await this.#make(directory);
    await this.sweep();
    const place = `${directory}/${pid}-${crypto.randomUUID()}`;
    this.#open.add(place);
    await this.#make(place);
    const path = `${place}/picture.png`;
    return { path, read: () => this.#read(path), remove: () => this.#remove(place, 0) };
  }

  /** Removes, once, what earlier processes left behind. Never rejects. */
  sweep(): Promise<void> {
    this.#swept ??= this.#sweepNow().catch((error) => {
      this.#options.log.debug(`captures: leftovers were not swept: ${reason(error)}`);
    });
    return this.#swept;
  }

  /** Removes every file of this process, and waits for the sweep that is under way. */
  async close(): Promise<void> {
    for (const forget of this.#retries.values()) forget();
    const { clock } = this.#options;
    let stop = () => {};
    const bound = new Promise<void>((resolve) => {
      stop = clock.after(CLOSING_MS, resolve);
    });
    // A bridge that serves a single call would else end before it has swept anything.
    await Promise.race([
      Promise.all([this.#swept, this.#removeOwn(clock.now() + CLOSING_MS)]),
      bound,
    ]);
    stop();
  }

  async #removeOwn(until: number): Promise<void> {
    const { clock } = this.#options;
    let left = [...this.#open];
    for (;;) {
      const gone = await Promise.all(left.map((place) => this.#tryRemove(place)));
      left = left.filter((_, index) => !gone[index]);
      if (left.length === 0 || clock.now() >= until) return;
      await new Promise<void>((resolve) => clock.after(50, resolve));
    }
  }

  async #make(folder: string): Promise<void> {
    try {
      await this.#disk.makeFolder(folder);
    } catch (error) {
      throw new InfrastructureError(
        `The captures folder ${folder} cannot be used: ${fileTrouble(error)}. ` +
          "It has to be a folder that this user may write to: see to that, then capture again.",
      );
    }
  }

  async #read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    try {
      const bytes = await this.#disk.readPlainFile(path, MAX_PNG_BYTES);
      if (isPng(bytes)) return bytes;
    } catch (error) {
      this.#options.log.debug(`captures: ${path}: ${reason(error)}`);
    }
    throw new ToolError(
      "The editor reported a capture but left no readable PNG. Call ocs_capture again.",
    );
  }

  async #remove(place: string, tries: number): Promise<void> {
    this.#retries.delete(place);
    if (await this.#tryRemove(place)) {
      this.#open.delete(place);
      return;
    }
    const after = RETRIES_MS[tries];
    if (after === undefined) return;
    const forget = this.#options.clock.after(after, () => void this.#remove(place, tries + 1));
    this.#retries.set(place, forget);
  }

  /** Whether it is gone. */
  async #tryRemove(path: string): Promise<boolean> {
    try {
      await this.#disk.remove(path);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return true;
      this.#options.log.warn(`captures: ${path} was not removed: ${reason(error)}`);
      return false;
    }
  }

  async #sweepNow(): Promise<void> {
    const { directory, clock, pid, listProcesses } = this.#options;
    const ours = (await this.#disk.list(directory)).filter(({ name }) =>
      NAME.test(name) && !this.#open.has(`${directory}/${name}`)
    );
    if (ours.length === 0) return;
    const alive = await listProcesses();
    for (const { name, modifiedMs } of ours) {
      const owner = NAME.exec(name)?.[1];
      const old = clock.now() - modifiedMs >= LEFTOVER_AGE_MS;
      // Concurrent bridges share the folder: what a live process owns is only removed by age.
      const orphaned = owner !== undefined && alive !== undefined &&
        Number(owner) !== pid && !alive.has(Number(owner));
      if (old || orphaned) await this.#tryRemove(`${directory}/${name}`);
    }
  }
}

function isPng(bytes: Uint8Array): boolean {
  return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, at) => bytes[at] === byte);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
