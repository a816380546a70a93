/** `deno task bench startup|call|diff`: measures, and says what was aimed at and what was reached. */

import { benchCall } from "./bench_call.ts";
import { benchDiff } from "./bench_diff.ts";
import { benchStartup } from "./bench_startup.ts";
import { print } from "./print.ts";

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  startup: benchStartup,
  call: benchCall,
  diff: benchDiff,
};

const name = Deno.args[0] ?? "";
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (bench === undefined) {
  print(`Name one bench: ${Object.keys(BENCHES).join(", ")}.`);
  Deno.exit(2);
}
await bench();
Deno.exit(0);
