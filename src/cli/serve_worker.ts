/** The worker: everything that a client or an editor can reach happens here, with narrow rights. */

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />

import type { Order } from "./order.ts";
import type { FromWorker, ToWorker } from "./stage.ts";

const stopping = new AbortController();

self.addEventListener("message", (event: MessageEvent<ToWorker<Order>>) => {
  const message = event.data;
  if (message.type === "stop") stopping.abort(message.signal);
  else void carryOut(message.order);
});
post({ type: "up" });
// Nothing is imported statically, so that "up" comes at once: the main thread gives up its rights
// while what serves is loaded here, which takes about as long.
const serving = import("./serve.ts");

async function carryOut(order: Order): Promise<void> {
  const code = order.command === "serve"
    ? await (await serving).serve(order, stopping.signal)
    : await (await import("./one_shot.ts")).oneShot(order, stopping.signal);
  post({ type: "exit", code });
}

function post(message: FromWorker): void {
  self.postMessage(message);
}
