/** `ocs-bridge desk`: the stand-in editor as a process of its own. */

import { type DeskOptions, startDesk } from "../desk/desk.ts";
import { OPERATIONS } from "../desk/operations.ts";
import { parsePerson, type Person } from "../desk/person.ts";
import { READ_NAMES } from "../desk/reads.ts";
import { parseDelays, parseWindow } from "../desk/settings.ts";
import { VERSION } from "../host/build.ts";
import { configDir, type Env } from "../host/config_dir.ts";
import { createLog } from "../host/log.ts";
import { giveUp } from "../host/sandbox.ts";
import { EXECUTE_OPS } from "../ops/table.ts";
import { INSTRUCTIONS } from "../tools/instructions.ts";
import { buildTools, DEFAULT_LIST, listed } from "../tools/tool_list.ts";
import { toolsReply } from "../tools/tools_reply.ts";
import type { Options } from "./options.ts";
import { writeError, writeOut } from "./output.ts";
import { absolute, settle } from "./places.ts";
import { stopSignals } from "./stage.ts";

/** Runs until a signal ends it; its descriptor is gone then. Resolves to the exit code. */
export async function desk(options: Options, env: Env): Promise<number> {
  const config = configDir(Deno.build.os, env, options.configDir);
  if (!config.found) {
    return failed(
      `There is no configuration directory (${config.missing} is not set); name one with --config-dir.`,
    );
  }
  let settings: Settings;
  try {
    settings = readSettings(options);
  } catch (error) {
    // What was typed is wrong, be it the value itself or the file that it names: wrong usage.
    writeError(`ocs-bridge: ${said(error)}\n`);
    return 2;
  }
  const stopped = new Promise<void>((resolve) => {
    for (const signal of stopSignals()) Deno.addSignalListener(signal, () => resolve());
  });
  let running: Awaited<ReturnType<typeof startDesk>>;
  try {
    running = await startDesk({
      directory: settle(absolute(config.path)),
      executable: await ownProgram(),
      version: VERSION,
      log: createLog(options.log),
      tools: () => toolsReply(listed(buildTools(DEFAULT_LIST), false), INSTRUCTIONS),
      ...settings,
    });
  } catch (error) {
    return failed(`Could not start the desk in ${config.path}: ${said(error)}`);
  }
  // It serves 127.0.0.1, reads drawings and writes pictures; the rest it does without.
  giveUp(["run", "env", "sys", "ffi"]);
  const { sessionId, port, descriptorPath } = running;
  writeOut(
    options.json
      ? `${JSON.stringify({ session_id: sessionId, port, descriptor: descriptorPath })}\n`
      : `The desk is session ${sessionId} on 127.0.0.1:${port}.\n` +
        `Its descriptor is ${descriptorPath}.\n` +
        "Ctrl-C ends it.\n",
  );
  await Promise.race([stopped.then(() => running.stop()), running.finished]);
  return 0;
}

/** What the desk knows to settle by itself; how long a pick takes is the person's affair. */
const SETTLING = [...OPERATIONS.keys()].filter((op) => op !== "user_select" && op !== "getpoint");

/** Whatever may be asked of an editor, whether or not the desk knows to do it. */
const REQUESTS = [...EXECUTE_OPS.map(({ op }) => op), "capture", ...READ_NAMES];

type Settings = Pick<DeskOptions, "person" | "slow" | "freeze" | "viewport">;

/** Throws what is wrong with an option's value, in words for the person who typed it. */
function readSettings({ person, slow, freeze, window }: Options): Settings {
  return {
    ...(person === undefined ? {} : { person: readPerson(person) }),
    slow: of("--slow", () => parseDelays(slow, SETTLING)),
    freeze: of("--freeze", () => parseDelays(freeze, REQUESTS)),
    ...(window === undefined ? {} : { viewport: of("--window", () => parseWindow(window)) }),
  };
}

/** What `read` makes of an option's value; what it raises then names the option. */
function of<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${option}: ${said(error)}`);
  }
}

function readPerson(file: string): readonly Person[] {
  try {
    return parsePerson(Deno.readTextFileSync(file));
  } catch (error) {
    throw new Error(`Could not use the person file ${file}: ${said(error)}`);
  }
}

/** What could be started again as this editor: the executable, or the entry when run from source. */
async function ownProgram(): Promise<string> {
  if (Deno.build.standalone) return Deno.execPath();
  return `${(await import("./own_source.ts")).SOURCE_ROOT}/main.ts`;
}

function failed(message: string): number {
  writeError(`ocs-bridge: ${message}\n`);
  return 1;
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
