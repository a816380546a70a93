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
  /** What a launched editor needs to find a screen: `DISPLAY` and `WAYLAND_DISPLAY`, where set. */
  readonly environment: Readonly<Record<string, string>>;
}
