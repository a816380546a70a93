/** Runs serve and the commands that talk to an editor: prepared here, carried out in the worker. */

import { buildProfile, gitRevision, stampedRevision } from "../host/build.ts";
import type { Env } from "../host/config_dir.ts";
import { createLog } from "../host/log.ts";
import { grantsFor } from "../host/sandbox.ts";
import type { Options } from "./options.ts";
import type { Order, StagedCommand } from "./order.ts";
import { writeError } from "./output.ts";
import { findPlaces } from "./places.ts";
import { runStaged } from "./stage.ts";

/** Carries out `command`; resolves to the exit code. */
export async function staged(
  command: StagedCommand,
  words: readonly string[],
  options: Options,
  env: Env,
): Promise<number> {
  const log = createLog(options.log);
  if (command === "serve" && Deno.stdin.isTerminal()) {
    writeError(
      "ocs-bridge: Waiting for an MCP client on standard input. A client's config starts this " +
        'program; to see whether everything is in place, run "ocs-bridge doctor".\n',
    );
  }
  const places = await findPlaces(options, env);
  for (const path of places.workspaces.filter((path) => !isDirectory(path))) {
    log.warn(`--workspace ${path} is no directory: no drawing can be opened or saved there.`);
  }
  const order = revision().then((rev): Order => ({
    command,
    words,
    options,
    places,
    build: { rev, profile: buildProfile() },
    environment: screenOf(env),
  }));
  return await runStaged({
    module: new URL("./serve_worker.ts", import.meta.url),
    grants: grantsFor(places.reach),
    order,
    log,
  });
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    // Not there, or not to be looked at: either way nothing can be saved below it.
    return false;
  }
}

async function revision(): Promise<string> {
  const stamped = stampedRevision();
  if (stamped !== undefined) return stamped;
  const { SOURCE_ROOT } = await import("./own_source.ts");
  return await gitRevision(SOURCE_ROOT);
}

function screenOf(env: Env): Readonly<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const name of ["DISPLAY", "WAYLAND_DISPLAY"]) {
    const value = env(name);
    if (value !== undefined) seen[name] = value;
  }
  return seen;
}
