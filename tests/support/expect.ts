/** Assertions that also tell the type checker what they found. */

import { AssertionError } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";

/** The value as a JSON object, or a failure that shows it. */
export function objectIn(value: unknown, what = "the value"): JsonObject {
  if (isJsonObject(value)) return value;
  throw new AssertionError(`Expected ${what} to be an object, got ${shown(value)}`);
}

/** The value as an array, or a failure that shows it. */
export function arrayIn(value: unknown, what = "the value"): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new AssertionError(`Expected ${what} to be an array, got ${shown(value)}`);
}

/** The value, which must not be missing. */
export function present<T>(value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  throw new AssertionError(`Expected ${what}, got nothing`);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 2_000);
}
