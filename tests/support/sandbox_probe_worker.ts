/** The worker of the probe: tries everything and prints how each attempt went. */

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />

import type { FromWorker, ToWorker } from "../../src/cli/stage.ts";
import { attemptAll, type Attempts } from "./sandbox_attempts.ts";

let attempts: Attempts | undefined;

self.addEventListener("message", async (event: MessageEvent<ToWorker<Attempts>>) => {
  if (event.data.type === "order") attempts = event.data.order;
  if (event.data.type !== "go" || attempts === undefined) return;
  const outcomes = { worker: await attemptAll(attempts) };
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(outcomes)}\n`));
  self.postMessage({ type: "exit", code: 3 } satisfies FromWorker);
});
self.postMessage({ type: "up" } satisfies FromWorker);
