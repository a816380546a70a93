/** Why no editor came up, in words that get a person to a running one (bridge.md 3.5). */

import { InfrastructureError } from "../host/faults.ts";
import type { ExitStatus } from "../host/processes.ts";
import { parentOf } from "../host/config_dir.ts";
import { fileTrouble, isPhrase } from "./automation_files.ts";

/** The executable to launch. */
export interface EditorProgram {
  /** Path of one executable. */
  readonly command: string;
  /** Where the path came from, such as `"--editor"` or `"OCS_EXECUTABLE"`. */
  readonly found: string;
}

/** What the messages need to know about the surroundings. */
export interface Surroundings {
  readonly directory: string;
  readonly os: typeof Deno.build.os;
  /** Whether the editor will find a screen: always true except on Linux. */
  readonly screen: boolean;
}

/** Whether a launched editor finds a screen: Linux tells by `DISPLAY` and `WAYLAND_DISPLAY`. */
export function hasScreen(
  os: typeof Deno.build.os,
  ...environments: readonly Readonly<Record<string, string>>[]
): boolean {
  if (os !== "linux") return true;
  return environments.some(({ DISPLAY, WAYLAND_DISPLAY }) => !!DISPLAY || !!WAYLAND_DISPLAY);
}

/** There is nothing to launch. */
export function nothingToLaunch(
  surroundings: Surroundings,
  places: readonly string[],
): InfrastructureError {
  return new InfrastructureError(
    `No live session in ${surroundings.directory}, and no editor to start. ` +
      `Looked for one in: ${places.length > 0 ? places.join("; ") : "no place at all"}. ` +
      "Start OpenCADStudio by hand, name its executable with --editor or OCS_EXECUTABLE, or run " +
      `'${deskByHand(surroundings)}' for a stand-in editor without a window. ` +
      "Then call ocs_sessions again.",
  );
}

/** The editor could not be started at all. */
export function startFailed(
  surroundings: Surroundings,
  program: EditorProgram,
  error: unknown,
): InfrastructureError {
  return new InfrastructureError(
    withScreenFirst(
      surroundings,
      `Could not start the editor ${program.command} (found through ${program.found}): ` +
        `${startTrouble(error)}. Check the path, or start it by hand: ${byHand(program)}`,
    ),
  );
}

/** The editor ended before a session appeared. */
export function endedEarly(
  surroundings: Surroundings,
  program: EditorProgram,
  status: ExitStatus,
): InfrastructureError {
  const how = status.signal === null
    ? `exit status ${status.code}`
    : `signal ${status.signal} (exit status ${status.code})`;
  return new InfrastructureError(
    withScreenFirst(
      surroundings,
      `The editor ${program.command} (found through ${program.found}) ended with ${how} before ` +
        `a session appeared in ${surroundings.directory}. To see why, start it by hand: ` +
        byHand(program),
    ),
  );
}

/** Time is up, and the editor may still come. */
export function stillStarting(surroundings: Surroundings): InfrastructureError {
  return new InfrastructureError(
    `The editor is still starting: no session in ${surroundings.directory} after 30 s. ` +
      "Call ocs_sessions again. If it is open and stays unseen, it keeps its descriptors in " +
      "another directory: start the bridge with --config-dir or OCS_CONFIG_DIR.",
  );
}

/** The command line to try, quoted for the shell where it needs to be. */
export function byHand(program: EditorProgram): string {
  return `${quoted(program.command)} --new-instance`;
}

/** The command for a desk that is found where we look, wherever its own environment would take it. */
export function deskByHand({ directory, os }: Pick<Surroundings, "directory" | "os">): string {
  const config = isPhrase(directory) ? "DIR" : quoted(parentOf(os, directory));
  return `ocs-bridge desk --config-dir ${config}`;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`;
}

function withScreenFirst(surroundings: Surroundings, message: string): string {
  if (surroundings.screen) return message;
  const block = JSON.stringify({ env: { DISPLAY: ":0", XDG_RUNTIME_DIR: "/run/user/1000" } });
  return "The bridge was started without DISPLAY and WAYLAND_DISPLAY, so the editor finds no " +
    "screen: MCP clients hand on only a few variables. Put them into the bridge's entry of the " +
    "client's config, with the values that 'echo $DISPLAY $WAYLAND_DISPLAY $XDG_RUNTIME_DIR' " +
    `prints in a terminal of your desktop, for example ${block.slice(1, -1)}. ${message}`;
}

function startTrouble(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return "the sandbox grants only the executable that was known at start, without LD_* and " +
      "DYLD_* variables";
  }
  return fileTrouble(error);
}
