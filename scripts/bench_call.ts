/**
 * What the bridge adds to a call: `ocs_read state` through the program, in pairs with the raw
 * exchange it stands for, one TCP connection to the same desk.
 */

import { isJsonObject } from "../src/host/json.ts";
import { BridgeProgram, EXECUTABLE, SOURCE } from "../tests/support/bridge_program.ts";
import { startDeskProgram } from "../tests/support/desk_program.ts";
import { median } from "./median.ts";
import { print } from "./print.ts";

const CALLS = 400;
const WARM_UP = 50;
const AIM_MS = 0.3;

/** Prints the medians of both and of their differences, pair by pair. */
export async function benchCall(): Promise<void> {
  const program = EXECUTABLE.missing === undefined ? EXECUTABLE : SOURCE;
  await using desk = await startDeskProgram({ program });
  await using bridge = BridgeProgram.start({ program, args: ["--config-dir", desk.configDir] });
  await bridge.initialize();
  const { port, token } = desk.descriptor;
  const request = new TextEncoder().encode(
    `${JSON.stringify({ token, op: "state", protocol: 1, session_id: desk.sessionId })}\n`,
  );
  const raw = () => exchange(Number(port), request);
  const through = async () => {
    const result = await bridge.callTool("ocs_read", { ocs_session_id: desk.sessionId });
    if (result.isError === true) throw new Error(JSON.stringify(result));
  };
  const rawTimes: number[] = [];
  const throughTimes: number[] = [];
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    const pair = [await timed(raw), await timed(through)] as const;
    if (call < WARM_UP) continue;
    rawTimes.push(pair[0]);
    throughTimes.push(pair[1]);
  }
  const added = median(throughTimes.map((time, index) => time - (rawTimes[index] ?? NaN)));
  print(`${CALLS} pairs, the program run as ${program.name}:`);
  print(`  raw exchange      ${median(rawTimes).toFixed(3)} ms at the median`);
  print(`  ocs_read state    ${median(throughTimes).toFixed(3)} ms at the median`);
  print(
    `  the bridge adds   ${added.toFixed(3)} ms at the median of the pairs; ` +
      `aim ${AIM_MS} ms, ${added <= AIM_MS ? "reached" : "NOT reached"}.`,
  );
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function exchange(port: number, request: Uint8Array): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  for (let sent = 0; sent < request.length;) {
    sent += await connection.write(request.subarray(sent));
  }
  const buffer = new Uint8Array(65_536);
  let text = "";
  const decoder = new TextDecoder();
  for (let count = await connection.read(buffer); count !== null;) {
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
    count = await connection.read(buffer);
  }
  const answer: unknown = JSON.parse(text);
  if (!isJsonObject(answer) || answer.ok !== true) throw new Error(text.slice(0, 500));
}
