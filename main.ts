/** The program's entry: runs the command line and sets the exit code. */

import { run } from "./src/cli/run.ts";

Deno.exit(await run(Deno.args));
