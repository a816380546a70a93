/** Whether two JSON values say the same: what decides if a request was sent before. */

import { isJsonObject, type Json } from "../host/json.ts";

/** Structural equality; the order of keys does not matter, an `undefined` value is no key. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  const others = Object.keys(b).filter((key) => b[key] !== undefined);
  return keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}
