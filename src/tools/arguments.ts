/** Arguments of the tools: one declaration gives the schema and the check. */

import { ToolError } from "../host/faults.ts";
import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import type { ToolDefinition } from "../mcp/face.ts";

/** One argument of a tool. `T` is what a handler gets: the value, or the default. */
export interface Argument<T> {
  readonly name: string;
  readonly required: boolean;
  /** As the tool's input schema shows it. */
  readonly schema: JsonObject;
  /** Gives the checked value; raises ToolError saying what was expected. */
  take(args: JsonObject, tool: string): T;
}

/** What a value has to be: the words for an error, and the check; `undefined` means no. */
interface Kind<T> {
  readonly expected: string;
  accept(value: Json): T | undefined;
}

/** An argument that must be there. JSON null counts as absent (bridge.md 2.3). */
export function required<T>(name: string, kind: Kind<T>, schema: JsonObject): Argument<T> {
  return {
    name,
    required: true,
    schema,
    take(args, tool) {
      const value = args[name] ?? null;
      if (value === null) throw new ToolError(`Missing ${name} for ${tool}: ${kind.expected}.`);
      return checked(name, kind, value, tool);
    },
  };
}

/** An argument that may be left out; `fallback` stands in for it. */
export function optional<T, const F>(
  name: string,
  kind: Kind<T>,
  fallback: F,
  schema: JsonObject,
): Argument<T | F> {
  return {
    name,
    required: false,
    schema,
    take(args, tool) {
      const value = args[name] ?? null;
      return value === null ? fallback : checked(name, kind, value, tool);
    },
  };
}

function checked<T>(name: string, kind: Kind<T>, value: Json, tool: string): T {
  const accepted = kind.accept(value);
  if (accepted !== undefined) return accepted;
  throw new ToolError(
    `Invalid ${name} for ${tool}: expected ${kind.expected}, got ${shown(value)}.`,
  );
}

/** A JSON value, short enough for an error message. */
export function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}

export const nonEmptyString: Kind<string> = {
  expected: "a non-empty string",
  accept: (value) => typeof value === "string" && value !== "" ? value : undefined,
};

export const boolean: Kind<boolean> = {
  expected: "true or false",
  accept: (value) => typeof value === "boolean" ? value : undefined,
};

export const object: Kind<JsonObject> = {
  expected: "an object",
  accept: (value) => isJsonObject(value) ? value : undefined,
};

/** Any finite number; what lies outside of the wait's range is clamped later (bridge.md 5.1). */
export const finiteNumber: Kind<number> = {
  expected: "a number",
  accept: (value) => isFinite(value) ? value : undefined,
};

/** A whole number of `min..max`. */
export function integer(min: number, max: number): Kind<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    accept: (value) =>
      typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
        ? value
        : undefined,
  };
}

/** One of some words, spelled exactly so. */
export function oneOf<const W extends string>(words: readonly W[]): Kind<W> {
  return {
    expected: `one of ${words.join(", ")}`,
    accept: (value) => words.find((word) => word === value),
  };
}

/** A text of 1..128 UTF-8 bytes, as the editor takes it for a request id. */
export const requestId: Kind<string> = {
  expected: "a string of 1 to 128 bytes",
  accept: (value) => {
    if (typeof value !== "string" || value === "") return undefined;
    return new TextEncoder().encode(value).length <= 128 ? value : undefined;
  },
};

/** A list of handles; the empty list counts as none given. */
export const handles: Kind<readonly string[]> = {
  expected: 'a list of handles, hex strings such as "8A"',
  accept: (value) =>
    isList(value) && value.every(isHandle) ? value.filter((item) => isHandle(item)) : undefined,
};

/** A world window `[minx, miny, maxx, maxy]` with some extent, in drawing units. */
export type WorldWindow = readonly [number, number, number, number];

/** Two corners in any order; what is given out has the smaller ones first. */
export const worldWindow: Kind<WorldWindow> = {
  expected: "a world window [x0, y0, x1, y1] of four finite numbers with some width and height",
  accept: (value) => {
    if (!isList(value) || value.length !== 4) return undefined;
    const [x0, y0, x1, y1] = value;
    if (!isFinite(x0) || !isFinite(y0) || !isFinite(x1) || !isFinite(y1)) return undefined;
    if (x0 === x1 || y0 === y1) return undefined;
    return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
  },
};

const sessionId: Kind<string> = {
  ...nonEmptyString,
  expected: "the session_id of an entry of ocs_sessions, a non-empty string",
};

/** The session argument of every tool but the first. */
export const SESSION_ID = required("ocs_session_id", sessionId, {
  type: "string",
  minLength: 1,
  description: "session_id of an entry of ocs_sessions",
});

/** Names that the tool's schema does not list, as warnings: they are ignored, not refused. */
export function unknownArguments(args: JsonObject, tool: ToolDefinition): readonly string[] {
  const known = tool.inputSchema.properties;
  return Object.keys(args)
    .filter((name) => !isJsonObject(known) || !Object.hasOwn(known, name))
    .map((name) => `unknown argument '${name}' ignored for tool '${tool.name}'`);
}

/** The input schema of a tool with these arguments. */
export function inputSchema(
  declared: readonly { name: string; required: boolean; schema: JsonObject }[],
): JsonObject {
  const needed = declared.filter((argument) => argument.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(declared.map(({ name, schema }) => [name, schema])),
    ...(needed.length > 0 && { required: needed }),
  };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isFinite(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isHandle(value: Json): value is string {
  return typeof value === "string" && /^(0[xX])?[0-9A-Fa-f]+$/.test(value);
}
