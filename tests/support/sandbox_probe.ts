/** A program in two stages like the real one, whose worker and main thread try what is forbidden. */

import { grantsFor, type Reach } from "../../src/host/sandbox.ts";
import { silentLog } from "../../src/host/log.ts";
import { runStaged } from "../../src/cli/stage.ts";
import { attemptAll, type Attempts } from "./sandbox_attempts.ts";

const [reachText = "{}", attemptsText = "{}"] = Deno.args;
const reach: Reach = JSON.parse(reachText);
const attempts: Attempts = JSON.parse(attemptsText);
const code = await runStaged<Attempts>({
  module: new URL("./sandbox_probe_worker.ts", import.meta.url),
  grants: grantsFor(reach),
  order: Promise.resolve(attempts),
  log: silentLog,
});
// The worker has ended; this thread is in the state in which the real one waits for signals.
Deno.stdout.writeSync(
  new TextEncoder().encode(`${JSON.stringify({ main: await attemptAll(attempts) })}\n`),
);
Deno.exit(code);
