import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { testEachProgram } from "../support/bridge_program.ts";
import { startDeskProgram } from "../support/desk_program.ts";
import { arrayIn, objectIn } from "../support/expect.ts";
import { automationDirectory, settled, startProtocolServer } from "../support/protocol_server.ts";
import { Agent, bridgeAt, deskHere, scratch, sessionIn, untilPending } from "./stage.ts";

const VOID = "Handles, revisions and diff baselines of this session are void";

testEachProgram("after a restart the next call says so and names the live one", async (program) => {
  await using home = await scratch();
  const first = await deskHere({ directory: home.path });
  await using bridge = await bridgeAt(program, home.path);
  const agent = new Agent(bridge, first.sessionId);
  const [handle = ""] = await agent.draw([{ type: "Circle", center: [0, 0], radius: 5 }]);
  await agent.capture({ diff: true });
  const { metadata } = await agent.capture({ diff: true });
  assertEquals(objectIn(metadata.diff).is_baseline, false);
  const tile = await agent.capture({ tile: { level: 1, x: 0, y: 0 } });
  await agent.execute({ op: "select", handles: [handle] });

  await first.stop();
  await using second = await deskHere({ directory: home.path });
  const heardBefore = bridge.messages.length;
  const { code, message } = await agent.failure("ocs_read", { op: "entities" });
  assertEquals(code, -32603);
  assertStringIncludes(message, `Session ${first.sessionId} is gone`);
  assertStringIncludes(message, "refused the connection");
  assertStringIncludes(message, VOID);
  assertStringIncludes(message, `Live sessions: ${second.sessionId}`);
  const news = bridge.messages.slice(heardBefore).map((one) => one.method);
  assert(news.includes("notifications/resources/list_changed"), "the list is another one now");

  // It stays gone, whatever is tried on it.
  const request = { op: "entities_delete", request_id: "d-1", handles: [handle] };
  for (const [name, args] of [["ocs_execute", { request }], ["ocs_capture", {}]] as const) {
    const later = await agent.failure(name, args);
    assertEquals(later.code, -32603);
    assertStringIncludes(later.message, `Live sessions: ${second.sessionId}`);
  }
  const gone = await bridge.request("resources/read", { uri: String(tile.metadata.uri) });
  assertEquals(objectIn(gone.error, "the error").code, -32002);
  const list = await bridge.result("resources/list");
  const uris = arrayIn(list.resources, "resources").map((one) => String(objectIn(one).uri));
  assert(uris.includes(`cad://session/${second.sessionId}/viewport.png`));
  assert(!uris.some((uri) => uri.includes(`${first.sessionId}/tile/`)), uris.join("\n"));

  // The new one is a fresh start: nothing of the old one is compared with it or sent to it.
  const next = new Agent(bridge, second.sessionId);
  await next.draw([{ type: "Circle", center: [0, 0], radius: 5 }]);
  const fresh = await next.capture({ diff: true });
  assertEquals(objectIn(fresh.metadata.diff).is_baseline, true);
  assertEquals((await next.execute({ op: "undo" })).status, "completed");
});

testEachProgram(
  "the list of sessions follows editors that come and go",
  async (program) => {
    await using home = await scratch();
    const first = await deskHere({ directory: home.path });
    await using bridge = await bridgeAt(program, home.path);
    const agent = new Agent(bridge, first.sessionId);
    assertEquals(await ids(agent), [first.sessionId]);
    await using second = await deskHere({ directory: home.path });
    assertEquals(await ids(agent), [first.sessionId, second.sessionId].sort());
    await first.stop();
    assertEquals(await ids(agent), [second.sessionId]);
  },
);

testEachProgram(
  "an editor that was killed leaves a descriptor that misleads nobody",
  async (program) => {
    await using home = await scratch();
    await using desk = await startDeskProgram({ program, configDir: home.path });
    await using bridge = await bridgeAt(program, home.path);
    const agent = new Agent(bridge, desk.sessionId);
    await agent.execute({ op: "new" });
    const pick = agent.operation({ op: "getpoint", request_id: "pick" }, { wait_seconds: 600 });
    await bridge.send({
      jsonrpc: "2.0",
      id: "pick",
      method: "tools/call",
      params: { name: "ocs_execute", arguments: pick },
    });
    await untilPending(sessionIn(desk.descriptor), "pick");
    desk.process.kill("SIGKILL");
    await desk.process.exited;

    // The call that waited for a person does not wait for a dead editor.
    const error = objectIn((await bridge.answer("pick")).error, "the error of the pick");
    assertEquals(error.code, -32603);
    assertStringIncludes(String(error.message), `Session ${desk.sessionId} is gone`);
    const { message } = await agent.failure("ocs_read", {});
    assertStringIncludes(message, `No live session in ${desk.automationDir}`);
    assertMatch(message, /Call ocs_sessions/);

    // A bridge that looks at the process table anew clears the file away.
    await using other = await bridgeAt(program, home.path);
    assertEquals(await ids(new Agent(other, "")), []);
    const left = [...Deno.readDirSync(desk.automationDir)].map(({ name }) => name);
    assertEquals(left.filter((name) => name.endsWith(".json")), []);
  },
);

testEachProgram(
  "another session behind the same port is not mistaken for the old",
  async (program) => {
    await using directory = await automationDirectory();
    await using server = await startProtocolServer(directory.path);
    await using bridge = await bridgeAt(program, directory.path.replace(/\/automation$/, ""));
    const agent = new Agent(bridge, server.sessionId);
    assertEquals(await ids(agent), [server.sessionId]);

    const changed: JsonObject = {
      ok: false,
      status: "failed",
      code: "session_changed",
      error: "no",
    };
    server.handle((request) => request.op === "sysvar" ? changed : settled(request));
    const request = { op: "sysvar", request_id: "s-1", get: ["clayer"] };
    const { code, message } = await agent.failure("ocs_execute", { request });
    assertEquals(code, -32603);
    assertStringIncludes(message, `another session answered on port ${server.port}`);
    assertStringIncludes(message, VOID);
    const sent = server.requests.filter(({ op }) => op === "sysvar");
    assertEquals(sent.length, 1, "it was not tried again");
  },
);

async function ids(agent: Agent): Promise<readonly unknown[]> {
  const { result } = await agent.tool("ocs_sessions", { launch_if_none: false });
  return arrayIn(result, "sessions").filter(isJsonObject).map((state) => state.session_id);
}
