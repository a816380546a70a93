/** Settled or not: what an answer says about its operation, and how waiting is paced (bridge.md 5.1). */

import type { EditorReply, OperationKind } from "./types.ts";

/** The longest wait for a pick, in milliseconds: reaching it dismisses the prompt. */
export const PICK_CEILING_MS = 600_000;

/** The longest wait for anything else, in milliseconds. */
export const WAIT_CEILING_MS = 60_000;

/** The wait when the caller names none, in milliseconds. */
export const DEFAULT_WAIT_MS = 30_000;

/** Pauses between two polls, in milliseconds, and when the short one ends. */
const PACE = { short: 50, long: 250, shortUntil: 2_000 } as const;

const PICKS: ReadonlySet<string> = new Set(["user_select", "getpoint"]);

/** Whether a person answers this operation. */
export function isPick(op: unknown): boolean {
  return typeof op === "string" && PICKS.has(op);
}

/** The wait for an operation within its bounds; undefined means the default. Milliseconds. */
export function clampWaitMs(kind: OperationKind, waitMs: number | undefined): number {
  const ceiling = kind === "pick" ? PICK_CEILING_MS : WAIT_CEILING_MS;
  if (waitMs === undefined || Number.isNaN(waitMs)) return DEFAULT_WAIT_MS;
  return Math.min(Math.max(0, waitMs), ceiling);
}

/** The pause before the next poll, after waiting for `elapsedMs`. */
export function pauseMs(elapsedMs: number): number {
  return elapsedMs < PACE.shortUntil ? PACE.short : PACE.long;
}

/** Whether the operation goes on in the editor. */
export function isPending(reply: EditorReply): boolean {
  return reply.status === "accepted" || reply.status === "running";
}

/** Whether the editor's own queue answered in the operation's place: it tells nothing about it. */
export function isCongested(reply: EditorReply): boolean {
  return reply.ok === false && (reply.code === "response_timeout" || reply.code === "busy") &&
    reply.status === undefined;
}

/** Refused before it began: not in the editor's cache, so its id may be used again. */
export function isRefusal(reply: EditorReply): boolean {
  return reply.ok === false && typeof reply.code === "string" && reply.code !== "response_timeout";
}

/** The answer for an operation that was dismissed (bridge.md 5.2). */
export function cancelledReply(requestId: string): EditorReply {
  return { ok: false, status: "cancelled", request_id: requestId };
}

/** What is being waited for, in a phrase for progress (bridge.md 5.3). */
export function phaseOf(request: EditorReply): string {
  const op = typeof request.op === "string" ? request.op : "operation";
  if (isPick(op)) {
    const { prompt } = request;
    const said = typeof prompt === "string" && prompt.trim() !== "" ? prompt : op;
    return `waiting for the person to pick: ${said}`;
  }
  if (op === "capture") return "taking the picture";
  return op === "save" || op === "save_verified" ? "saving" : op;
}
