/** The environment that the program reads, by name: once, at the start, before rights are given up. */

import type { Env } from "../host/config_dir.ts";
import { type OptionRow, OPTIONS } from "./options.ts";

/** Variables that say where things are on this machine. */
const PLACE_NAMES = [
  "APPDATA",
  "DISPLAY",
  "HOME",
  "LOCALAPPDATA",
  "PATH",
  "PROGRAMFILES",
  "SYSTEMROOT",
  "WAYLAND_DISPLAY",
  "XDG_CONFIG_HOME",
];

/** Every variable that is read; the executable is compiled with the right to these and no others. */
export const ENVIRONMENT_NAMES: readonly string[] = [
  ...PLACE_NAMES,
  ...OPTIONS.flatMap((row: OptionRow) => row.env === undefined ? [] : [row.env]),
].sort();

/** Reads them all from the process; later changes are not seen. */
export function readEnvironment(): Env {
  const values = new Map<string, string>();
  for (const name of ENVIRONMENT_NAMES) {
    const value = Deno.env.get(name);
    if (value !== undefined) values.set(name, value);
  }
  return (name) => values.get(name);
}
