/** What a row of the operation table is made of (bridge.md 2.4; the types are those of ops.json). */

import type { Json, JsonObject } from "../host/json.ts";

/**
 * The type of a parameter.
 * - `point`: `[x, y]` or `[x, y, z]`, finite numbers; `window`: `[x0, y0, x1, y1]`
 * - `handle`: a hex string, optionally with `0x`; `handles`: a non-empty array of them
 * - `enum`: one of `values` as spelled; `enum_ci`: one of them in any case
 * - `action_name`: one of the action names of gui-protocol.md 8.1
 * - `batch_step`: a batchable op with its parameters, without `request_id`
 */
export type ParamType =
  | "string"
  | "boolean"
  | "number"
  | "integer"
  | "any"
  | "point"
  | "window"
  | "handle"
  | "handles"
  | "enum"
  | "enum_ci"
  | "action_name"
  | "array"
  | "object"
  | "batch_step";

/** What a value has to look like; a parameter without its name. */
export interface ValueSpec {
  readonly type: ParamType;
  /** The spellings of `enum` and `enum_ci`. */
  readonly values?: readonly string[];
  /** Least length of an array, least value of a number. */
  readonly min?: number;
  /** Greatest length of an array, greatest value of a number. */
  readonly max?: number;
  /** What an `array` holds. */
  readonly array_of?: ParamType;
  /** The known keys of the objects that an `array` holds. */
  readonly item?: readonly Param[];
  /** The objects take other keys as well, which are not for the table to judge. */
  readonly open_item?: true;
  /** The editor takes exactly three numbers here: a missing z is sent as 0 (bridge.md 2.3). */
  readonly complete_z?: true;
  /** The editor compares case here: sent in the listed spelling. */
  readonly as_listed?: true;
}

/** One parameter of an op. */
export interface Param extends ValueSpec {
  readonly name: string;
  readonly required?: true;
  /** What the editor takes when the parameter is absent. */
  readonly default?: string | number | boolean;
  readonly unit?: string;
  /** The greatest value that has effect; greater ones are cut down by the editor, not refused. */
  readonly cap?: number;
  /** A file that the op reads or writes (bridge.md 11, `--workspace`). */
  readonly path?: "read" | "write";
  /** With `path`: the value may also be a plain name, so only one with a separator is a path. */
  readonly path_or_name?: true;
  /** Accepted by the editor (gui-protocol.md 5.5, 5.8), though the published table lacks it. */
  readonly beyond_table?: true;
  /** One phrase for the model and the docs; absent where name and type say it all. */
  readonly text?: string;
}

/** What has to be there beside the parameters that are always required. */
export type Rule =
  | { readonly any_of: readonly string[] }
  | {
    readonly when: Readonly<Record<string, string>>;
    readonly requires: readonly string[];
  };

/** An op of `ocs_execute`. */
export interface OpSpec {
  readonly op: string;
  /** One sentence. */
  readonly text: string;
  /** Picks are answered by a person and may be waited for up to 600 s (bridge.md 5.1). */
  readonly kind: "mutation" | "pick";
  /** Whether it may be a step of a batch (bridge.md 6). */
  readonly batchable: boolean;
  readonly params: readonly Param[];
  readonly rules?: readonly Rule[];
  /** A whole request without the envelope; `op` comes first. */
  readonly example: JsonObject & { readonly op: string };
}

/** An op of `ocs_read`. */
export interface ReadSpec {
  readonly op: string;
  /** One sentence. */
  readonly text: string;
  readonly params: readonly Param[];
  readonly rules?: readonly Rule[];
  /** The `parameters` of a typical call. */
  readonly example: JsonObject;
}

/** Which ops a user has allowed with `--allow-ops` and `--deny-ops` (bridge.md 11). */
export interface OpPolicy {
  /** When present, nothing else is allowed. */
  readonly allow?: ReadonlySet<string>;
  /** Never allowed, whatever `allow` says. */
  readonly deny?: ReadonlySet<string>;
}

/** Whether the policy lets an op through. */
export function isAllowed(op: string, policy: OpPolicy): boolean {
  return !policy.deny?.has(op) && (policy.allow === undefined || policy.allow.has(op));
}

/** Whether a key counts as absent: not there, or JSON null (bridge.md 2.3). */
export function isAbsent(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}
