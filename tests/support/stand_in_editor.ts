/**
 * A program that stands in for a launched editor: writes a descriptor and serves until it is ended.
 *
 * Arguments: the automation directory, a file that gets a line per start, then what the launcher gave.
 */

import { startProtocolServer } from "./protocol_server.ts";

const [directory = "", log = "", ...given] = Deno.args;

await Deno.writeTextFile(log, `${Deno.pid} ${given.join(" ")}\n`, { append: true });
await startProtocolServer(directory, { executable: Deno.execPath() });
// A test that was ended from outside leaves nobody behind for long.
setTimeout(() => Deno.exit(0), 120_000);
