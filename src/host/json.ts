/** JSON as typed values: what crosses both protocols of the bridge. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. A key whose value is `undefined` is not sent. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** Whether a parsed JSON value is an object (neither an array nor null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
