/** Having the editor draw one picture, and taking it out of the captures folder (bridge.md 7.1). */

import type { EditorSession, Waiting } from "../editor/types.ts";
import { ToolError } from "../host/faults.ts";
import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import type { CaptureFile, CaptureFolder } from "./capture_file.ts";
import { hasFailed, isPending } from "./results.ts";

/** How long a capture is waited for, in ms. */
export const CAPTURE_WAIT_MS = 30_000;

/** A picture as the editor drew it. */
export interface Shot {
  readonly png: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the PNG, hex. */
  readonly hash: string;
  /** What the editor reported, without the path. */
  readonly reported: JsonObject;
}

/** How asking for a picture ended. */
export type ShotOutcome =
  | { readonly kind: "taken"; readonly shot: Shot }
  /** The editor's own failure. */
  | { readonly kind: "refused"; readonly reply: JsonObject }
  /** Still drawing when the wait was over; the file waits for `develop` or `drop`. */
  | { readonly kind: "drawing"; readonly requestId: string; readonly later: LateShot };

/** A picture that the editor still owes. */
export interface LateShot {
  /** The picture, from the settled answer; raises ToolError when there is none. */
  develop(reply: JsonObject): Promise<ShotOutcome>;
  /** Nobody wants it any more: what the editor still draws has no place to go. */
  drop(): void;
}

/** The arguments of the editor's op `capture`, without `op`, `path` and `request_id`. */
export type ShotRequest = JsonObject;

/**
 * Asks for one picture. Its file is gone when this returns or rejects, except while it is still
 * being drawn. Rejects like `EditorSession.execute`.
 */
export async function takeShot(
  session: EditorSession,
  folder: CaptureFolder,
  request: ShotRequest,
  requestId: string,
  waiting: Waiting,
): Promise<ShotOutcome> {
  const file = await folder.reserve();
  let reply: JsonObject;
  try {
    waiting.phase("taking the picture");
    reply = await session.execute(
      { ...request, op: "capture", request_id: requestId, path: file.path },
      { kind: "capture", waitMs: CAPTURE_WAIT_MS },
      waiting,
    );
  } catch (error) {
    // Cancelled or broken off: what the editor still draws must find no place any more.
    await file.remove();
    throw error;
  }
  if (!isPending(reply)) return await developed(reply, file);
  return {
    kind: "drawing",
    requestId,
    later: { develop: (settled) => developed(settled, file), drop: () => void file.remove() },
  };
}

async function developed(reply: JsonObject, file: CaptureFile): Promise<ShotOutcome> {
  try {
    if (hasFailed(reply)) return { kind: "refused", reply };
    if (reply.status === "cancelled" || !isJsonObject(reply.result)) {
      throw new ToolError(
        `The capture ended without a picture (status ${JSON.stringify(reply.status)}). ` +
          "Call ocs_capture again.",
      );
    }
    const { path: _, ...reported } = reply.result;
    const png = await file.read();
    return { kind: "taken", shot: { png, hash: await sha256(png), reported } };
  } finally {
    await file.remove();
  }
}

/** SHA-256 as lower-case hex. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).toHex();
}

/** A list of exactly `count` finite numbers, or undefined. */
export function numbers(value: Json | undefined, count: number): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length !== count) return undefined;
  const finite = value.filter((item) => typeof item === "number" && Number.isFinite(item));
  return finite.length === count ? finite : undefined;
}
