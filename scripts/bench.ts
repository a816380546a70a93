/** `deno task bench startup|call|diff`: measures, and says what was aimed at and what was reached. */

import { refuse } from "./arguments.ts";
import { benchCall } from "./bench_call.ts";
import { benchDiff } from "./bench_diff.ts";
import { benchStartup } from "./bench_startup.ts";

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  startup: benchStartup,
  call: benchCall,
  diff: benchDiff,
};

const [name = "", more] = Deno.args;
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (bench === undefined || more !== undefined) {
  refuse("bench", `one of ${Object.keys(BENCHES).join(", ")}`, Deno.args.join(" "));
}
await bench();
Deno.exit(0);
