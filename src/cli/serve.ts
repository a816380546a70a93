/** Serves one client on stdin and stdout until it is done (bridge.md 1, 5.4, 13). */

import type { OpenPicks } from "../editor/types.ts";
import { createLog } from "../host/log.ts";
import { watchFiles } from "../host/rebuild.ts";
import { serveConnection } from "../mcp/connection.ts";
import { greetingOf } from "../tools/greeting.ts";
import { doorstep } from "./doorstep.ts";
import { identityOf } from "./identity.ts";
import { lateFace } from "./late_face.ts";
import type { Order } from "./order.ts";
import { policyOf } from "./policy.ts";

/**
 * Nothing is read before `go` resolves. Resolves to the exit code, with everything flushed. Ends
 * with the client's input, when the program was rebuilt, or when `signal` is aborted; in every case a
 * launch claim is released, within about a second. Open picks are retracted, except after a rebuild:
 * then the client is still there, was told to poll, and goes on with the next build.
 */
export async function serve(
  order: Order,
  go: Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  // Before anything else: a build that replaces this one from now on is seen.
  const watch = watchFiles(order.places.watched);
  const log = createLog(order.options.log);
  const identity = await identityOf(order.build);
  const { face, list, open } = lateFace(greetingOf(identity), {
    async list() {
      const { listingOf } = await import("../tools/tool_list.ts");
      return listingOf(policyOf(order), order.options.schema);
    },
    async open(listing) {
      const { openBridge } = await import("./bridge.ts");
      return (await openBridge(order, identity, listing)).face;
    },
  });
  let closing: Promise<void> | undefined;
  const close = (picks: OpenPicks) => closing ??= face.close(picks);
  // Closing begins with the signal, so that the connection's last words take no time from it; but a
  // turn later, so that the connection is sealed by then: a call that is retracted gets no answer.
  signal.addEventListener("abort", () => setTimeout(close, 0, "retract"), { once: true });
  await go;
  const end = await serveConnection(face, {
    reader: doorstep(Deno.stdin, { list, open }),
    writer: Deno.stdout,
    log,
    stale: () => watch.stale(),
    signal,
  });
  log.info(`Serving ended: ${signal.aborted ? signal.reason : end}.`);
  await close(end === "rebuilt" ? "keep" : "retract");
  return 0;
}
