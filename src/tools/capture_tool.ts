/** `ocs_capture`: a picture of the drawing and what it shows (bridge.md 7). */

import { ToolError } from "../host/faults.ts";
import type { EditorSession } from "../editor/types.ts";
import type { ToolDefinition, ToolResult } from "../mcp/face.ts";
import { unknownArguments } from "./arguments.ts";
import { CAPTURE, captureSchema, type CaptureWish, captureWish } from "./capture_arguments.ts";
import type { LatePhoto, Photo, PhotoOutcome } from "./cameras.ts";
import { deliver } from "./delivery.ts";
import { failed, succeeded, withWarnings } from "./results.ts";
import { CAPTURE_WAIT_MS } from "./shot.ts";
import type { Continuation } from "./tasks.ts";
import { type Handled, isLive, type Tool, waitingOf, type Workshop } from "./tool.ts";

/** Makes the tool. */
export function captureTool(): Tool {
  const definition: ToolDefinition = {
    name: CAPTURE,
    title: "Look at the drawing",
    description:
      "Takes a picture of the view and says where its pixels lie in the drawing and which " +
      "entities it shows. view, bounds and focus_handles move the editor's view first. " +
      "diff:true tells what changed since the last diff capture. For a large drawing ask for " +
      "pyramid_manifest, then for single tiles.",
    inputSchema: captureSchema(),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  return {
    definition,
    async handle(args, call, workshop) {
      const wish = captureWish(args);
      const warnings = unknownArguments(args, definition);
      const waiting = waitingOf(call);
      const session = await workshop.editor.session(wish.sessionId, waiting);
      const outcome = await workshop.cameras.photograph(session, wish, waiting);
      return outcome.kind === "drawing"
        ? goesOn(outcome, session, wish, warnings, workshop)
        : result(outcome, wish, warnings);
    },
  };
}

type Ended = Exclude<PhotoOutcome, { kind: "drawing" }>;

function result(outcome: Ended, wish: CaptureWish, warnings: readonly string[]): ToolResult {
  return outcome.kind === "refused"
    ? failed(outcome.reply, "No picture was taken: call ocs_capture again.")
    : described(outcome.photo, wish, warnings);
}

function described(photo: Photo, wish: CaptureWish, warnings: readonly string[]): ToolResult {
  const { blocks, notes } = deliver(photo.shown, wish.delivery);
  return succeeded(withWarnings({ ...photo.metadata, ...notes }, warnings), blocks);
}

/** The editor did not draw in time. As a task it is waited for; else the picture is given up. */
function goesOn(
  outcome: { readonly requestId: string; readonly later: LatePhoto },
  session: EditorSession,
  wish: CaptureWish,
  warnings: readonly string[],
  workshop: Workshop,
): Handled {
  const { requestId, later } = outcome;
  const continuation: Continuation = {
    message: "taking the picture",
    poll: (waiting) => session.poll(requestId, waiting),
    finish: async (reply) => {
      const ended = await later.develop(reply);
      if (ended.kind === "drawing") throw new ToolError(TOO_SLOW);
      return result(ended, wish, warnings);
    },
    alive: () => isLive(workshop, session.sessionId),
    dismiss: async () => {
      later.drop();
      await session.dismiss(requestId);
    },
    forget: () => later.drop(),
  };
  return {
    goesOn: continuation,
    answer: () => {
      later.drop();
      throw new ToolError(TOO_SLOW);
    },
  };
}

const TOO_SLOW = `The editor drew no picture within ${CAPTURE_WAIT_MS / 1000} s. Its window may ` +
  "be hidden or busy: ask the person to bring it to the front, then call ocs_capture again.";
