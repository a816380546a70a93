/** Keeps answers within what a client takes in one message (mcp-stdio.md section 0, fact 20). */

import type { JsonObject } from "../host/json.ts";

/** SDK clients close the connection over a line of 10 MiB; the rest is left for the envelope. */
export const MESSAGE_LIMIT_BYTES = 10_400_000;

/** Bytes that an answer takes in its message, in which its JSON stands as text and as an object. */
export function messageBytes(json: string): number {
  // Even if every character took three bytes in both places, it is far below: no need to count.
  if (json.length * 6 <= MESSAGE_LIMIT_BYTES) return json.length * 2;
  const encoder = new TextEncoder();
  return encoder.encode(json).length + encoder.encode(JSON.stringify(json)).length;
}

/**
 * What is left of an answer that no message can carry, without its largest members: `omitted` names
 * them with their bytes. What was done is told in any case, whatever its size.
 */
export function cutDown(answer: JsonObject): JsonObject {
  const members = Object.entries(answer);
  const sizes = (members.length > MOST_MEASURED ? [] : members)
    .map(([key, value]) => ({ key, bytes: messageBytes(JSON.stringify({ [key]: value })) }))
    .sort((a, b) => b.bytes - a.bytes);
  const omitted: Record<string, number> = {};
  let rest = answer;
  for (const { key, bytes } of sizes.slice(0, MOST_OMITTED)) {
    const { [key]: _, ...others } = rest;
    rest = others;
    omitted[key.slice(0, 100)] = bytes;
    const kept = { ...rest, omitted, next: NEXT };
    if (messageBytes(JSON.stringify(kept)) <= MESSAGE_LIMIT_BYTES) return kept;
  }
  // An answer of nothing but small members has too many to look at each: only the outcome is left.
  const { ok = null, status = null } = answer;
  return { ok, status: typeof status === "string" ? status.slice(0, 100) : null, next: NEXT };
}

/** So many members are left out one by one, and of so many at most: each look reads them all. */
const MOST_OMITTED = 16;
const MOST_MEASURED = 1_000;

const NEXT =
  "The answer was too large for one message; `omitted` names what was left out and its " +
  "bytes. The operation itself went as said here. Read what you need in parts with ocs_read, with " +
  "limit and offset.";
