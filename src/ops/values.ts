/** Checks values against the table: types, nested shapes, nulls taken out (bridge.md 2.3). */

import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import { ACTION_NAMES } from "./actions.ts";
import { isAbsent, type Param, type ParamType, type ValueSpec } from "./spec.ts";

/** What is wrong with a value. `field` is the way to it, such as `updates[0].path`. */
export type Fault = { readonly kind: "missing"; readonly field: string } | TypeFault;

/** A value that is there, but not what it has to be. */
export interface TypeFault {
  readonly kind: "type";
  readonly field: string;
  /** A phrase that follows "must be". */
  readonly expected: string;
  /** A phrase that follows "but it is"; short whatever was sent. */
  readonly seen: string;
}

/** A checked value as it is forwarded, or the first thing that is wrong. */
export type Checked<T = Json> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

const HANDLE = /^(0[xX])?[0-9A-Fa-f]+$/;

/**
 * The deepest nesting that is forwarded. The editor's JSON reader gives up at 128 levels and then
 * closes without a word, so that deeper requests could never be answered.
 */
const DEEPEST = 127;

/** A check that went well. */
export function fine<T>(value: T): Checked<T> {
  return { ok: true, value };
}

/** A value that is not what it has to be. */
export function mismatch(field: string, expected: string, value: Json | undefined): Checked<never> {
  return { ok: false, fault: { kind: "type", field, expected, seen: seen(value) } };
}

/** Something that has to be there and is not. */
export function missing(field: string): Checked<never> {
  return { ok: false, fault: { kind: "missing", field } };
}

/**
 * Checks the known keys of an object and takes out those that are null. Keys without a row stay
 * and are told to `onUnknown`. Missing keys come before wrong types.
 */
export function checkObject(
  params: readonly Param[],
  input: JsonObject,
  at: string,
  onUnknown: (key: string) => void,
): Checked<JsonObject> {
  const absent = params.find((param) => param.required && isMissing(input[param.name], param, at));
  if (absent !== undefined) return missing(at + absent.name);
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(input)) {
    const param = params.find((candidate) => candidate.name === key);
    if (value === undefined || isMissing(value, param, at)) continue;
    if (param === undefined) {
      onUnknown(key);
      kept.push([key, value]);
      continue;
    }
    const checked = value === null ? fine(value) : checkValue(param, value, at + key, onUnknown);
    if (!checked.ok) return checked;
    kept.push([key, checked.value]);
  }
  // Not by assignment: a key may be called __proto__.
  return fine(Object.fromEntries(kept));
}

/**
 * Null counts as absent. Inside of a list that holds for the keys that are known, but not for a
 * value of any type: there null is data, and dropping it would turn "only if it is null now" into
 * "whatever it is now".
 */
function isMissing(value: Json | undefined, param: Param | undefined, at: string): boolean {
  if (at === "" || value === undefined) return isAbsent(value);
  return value === null && param !== undefined && param.type !== "any";
}

/** Checks one value that is there; `at` is the way to it. */
export function checkValue(
  spec: ValueSpec,
  value: Json,
  at: string,
  onUnknown: (key: string) => void,
): Checked {
  const refuse = () => mismatch(at, expectation(spec), value);
  switch (spec.type) {
    case "any":
      return fine(value);
    case "string":
      return typeof value === "string" ? fine(value) : refuse();
    case "boolean":
      return typeof value === "boolean" ? fine(value) : refuse();
    case "number":
      return isFiniteNumber(value) && inRange(spec, value) ? fine(value) : refuse();
    case "integer":
      return Number.isSafeInteger(value) && inRange(spec, Number(value)) ? fine(value) : refuse();
    case "handle":
      return isHandle(value) ? fine(value) : refuse();
    case "enum":
    case "action_name":
      return spellings(spec).some((known) => known === value) ? fine(value) : refuse();
    case "enum_ci": {
      if (typeof value !== "string") return refuse();
      const folded = value.toLowerCase();
      const listed = spellings(spec).find((known) => known.toLowerCase() === folded);
      if (listed === undefined) return refuse();
      return fine(spec.as_listed ? listed : value);
    }
    case "point":
      if (!isNumbers(value, 2, 3)) return refuse();
      return fine(spec.complete_z && value.length === 2 ? [...value, 0] : value);
    case "window":
      return isNumbers(value, 4, 4) ? fine(value) : refuse();
    case "handles":
      if (!isList(value) || value.length === 0) return refuse();
      return checkItems({ type: "handle" }, value, at, onUnknown);
    case "object":
      return isJsonObject(value) ? fine(value) : refuse();
    case "array":
      if (!isList(value) || !inRange(spec, value.length)) return refuse();
      return spec.item === undefined
        ? checkItems({ type: spec.array_of ?? "any" }, value, at, onUnknown)
        : checkShapes(spec.item, value, at, spec.open_item ? () => {} : onUnknown);
    case "batch_step":
      // Steps are requests of their own: batch.ts looks at them.
      return isJsonObject(value) ? fine(value) : refuse();
  }
}

function checkItems(
  spec: ValueSpec,
  list: readonly Json[],
  at: string,
  onUnknown: (key: string) => void,
): Checked {
  const kept: Json[] = [];
  for (const [index, value] of list.entries()) {
    const checked = checkValue(spec, value, `${at}[${index}]`, onUnknown);
    if (!checked.ok) return checked;
    kept.push(checked.value);
  }
  return fine(kept);
}

