/**
 * What the bridge adds to a call: `ocs_read state` through the program, in pairs with the raw
 * exchange it stands for, one TCP connection to the same desk.
 */

import { isJsonObject } from "../src/host/json.ts";
import { EXECUTABLE, SOURCE } from "../tests/support/bridge_program.ts";
import { startDeskProgram } from "../tests/support/desk_program.ts";
import { LineClient } from "./line_client.ts";
import { median } from "./median.ts";
import { print } from "./print.ts";

const CALLS = 400;
const WARM_UP = 50;
const AIM_MS = 0.3;

/** Prints the medians of both and of their differences, pair by pair. */
export async function benchCall(): Promise<void> {
  const program = EXECUTABLE.missing === undefined ? EXECUTABLE : SOURCE;
  await using desk = await startDeskProgram({ program });
  const args = [...program.args, "--config-dir", desk.configDir];
  await using bridge = new LineClient(program.command, args, program.env);
  await bridge.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  await bridge.notify("notifications/initialized");
  const { port, token } = desk.descriptor;
  const request = new TextEncoder().encode(
    `${JSON.stringify({ token, op: "state", protocol: 1, session_id: desk.sessionId })}\n`,
  );
  const call = { name: "ocs_read", arguments: { ocs_session_id: desk.sessionId } };
  const ping = async () => void await bridge.request("ping", {});
  const raw = () => exchange(Number(port), request);
  const through = async () => {
    const { result } = await bridge.request("tools/call", call);
    if (!isJsonObject(result) || result.isError === true) throw new Error(JSON.stringify(result));
  };
  const rawTimes: number[] = [];
  const throughTimes: number[] = [];
  const pingTimes: number[] = [];
  for (let turn = 0; turn < WARM_UP + CALLS; turn++) {
    const round = [await timed(raw), await timed(through), await timed(ping)] as const;
    if (turn < WARM_UP) continue;
    rawTimes.push(round[0]);
    throughTimes.push(round[1]);
    pingTimes.push(round[2]);
  }
  const added = median(throughTimes.map((time, index) => time - (rawTimes[index] ?? NaN)));
  print(`${CALLS} pairs, the program run as ${program.name}:`);
  print(`  raw exchange      ${median(rawTimes).toFixed(3)} ms at the median`);
  print(`  ocs_read state    ${median(throughTimes).toFixed(3)} ms at the median`);
  print(`  ping              ${median(pingTimes).toFixed(3)} ms: the two pipes alone`);
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
