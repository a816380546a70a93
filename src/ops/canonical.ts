/** JSON with one spelling per value, for digests and for telling payloads apart (bridge.md 1). */

import type { Json } from "../host/json.ts";

/**
 * The value as JSON without blanks, keys of objects in the order of their UTF-16 units. Keys whose
 * value is undefined are left out. Raises RangeError when nested some thousand levels deep.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [key, inner] of Object.entries(value).sort(byKey)) {
    if (inner !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(inner)}`);
  }
  return `{${members.join(",")}}`;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
