/** Starts the desk as a process of its own and waits until its descriptor is there. */

import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { type Program, RunningProgram } from "./bridge_program.ts";

/** How to start it. */
export interface DeskProgramOptions {
  readonly program?: Program;
  /** An existing configuration directory; else a temporary one is made and removed again. */
  readonly configDir?: string;
  /** Besides `desk --config-dir`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A desk that is running. */
export interface DeskProgram extends AsyncDisposable {
  readonly configDir: string;
  readonly automationDir: string;
  /** As written in `<config>/automation/<session_id>.json`. */
  readonly descriptor: JsonObject;
  readonly sessionId: string;
  readonly process: RunningProgram;
}

/** Starts `desk` and resolves once its descriptor can be read. */
export async function startDeskProgram(options: DeskProgramOptions = {}): Promise<DeskProgram> {
  const configDir = options.configDir ?? await Deno.makeTempDir({ prefix: "ocs-config-" });
  const automationDir = `${configDir}/automation`;
  await Deno.mkdir(automationDir, { recursive: true, mode: 0o700 });
  const before = new Set(await descriptorFiles(automationDir));
  const process = new RunningProgram({
    ...(options.program && { program: options.program }),
    args: ["desk", "--config-dir", configDir, ...(options.args ?? [])],
    env: { ...options.env },
  });
  const end = async () => {
    // The desk runs until it is stopped; the end of its input means nothing to it.
    try {
      process.kill("SIGTERM");
    } catch {
      // It has ended already.
    }
    await process[Symbol.asyncDispose]();
    if (options.configDir === undefined) await Deno.remove(configDir, { recursive: true });
  };
  try {
    const descriptor = await newDescriptor(automationDir, before, process);
    const sessionId = String(descriptor["session_id"]);
    return { configDir, automationDir, descriptor, sessionId, process, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Watches the directory until a descriptor is in it that was not there before. */
export async function newDescriptor(
  automationDir: string,
  before: ReadonlySet<string>,
  process?: RunningProgram,
): Promise<JsonObject> {
  using watcher = Deno.watchFs(automationDir);
  let status: Deno.CommandStatus | undefined;
  process?.exited.then((how) => {
    status = how;
    watcher.close();
  }).catch(() => {
    // The watcher was closed before, since the descriptor had been found.
  });
  const look = async () => {
    for (const file of await descriptorFiles(automationDir)) {
      if (before.has(file)) continue;
      const found = await readDescriptor(file);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const first = await look();
  if (first !== undefined) return first;
  for await (const _event of watcher) {
    const found = await look();
    if (found !== undefined) return found;
  }
  const how = status === undefined ? "is still running" : `exited with ${status.code}`;
  throw new Error(
    `No descriptor appeared in ${automationDir}; the program ${how}. ${process?.stderr ?? ""}`,
  );
}

async function descriptorFiles(automationDir: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(automationDir)) {
    if (entry.isFile && entry.name.endsWith(".json")) files.push(`${automationDir}/${entry.name}`);
  }
  return files.sort();
}

async function readDescriptor(file: string): Promise<JsonObject | undefined> {
  try {
    const value: unknown = JSON.parse(await Deno.readTextFile(file));
    return isJsonObject(value) && typeof value["session_id"] === "string" ? value : undefined;
  } catch {
    // Not written to its end yet, or gone again: the next event brings another look.
    return undefined;
  }
}
