import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import {
  BridgeProgram,
  EXECUTABLE,
  type Program,
  testEachProgram,
} from "../support/bridge_program.ts";
import { arrayIn, objectIn } from "../support/expect.ts";
import { Agent, askDirectly, scratch, sessionIn, untilFolder } from "./stage.ts";

/** A configuration directory whose desks are ended with the test, whoever started them. */
interface Ground extends AsyncDisposable {
  readonly configDir: string;
  readonly automationDir: string;
  /** What is there to start as the editor: the program itself, one word. */
  readonly editor: string;
  /** A line for each start of the editor. */
  starts(): Promise<readonly string[]>;
}

async function ground(program: Program): Promise<Ground> {
  const directory = await scratch();
  const automationDir = `${directory.path}/automation`;
  await Deno.mkdir(automationDir, { mode: 0o700 });
  const log = `${directory.path}/starts`;
  await Deno.writeTextFile(log, "");
  const editor = `${directory.path}/editor`;
  // Beside counting, what one executable needs no help for: from source it is several words.
  const words = [program.command, ...program.args].map((word) => `'${word}'`).join(" ");
  const env = Object.entries(program.env).map(([name, value]) => `${name}='${value}'`).join(" ");
  await Deno.writeTextFile(
    editor,
    `#!/bin/sh\necho "$$ $*" >>'${log}'\n${env} exec ${words} "$@"\n`,
    { mode: 0o755 },
  );
  const starts = async () =>
    (await Deno.readTextFile(log)).split("\n").filter((line) => line !== "");
  return {
    configDir: directory.path,
    automationDir,
    editor,
    starts,
    async [Symbol.asyncDispose]() {
      const pids = (await starts()).map((line) => parseInt(line, 10));
      for (const { pid } of await descriptors(automationDir)) pids.push(Number(pid));
      await end(new Set(pids), automationDir);
      await directory[Symbol.asyncDispose]();
    },
  };
}

function bridgeOn(place: Ground, program: Program, editor = place.editor): BridgeProgram {
  return BridgeProgram.start({
    program,
    args: ["--config-dir", place.configDir],
    env: { OCS_EXECUTABLE: editor, PATH: "/usr/bin:/bin", HOME: place.configDir },
  });
}

testEachProgram("a desk is launched, drawn in, and outlives the bridge's kill", async (program) => {
  await using place = await ground(program);
  let sessionId: string;
  {
    await using bridge = bridgeOn(place, program);
    await bridge.initialize();
    sessionId = await launched(bridge);
    const [handle] = await new Agent(bridge, sessionId)
      .draw([{ type: "Line", start: [0, 0], end: [10, 0] }]);
    assertMatch(String(handle), /^[0-9A-F]+$/);
    bridge.kill("SIGKILL");
    await bridge.exited;
  }
  const [descriptor] = await descriptors(place.automationDir);
  const state = await askDirectly(sessionIn(descriptor), { op: "state" });
  assertEquals([state.session_id, state.ok], [sessionId, true]);
  assertEquals((await place.starts()).map((line) => line.replace(/^\d+ /, "")), ["--new-instance"]);

  // The next bridge finds it, with what was drawn, and starts nothing.
  await using next = bridgeOn(place, program);
  await next.initialize();
  assertEquals(await launched(next), sessionId);
  assertEquals((await new Agent(next, sessionId).read("entities")).total, 1);
  assertEquals((await place.starts()).length, 1);
  assertEquals(await names(place.automationDir), [`${sessionId}.json`]);
});

Deno.test({
  name: `the executable itself can be named as the editor${
    EXECUTABLE.missing === undefined ? "" : `, skipped: ${EXECUTABLE.missing}`
  }`,
  ignore: EXECUTABLE.missing !== undefined,
  async fn() {
    await using place = await ground(EXECUTABLE);
    await using bridge = bridgeOn(place, EXECUTABLE, EXECUTABLE.command);
    await bridge.initialize();
    const sessionId = await launched(bridge);
    const [descriptor] = await descriptors(place.automationDir);
    assertEquals(descriptor?.session_id, sessionId);
    assertEquals(descriptor?.executable, EXECUTABLE.command);
  },
});

testEachProgram("several bridges that ask at once launch exactly one editor", async (program) => {
  await using place = await ground(program);
  await using bridges = new AsyncDisposableStack();
  const started = Array.from({ length: 6 }, () => bridges.use(bridgeOn(place, program)));
  await Promise.all(started.map((bridge) => bridge.initialize()));
  const found = await Promise.all(started.map(launched));
  assertEquals(new Set(found).size, 1);
  assertEquals((await place.starts()).length, 1);
  assertEquals((await descriptors(place.automationDir)).length, 1);
});

testEachProgram("without being asked to, nothing is ever launched", async (program) => {
  await using place = await ground(program);
  await using bridge = bridgeOn(place, program);
  await bridge.initialize();
  const agent = new Agent(bridge, "f".repeat(32));
  const { result } = await agent.tool("ocs_sessions", { launch_if_none: false });
  assertEquals(result, []);
  for (const name of ["ocs_read", "ocs_capture"]) {
    assertEquals((await agent.failure(name, {})).code, -32603);
  }
  const request = { op: "new", request_id: "n-1" };
  assertEquals((await agent.failure("ocs_execute", { request })).code, -32603);
  assertEquals((await bridge.result("resources/list")).resources, []);
  const uri = `cad://session/${agent.sessionId}/viewport.png`;
  const answer = await bridge.request("resources/read", { uri });
  assertEquals(objectIn(answer.error, "the error").code, -32002);

  // Nor by a bridge that may only read, however it is asked.
  await using reader = BridgeProgram.start({
    program,
    args: ["--config-dir", place.configDir, "--editor", place.editor, "--read-only"],
  });
  await reader.initialize();
  const found = await new Agent(reader, "").tool("ocs_sessions", { launch_if_none: true });
  assertEquals(found.result, []);
  assertStringIncludes(String(found.next), "read-only");
  assertEquals(await place.starts(), []);
});

