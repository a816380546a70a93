/** `ocs-bridge sessions`: the live editor sessions. */

import { deskByHand } from "../editor/launch_faults.ts";
import type { LiveSession, SkippedDescriptor } from "../editor/types.ts";
import type { Bridge } from "./bridge.ts";
import type { Order } from "./order.ts";
import { directoryState } from "./directory_state.ts";
import { writeOut } from "./output.ts";

/** Looks once and prints what is live; starts nothing. */
export async function sessions(
  bridge: Bridge,
  order: Order,
  signal: AbortSignal,
): Promise<number> {
  const { directory, live, skipped } = await bridge.editor.discover(signal);
  if (order.options.json) {
    writeOut(`${JSON.stringify({ directory, sessions: live })}\n`);
  } else if (live.length === 0) {
    const lines = order.places.automationDir === undefined ? [`No live session: ${directory}.`] : [
      `No live session in ${directory} ${directoryState(directory, true)}.`,
      ...skipped.map(skippedLine),
      `Start the editor, or run '${deskByHand({ directory, os: Deno.build.os })}' elsewhere.`,
    ];
    writeOut(`${lines.join("\n")}\n`);
  } else {
    writeOut(live.map((session) => `${sessionLine(session)}\n`).join(""));
  }
  return 0;
}

/** One descriptor that was not used, and why, on one line. */
export function skippedLine({ file, reason }: SkippedDescriptor): string {
  return `skipped ${file}: ${reason}`;
}

/** One session on one line. */
export function sessionLine({ sessionId, pid, port, executable }: LiveSession): string {
  const process = pid === undefined ? "" : `, process ${pid}`;
  return `${sessionId}  127.0.0.1:${port}${process}${executable ? `, ${executable}` : ""}`;
}
