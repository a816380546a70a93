/** The worker: everything that a client or an editor can reach happens here, with narrow rights. */

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />

import type { Order } from "./order.ts";
import type { FromWorker, ToWorker } from "./stage.ts";

const stopping = new AbortController();
const go = Promise.withResolvers<void>();

self.addEventListener("message", (event: MessageEvent<ToWorker<Order>>) => {
  const message = event.data;
  switch (message.type) {
    case "order":
      void carryOut(message.order);
      break;
    case "go":
      go.resolve();
      break;
    case "stop":
      stopping.abort(message.signal);
      break;
  }
});
post({ type: "up" });
// Nothing is imported statically, so that "up" comes at once: the main thread gives up its rights
// while what serves is loaded here, which takes about as long.
const serving = import("./serve.ts");

async function carryOut(order: Order): Promise<void> {
  const { signal } = stopping;
  const code = order.command === "serve"
    ? await (await serving).serve(order, go.promise, signal)
    : await go.promise.then(() => import("./one_shot.ts")).then(({ oneShot }) =>
      oneShot(order, signal)
    );
  post({ type: "exit", code });
}

function post(message: FromWorker): void {
  self.postMessage(message);
}