function checkShapes(
  item: readonly Param[],
  list: readonly Json[],
  at: string,
  onUnknown: (key: string) => void,
): Checked {
  const kept: Json[] = [];
  for (const [index, value] of list.entries()) {
    const here = `${at}[${index}]`;
    if (!isJsonObject(value)) return mismatch(here, "an object", value);
    // Items of a list are alike: a warning about one stands for all.
    const checked = checkObject(item, value, `${here}.`, (key) => onUnknown(`${at}[].${key}`));
    if (!checked.ok) return checked;
    kept.push(checked.value);
  }
  return fine(kept);
}

/**
 * The first place where a value is not something that arrives as sent: too deep, a number that is
 * not finite (JSON can spell 1e999), half of a surrogate pair. Undefined when there is none.
 */
export function unsendable(value: JsonObject): TypeFault | undefined {
  const bad = findUnsendable(value, 1);
  if (bad === undefined) return undefined;
  const way = bad.way.reverse().join(".").replace(/\.(\d+)(?=\.|$)/g, "[$1]");
  // A deep way to a value would drown the message.
  const field = way.length <= 80 ? way : `${way.slice(0, 77)}...`;
  return { kind: "type", field, expected: bad.expected, seen: seen(bad.value) };
}

/** What was found, with the keys that lead to it, the innermost first. */
interface Unsendable {
  readonly way: string[];
  readonly expected: string;
  readonly value: Json;
}

function findUnsendable(value: Json | undefined, depth: number): Unsendable | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { way: [], expected: "a finite number", value };
  }
  if (typeof value === "string") {
    return value.isWellFormed()
      ? undefined
      : { way: [], expected: "well-formed Unicode", value: value.toWellFormed() };
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > DEEPEST) {
    return { way: [], expected: `nested at most ${DEEPEST} levels deep`, value };
  }
  if (isList(value)) {
    for (let index = 0; index < value.length; index++) {
      const bad = findUnsendable(value[index], depth + 1);
      if (bad !== undefined) return within(String(index), bad);
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) {
      const shown = key.toWellFormed();
      return { way: [shown], expected: "named in well-formed Unicode", value: shown };
    }
    const bad = findUnsendable(value[key], depth + 1);
    if (bad !== undefined) return within(key, bad);
  }
  return undefined;
}

function within(key: string, bad: Unsendable): Unsendable {
  bad.way.push(key);
  return bad;
}

/** The spellings that an enumerated type takes. */
export function spellings(spec: ValueSpec): readonly string[] {
  return spec.type === "action_name" ? ACTION_NAMES : spec.values ?? [];
}

/** What a value has to be, as a phrase that follows "must be". */
export function expectation(spec: ValueSpec): string {
  switch (spec.type) {
    case "array":
      return `${listWord(spec)} ${PLURAL[spec.array_of ?? "any"]}`;
    case "enum":
    case "enum_ci":
    case "action_name":
      return `one of ${spellings(spec).join(", ")}`;
    case "number":
    case "integer":
      return PHRASE[spec.type] + rangeWord(spec);
    default:
      return PHRASE[spec.type];
  }
}

const PHRASE: Readonly<
  Record<Exclude<ParamType, "array" | "enum" | "enum_ci" | "action_name">, string>
> = {
  string: "a string",
  boolean: "true or false",
  number: "a finite number",
  integer: "an integer",
  any: "any JSON value",
  point: "a point [x,y] or [x,y,z] of finite numbers",
  window: "a window [x0,y0,x1,y1] of four finite numbers",
  handle: 'a handle, a hex string such as "4C"',
  handles: 'a non-empty array of handles, hex strings such as "4C"',
  object: "an object",
  batch_step: "an object with op and that op's parameters",
};

const PLURAL: Readonly<Record<ParamType, string>> = {
  string: "strings",
  boolean: "booleans",
  number: "finite numbers",
  integer: "integers",
  any: "values",
  point: "points [x,y] or [x,y,z]",
  window: "windows [x0,y0,x1,y1]",
  handle: 'handles, hex strings such as "4C"',
  handles: "arrays of handles",
  enum: "names",
  enum_ci: "names",
  action_name: "action names",
  array: "arrays",
  object: "objects",
  batch_step: "steps, each an object with op and that op's parameters",
};

function listWord({ min, max }: ValueSpec): string {
  if (min !== undefined && min === max) return `an array of exactly ${min}`;
  if (min !== undefined && max !== undefined) return `an array of ${min} to ${max}`;
  return min === 1 ? "a non-empty array of" : "an array of";
}

function rangeWord({ min, max }: ValueSpec): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  return min === undefined ? "" : `, at least ${min}`;
}

/** What was seen instead, short whatever it is. */
export function seen(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (isList(value)) return listSeen(value);
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  return `the string ${JSON.stringify(value.length <= 40 ? value : `${value.slice(0, 37)}...`)}`;
}

function listSeen(value: readonly Json[]): string {
  const short = value.length > 0 && value.length <= 4 && value.every(isFiniteNumber);
  if (short) return JSON.stringify(value);
  return value.length === 1 ? "an array of 1 item" : `an array of ${value.length} items`;
}

/** Whether a value is a JSON array. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value is a number that JSON can carry. */
export function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Whether a value is an array of finite numbers of a length. */
export function isNumbers(value: Json, min: number, max: number): value is readonly number[] {
  return isList(value) && value.length >= min && value.length <= max &&
    value.every(isFiniteNumber);
}

function isHandle(value: Json): boolean {
  return typeof value === "string" && HANDLE.test(value);
}

function inRange({ min, max }: ValueSpec, size: number): boolean {
  return (min === undefined || size >= min) && (max === undefined || size <= max);
}
