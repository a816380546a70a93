import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { BridgeProgram, runProgram, testEachProgram } from "../support/bridge_program.ts";
import { objectIn } from "../support/expect.ts";
import { automationDirectory, startProtocolServer } from "../support/protocol_server.ts";
import {
  Agent,
  askDirectly,
  bridgeAt,
  type DeskHere,
  deskHere,
  scratch,
  untilPending,
} from "./stage.ts";

const HOUR_MS = 3_600_000;

testEachProgram("the end of the input is the end, with 0 and without a word", async (program) => {
  await using home = await scratch();
  const { code, stdout, stderr } = await runProgram({
    program,
    args: ["--config-dir", home.path],
    env: { HOME: home.path },
  });
  assertEquals([code, stdout, stderr], [0, "", ""]);
  // Nor does looking for sessions that are not there leave anything.
  assertEquals([...Deno.readDirSync(home.path)], []);
});

testEachProgram("nothing is said before the client has spoken", async (program) => {
  await using home = await scratch();
  await using bridge = BridgeProgram.start({ program, args: ["--mcp", "--config-dir", home.path] });
  await bridge.request("ping", undefined, "first");
  await bridge.closeInput();
  assertEquals(await bridge.exitCode(), 0);
  assertEquals(bridge.lines, ['{"jsonrpc":"2.0","id":"first","result":{}}']);
});

testEachProgram("a call in flight does not hold up the end of the input", async (program) => {
  await using desk = await deskHere({ slow: new Map([["new", HOUR_MS]]) });
  await using bridge = await bridgeAt(program, desk.configDir);
  await call(bridge, 5, desk, { op: "new", request_id: "slow-new" });
  await untilPending(desk, "slow-new");
  await endsQuietly(bridge, 5);
});

testEachProgram("nor does an editor that never answers", async (program) => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  await using bridge = await bridgeAt(program, directory.path.replace(/\/automation$/, ""));
  await new Agent(bridge, server.sessionId).tool("ocs_sessions", { launch_if_none: false });
  server.handle(() => "hang");
  await call(bridge, 5, server, { op: "new", request_id: "unheard" });
  await server.arrived(1, (request) => request.request_id === "unheard");
  await endsQuietly(bridge, 5);
});

testEachProgram("the end of the input takes an open pick back", async (program) => {
  await using desk = await deskHere();
  await using bridge = await bridgeAt(program, desk.configDir);
  await openPick(bridge, desk);
  await endsQuietly(bridge, 5);
  await assertRetracted(desk);
});

testEachProgram("also one that a call has left open", async (program) => {
  await using desk = await deskHere();
  await using bridge = await bridgeAt(program, desk.configDir);
  const agent = new Agent(bridge, desk.sessionId);
  await agent.execute({ op: "new" });
  const left = await agent.execute({ op: "getpoint", request_id: "pick" }, { wait_seconds: 0 });
  assertEquals(left.status, "running");
  await bridge.closeInput();
  assertEquals(await bridge.exitCode(), 0);
  await assertRetracted(desk);
});

if (Deno.build.os !== "windows") {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    testEachProgram(`${signal} ends with 0 and takes an open pick back`, async (program) => {
      await using desk = await deskHere();
      await using bridge = await bridgeAt(program, desk.configDir);
      await openPick(bridge, desk);
      bridge.kill(signal);
      assertEquals(await bridge.exitCode(), 0);
      assertEquals(bridge.messages.filter(({ id }) => id === 5), []);
      await assertRetracted(desk);
    });
  }
}

testEachProgram("nor is a pick forgotten whose first answer is on the way", async (program) => {
  const ends: readonly ((bridge: BridgeProgram) => unknown)[] = [
    (bridge) => bridge.closeInput(),
    (bridge) => bridge.kill(Deno.build.os === "windows" ? "SIGINT" : "SIGTERM"),
  ];
  for (const end of ends) {
    await using directory = await automationDirectory();
    await using server = await startProtocolServer(directory.path);
    const config = directory.path.replace(/\/automation$/, "");
    await using bridge = await bridgeAt(program, config, ["--log", "info"]);
    await new Agent(bridge, server.sessionId).read("state");
    const accepted = Promise.withResolvers<void>();
    server.handle(async (request) => {
      if (request.op === "getpoint") await accepted.promise;
      return { ok: true, status: "accepted", request_id: request.request_id };
    });
    await call(bridge, 5, server, { op: "getpoint", request_id: "pick" });
    await server.arrived(1, ({ op }) => op === "getpoint");
    await end(bridge);
    await bridge.until(
      "its farewell",
      () => bridge.stderr.includes("Serving ended") ? true : undefined,
    );
    accepted.resolve();
    assertEquals(await bridge.exitCode(), 0);
    assertEquals(server.requests.at(-1)?.op, "cancel");
  }
});

