/** What the main thread hands to the worker: plain data, complete, since the worker can look up little. */

import type { BuildProfile } from "../host/build.ts";
import type { Options } from "./options.ts";
import type { Places } from "./places.ts";

/** The commands that run in the worker. */
export type StagedCommand = "serve" | "sessions" | "call" | "doctor";

/** The order. */
export interface Order {
  readonly command: StagedCommand;
  readonly words: readonly string[];
  readonly options: Options;
  readonly places: Places;
  readonly build: { readonly rev: string; readonly profile: BuildProfile };
  /** Whether the launched editor will find a screen (`DISPLAY` or `WAYLAND_DISPLAY` is set). */
  readonly screen: boolean;
}
