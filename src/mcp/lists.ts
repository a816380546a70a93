/** List results and how long they stay fresh (bridge.md section 8, mcp-stdio.md 3.3, 3.6, 3.8). */

import type { JsonObject } from "../host/json.ts";
import type { ResourceContents, ResourceEntry, ServerFace } from "./face.ts";
import { ErrorCode, ProtocolFault } from "./faults.ts";
import type { Request } from "./message.ts";

/** One hour in milliseconds: what does not change while the process lives. */
export const HOUR_MS = 3_600_000;

/** One minute in milliseconds: what the drawing changes. */
export const MINUTE_MS = 60_000;

/** The two freshness members, sent in both eras: older clients ignore them. */
export function freshFor(ttlMs: number, cacheScope: "public" | "private"): JsonObject {
  return { ttlMs, cacheScope };
}

/** Answers `tools/list`. Nothing is paged, so any cursor is one we never gave out. */
export function listTools(face: ServerFace, request: Request): JsonObject {
  refuseCursor(request);
  return { tools: face.tools.map((tool) => ({ ...tool })), ...freshFor(HOUR_MS, "public") };
}

/** Answers `resources/templates/list`. */
export function listResourceTemplates(face: ServerFace, request: Request): JsonObject {
  refuseCursor(request);
  return {
    resourceTemplates: face.resourceTemplates.map((template) => ({ ...template })),
    ...freshFor(MINUTE_MS, "public"),
  };
}

/** The result of `resources/list`, in the order given. */
export function resourceList(entries: readonly ResourceEntry[]): JsonObject {
  return { resources: entries.map((entry) => ({ ...entry })), ...freshFor(MINUTE_MS, "public") };
}

/** The result of `resources/read`: a picture of somebody's drawing is theirs. */
export function resourceContents(contents: readonly ResourceContents[]): JsonObject {
  return { contents, ...freshFor(MINUTE_MS, "private") };
}

/** Raises ProtocolFault -32602 for a cursor; null counts as absent. */
export function refuseCursor(request: Request): void {
  const cursor = request.params.cursor ?? undefined;
  if (cursor === undefined) return;
  throw new ProtocolFault(
    ErrorCode.invalidParams,
    `Invalid params: ${request.method} has one page and never gave out a cursor; leave it out.`,
  );
}