testEachProgram("a client that no longer reads is the end, with 0", async (program) => {
  await using desk = await deskHere();
  const child = new Deno.Command(program.command, {
    args: [...program.args, "--config-dir", desk.configDir],
    clearEnv: true,
    env: { ...program.env },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  const send = (message: JsonObject) =>
    input.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  const output = child.stdout.getReader();
  await send({ id: 1, method: "ping" });
  await output.read();
  await output.cancel();
  // Its answer meets a closed pipe. The input stays open all the while.
  await send({ id: 2, method: "ping" });
  assertEquals((await child.status).code, 0);
  await input.close().catch(() => {
    // The pipe broke with the program's end.
  });
});

const MIB = 1024 * 1024;

testEachProgram("a line of 8 MiB is read and answered", async (program) => {
  await using desk = await deskHere();
  await using bridge = await bridgeAt(program, desk.configDir);
  const long = "x".repeat(8 * MIB);
  assertEquals(await bridge.result("ping", { _meta: { note: long } }), {});
  // What the editor cannot take is refused before it is sent.
  const text = { type: "Text", value: long, position: [0, 0] };
  const agent = new Agent(bridge, desk.sessionId);
  const request = { op: "entities_create", request_id: "long", entities: [text] };
  assertStringIncludes(await agent.refusal("ocs_execute", { request }), "1048576");
  assertEquals(await bridge.result("ping"), {});
});

testEachProgram("a line above the cap is refused and the next one is answered", async (program) => {
  await using home = await scratch();
  await using bridge = await bridgeAt(program, home.path);
  const before = bridge.messages.length;
  await bridge.write('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"note":"');
  const block = new TextEncoder().encode("x".repeat(8 * MIB));
  for (let written = 0; written < 64; written += 8) await bridge.write(block);
  await bridge.write('"}}\n');
  assertEquals(await bridge.result("ping", undefined, 2), {});
  const [refused, answer, ...more] = bridge.messages.slice(before);
  const { code, message } = objectIn(refused?.error, "the refusal");
  assertEquals([code, "id" in objectIn(refused)], [-32600, false]);
  assertStringIncludes(String(message), "67108864 bytes");
  assertEquals([answer?.id, more], [2, []]);
});

testEachProgram("what stands on the last line without a newline is no message", async (program) => {
  await using home = await scratch();
  await using bridge = await bridgeAt(program, home.path);
  const before = bridge.lines.length;
  await bridge.write('{"jsonrpc":"2.0","id":9,"method":"ping"}');
  await bridge.closeInput();
  assertEquals(await bridge.exitCode(), 0);
  assertEquals(bridge.lines.length, before);
});

/** Sends a call and does not wait for it. */
function call(
  bridge: BridgeProgram,
  id: number,
  { sessionId }: { readonly sessionId: string },
  request: JsonObject,
): Promise<void> {
  const args = { ocs_session_id: sessionId, request };
  const params = { name: "ocs_execute", arguments: args };
  return bridge.send({ jsonrpc: "2.0", id, method: "tools/call", params });
}

async function openPick(bridge: BridgeProgram, desk: DeskHere): Promise<void> {
  await new Agent(bridge, desk.sessionId).execute({ op: "new" });
  await call(bridge, 5, desk, { op: "getpoint", request_id: "pick", prompt: "Where?" });
  await untilPending(desk, "pick");
}

async function endsQuietly(bridge: BridgeProgram, inFlight: number): Promise<void> {
  await bridge.closeInput();
  assertEquals(await bridge.exitCode(), 0);
  assertEquals(bridge.messages.filter(({ id }) => id === inFlight), []);
}

/** The editor is free again, and says of the pick that it was cancelled. */
async function assertRetracted(desk: DeskHere): Promise<void> {
  const state = await askDirectly(desk, { op: "state" });
  assertEquals(state.operation, null);
  const pick = await askDirectly(desk, { op: "operation", request_id: "pick" });
  assertEquals([pick.status, pick.result], ["cancelled", { cancelled: true }]);
  assert(Number(state.event_cursor) >= 2);
}
