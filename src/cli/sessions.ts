/** `ocs-bridge sessions`: the live editor sessions. */

import type { LiveSession } from "../editor/types.ts";
import type { Bridge } from "./bridge.ts";
import type { Order } from "./order.ts";
import { writeOut } from "./output.ts";

/** Looks once and prints what is live; starts nothing. */
export async function sessions(
  bridge: Bridge,
  order: Order,
  signal: AbortSignal,
): Promise<number> {
  const { directory, live } = await bridge.editor.discover(signal);
  if (order.options.json) {
    writeOut(`${JSON.stringify({ directory, sessions: live })}\n`);
  } else if (live.length === 0) {
    const known = order.places.automationDir !== undefined;
    writeOut(
      known
        ? `No live session in ${directory}. Start the editor, or run 'ocs-bridge desk' in another ` +
          "terminal; 'ocs-bridge doctor' says what was skipped and why.\n"
        : `No live session: ${directory}.\n`,
    );
  } else {
    writeOut(live.map((session) => `${sessionLine(session)}\n`).join(""));
  }
  return 0;
}

/** One session on one line. */
export function sessionLine({ sessionId, pid, port, executable }: LiveSession): string {
  const process = pid === undefined ? "" : `, process ${pid}`;
  return `${sessionId}  127.0.0.1:${port}${process}${executable ? `, ${executable}` : ""}`;
}
