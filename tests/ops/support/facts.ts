/** The facts under tests/testdata, read as what they are. */

import { isJsonObject, type Json, type JsonObject } from "../../../src/host/json.ts";

/** Reads a JSON object of tests/testdata. */
export function readFacts(file: string): JsonObject {
  const value: unknown = JSON.parse(
    Deno.readTextFileSync(new URL(`../../testdata/${file}`, import.meta.url)),
  );
  return object(value);
}

/** The value as an object; raises when it is none. */
export function object(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new TypeError("The facts should hold an object here");
  return value;
}

/** The value as a list; raises when it is none. */
export function list(value: unknown): readonly Json[] {
  if (!Array.isArray(value)) throw new TypeError("The facts should hold a list here");
  return value;
}

/** The value as a list of strings; raises when it is none. */
export function words(value: unknown): readonly string[] {
  return list(value).map((word) => {
    if (typeof word !== "string") throw new TypeError("The facts should hold a string here");
    return word;
  });
}
