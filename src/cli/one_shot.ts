/** The commands that ask an editor something and end: sessions, call and doctor. */

import { doctor } from "./doctor.ts";
import { openBridge } from "./bridge.ts";
import { call } from "./call.ts";
import { identityOf } from "./identity.ts";
import type { Order } from "./order.ts";
import { writeError } from "./output.ts";
import { sessions } from "./sessions.ts";

/** Carries out the order; resolves to the exit code. */
export async function oneShot(order: Order, signal: AbortSignal): Promise<number> {
  const bridge = await openBridge(order, await identityOf(order.build));
  try {
    switch (order.command) {
      case "sessions":
        return await sessions(bridge, order, signal);
      case "call":
        return await call(bridge, order, signal);
      case "doctor":
        return await doctor(bridge, order, signal);
      case "serve":
        return 1;
    }
  } catch (error) {
    if (signal.aborted) return 0;
    writeError(`ocs-bridge: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await bridge.face.close("retract");
  }
}