testEachProgram("each way that a launch fails is told apart", async (program) => {
  await using place = await ground(program);
  const none = `${place.configDir}/none`;
  const absent = await failed(place, program, none);
  assertStringIncludes(absent, "no editor to start");
  assertStringIncludes(absent, none);
  assertStringIncludes(absent, "'ocs-bridge desk --config-dir ");

  const ends = `${place.configDir}/ends`;
  await Deno.writeTextFile(ends, "#!/bin/sh\nexit 7\n", { mode: 0o755 });
  const early = await failed(place, program, ends);
  assertStringIncludes(early, "ended with exit status 7");
  assertStringIncludes(early, `${ends} --new-instance`);

  const dies = `${place.configDir}/dies`;
  await Deno.writeTextFile(dies, "#!/bin/sh\nkill -ABRT $$\n", { mode: 0o755 });
  assertStringIncludes(await failed(place, program, dies), "signal SIGABRT");

  const odd = `${place.configDir}/odd`;
  await Deno.writeTextFile(odd, "#!/no/such/interpreter\n", { mode: 0o755 });
  assertStringIncludes(await failed(place, program, odd), `Could not start the editor ${odd}`);

  // No failure leaves its claim behind: the next launch does not wait for anybody.
  assertEquals(await names(place.automationDir), []);
  await using bridge = bridgeOn(place, program);
  await bridge.initialize();
  await launched(bridge);
});

testEachProgram("a launch is told as progress, and a cancel ends the waiting", async (program) => {
  await using place = await ground(program);
  const waits = `${place.configDir}/waits`;
  const pids = `${place.configDir}/waiting`;
  await Deno.writeTextFile(waits, `#!/bin/sh\necho $$ >>'${pids}'\nexec sleep 60\n`, {
    mode: 0o755,
  });
  await using bridge = bridgeOn(place, program, waits);
  await bridge.initialize();
  await bridge.send({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "ocs_sessions", arguments: {}, _meta: { progressToken: 0 } },
  });
  try {
    const { params } = await bridge.message(
      "the news that the editor was started",
      (one) => isJsonObject(one.params) && one.params.message === "waiting for its window",
    );
    assertEquals(objectIn(params).progressToken, 0);
    const told = bridge.messages.filter(({ method }) => method === "notifications/progress")
      .map((one) => objectIn(one.params).message);
    assert(told.indexOf("starting the editor") >= 0, `${told}`);
    assert(told.indexOf("starting the editor") < told.indexOf("waiting for its window"), `${told}`);
    assert(await hasClaim(place));
    await bridge.notify("notifications/cancelled", { requestId: 7 });
    // Two answers later the cancelled call would have been through.
    await bridge.callTool("ocs_sessions", { launch_if_none: false });
    await bridge.closeInput();
    assertEquals(await bridge.exitCode(), 0);
    assertEquals(bridge.messages.filter(({ id }) => id === 7), []);
    assertEquals(await hasClaim(place), false, "the claim is given back");
  } finally {
    const started = await Deno.readTextFile(pids).catch(() => "");
    for (const [pid] of started.matchAll(/\d+/g)) Deno.kill(Number(pid), "SIGTERM");
  }
});

async function launched(bridge: BridgeProgram): Promise<string> {
  const { result } = await new Agent(bridge, "").tool("ocs_sessions", {});
  const states = arrayIn(result, "sessions").map((state) => objectIn(state));
  assertEquals(states.length, 1);
  return String(states[0]?.session_id);
}

async function failed(place: Ground, program: Program, editor: string): Promise<string> {
  await using bridge = bridgeOn(place, program, editor);
  await bridge.initialize();
  const { code, message } = await new Agent(bridge, "").failure("ocs_sessions", {});
  assertEquals(code, -32603);
  return message;
}

/** What is in the automation directory, but for the guard of the claim, which stays. */
async function names(directory: string): Promise<readonly string[]> {
  const found = await Array.fromAsync(Deno.readDir(directory), ({ name }) => name);
  return found.filter((name) => name !== "starting.guard").sort();
}

async function hasClaim({ automationDir }: Ground): Promise<boolean> {
  return (await names(automationDir)).includes("starting.lock");
}

async function descriptors(directory: string): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const name of await names(directory)) {
    if (!name.endsWith(".json")) continue;
    try {
      const value: unknown = JSON.parse(await Deno.readTextFile(`${directory}/${name}`));
      if (isJsonObject(value)) found.push(value);
    } catch (error) {
      // A desk that ends removes its own between our two looks.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return found;
}

/** Ends desks that are nobody's children any more, and waits until their descriptors are gone. */
async function end(pids: ReadonlySet<number>, automationDir: string): Promise<void> {
  for (const pid of pids) {
    try {
      Deno.kill(pid, "SIGTERM");
    } catch {
      // It has ended already.
    }
  }
  await untilFolder(automationDir, async () => (await descriptors(automationDir)).length === 0);
}
