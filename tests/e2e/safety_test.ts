import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { runProgram, testEachProgram } from "../support/bridge_program.ts";
import { arrayIn, objectIn, present } from "../support/expect.ts";
import {
  automationDirectory,
  type ProtocolServer,
  startProtocolServer,
} from "../support/protocol_server.ts";
import { Agent, askDirectly, bridgeAt, deskHere, scratch } from "./stage.ts";

const CREATE: JsonObject = {
  op: "entities_create",
  entities: [{ type: "Circle", center: [0, 0], radius: 5 }],
};

/** A request of every operation, taken from the table's own examples. */
async function everyExample(): Promise<readonly JsonObject[]> {
  const { EXECUTE_OPS } = await import("../../src/ops/table.ts");
  return EXECUTE_OPS.map(({ example }) => objectIn(example, "an example"));
}

testEachProgram("read-only: nothing changes, whatever is called", async (program) => {
  await using desk = await deskHere();
  {
    await using bridge = await bridgeAt(program, desk.configDir);
    await new Agent(bridge, desk.sessionId).draw([{ type: "Circle", center: [0, 0], radius: 5 }]);
  }
  const before = await askDirectly(desk, { op: "state" });

  await using bridge = await bridgeAt(program, desk.configDir, ["--read-only"]);
  const agent = new Agent(bridge, desk.sessionId);
  const { tools } = await bridge.result("tools/list");
  const names = arrayIn(tools, "tools").map((tool) => objectIn(tool).name);
  assertEquals(names, ["ocs_sessions", "ocs_read", "ocs_capture"]);
  for (const example of await everyExample()) {
    const text = await agent.refusal("ocs_execute", { request: { ...example, request_id: "r" } });
    assertStringIncludes(text, "read-only");
  }
  assertEquals(await askDirectly(desk, { op: "state" }), before);

  // Looking is all that is left.
  assertEquals((await agent.read("entities")).total, 1);
  assertEquals((await agent.capture()).metadata.width, 1600);
});

testEachProgram("denied operations never reach the editor", async (program) => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  const config = directory.path.replace(/\/automation$/, "");
  const denied = ["--deny-ops", "run,entities_delete,stop"];
  await using bridge = await bridgeAt(program, config, denied);
  const agent = new Agent(bridge, server.sessionId);
  await agent.read("state");
  const heard = server.requests.length;

  for (const example of await everyExample()) {
    if (!["run", "entities_delete", "stop"].includes(String(example.op))) continue;
    const text = await agent.refusal("ocs_execute", { request: { ...example, request_id: "r" } });
    assertStringIncludes(text, String(example.op));
  }
  // Nor as a step among others: none of the batch is run.
  const steps = [CREATE, { op: "entities_delete", handles: ["2A"] }];
  const batch = { op: "batch", request_id: "b", steps };
  const text = await agent.refusal("ocs_execute", { request: batch });
  assertStringIncludes(text, "entities_delete");
  assertEquals(server.requests.length, heard);

  const schema = JSON.stringify((await bridge.result("tools/list")).tools);
  assert(!schema.includes("entities_delete") && schema.includes("entities_create"));
  assertEquals((await agent.execute(CREATE)).status, "completed");
  assertEquals(opsOf(server).slice(heard), ["entities_create"]);
});

testEachProgram("of allowed operations only those are there", async (program) => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  const config = directory.path.replace(/\/automation$/, "");
  const allowed = ["entities_create", "batch"];
  await using bridge = await bridgeAt(program, config, ["--allow-ops", allowed.join()]);
  const agent = new Agent(bridge, server.sessionId);
  await agent.read("state");
  const heard = server.requests.length;
  for (const example of await everyExample()) {
    if (allowed.includes(String(example.op))) continue;
    await agent.refusal("ocs_execute", { request: { ...example, request_id: "r" } });
  }
  const batch = { op: "batch", request_id: "b", steps: [CREATE, { op: "undo" }] };
  assertStringIncludes(await agent.refusal("ocs_execute", { request: batch }), "undo");
  assertEquals(server.requests.length, heard);
  await agent.execute({ op: "batch", steps: [CREATE, CREATE] });
  assertEquals(opsOf(server).slice(heard), ["entities_create", "entities_create"]);
});

testEachProgram("paths stay within the workspace, links followed", async (program) => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  await using place = await scratch();
  const inside = `${place.path}/drawings`;
  const outside = `${place.path}/private`;
  for (const folder of [inside, outside, `${inside}/sub`]) await Deno.mkdir(folder);
  await Deno.writeTextFile(`${outside}/secret.dxf`, "");
  await Deno.symlink(outside, `${inside}/way-out`);
  await Deno.symlink(`${outside}/secret.dxf`, `${inside}/secret.dxf`);
  await Deno.symlink(`${outside}/not-yet.dxf`, `${inside}/dangling.dxf`);
  await Deno.symlink(`${inside}/sub`, `${inside}/stays`);

  const config = directory.path.replace(/\/automation$/, "");
  await using bridge = await bridgeAt(program, config, ["--workspace", inside]);
  const agent = new Agent(bridge, server.sessionId);
  await agent.read("state");
  const heard = server.requests.length;

  const escapes = [
    `${outside}/secret.dxf`,
    `${inside}/../private/secret.dxf`,
    `${inside}/way-out/secret.dxf`,
    `${inside}/way-out/new.dxf`,
    `${inside}/way-out/../new.dxf`,
    `${inside}/secret.dxf`,
    `${inside}/dangling.dxf`,
    `${inside}/missing/../../private/secret.dxf`,
    `${inside}-not/plan.dxf`,
    "drawings/plan.dxf",
    "plan.dxf",
    "~/plan.dxf",
    "file:///etc/passwd",
  ];
  for (const path of escapes) {
    const text = await agent.refusal("ocs_execute", {
      request: { op: "open", request_id: "o", path },
    });
    assertStringIncludes(text, JSON.stringify(path));
    assertStringIncludes(text, `Allowed places: ${inside}`);
  }
  // Each operation that names a file, alone and as a step.
  const bad = `${outside}/x`;
  const withPaths: readonly JsonObject[] = [
    { op: "open", path: `${bad}.dxf` },
    { op: "save", path: `${bad}.dxf` },
    { op: "save_verified", path: `${bad}.dxf` },
    { op: "plot", path: `${bad}.pdf` },
    { op: "wblock", path: `${bad}.dwg`, handles: ["2A"] },
    { op: "wblock", path: `${inside}/a.dwg`, template: `${bad}.dwt`, handles: ["2A"] },
    { op: "embed_image", path: `${bad}.png`, at: [0, 0] },
    { op: "new", template: `${bad}.dwt` },
  ];
  for (const request of withPaths) {
    const single = { request: { ...request, request_id: "p" } };
    assertStringIncludes(await agent.refusal("ocs_execute", single), outside);
    if (request.op === "save_verified") continue;
    const batch = { request: { op: "batch", request_id: "b", steps: [CREATE, request] } };
    assertStringIncludes(await agent.refusal("ocs_execute", batch), outside);
  }
  assertEquals(server.requests.length, heard, "the editor heard nothing of it");

  const fine = ["plan.dxf", "stays/plan.dxf", "sub/../a.dxf", "stays/../a.dxf"];
  for (const path of fine) await agent.execute({ op: "open", path: `${inside}/${path}` });
  assertEquals(opsOf(server).slice(heard), fine.map(() => "open"));
});

testEachProgram("a refused request leaves no event in the desk", async (program) => {
  await using desk = await deskHere();
  await using bridge = await bridgeAt(program, desk.configDir, [
    "--deny-ops",
    "undo",
    "--workspace",
    desk.configDir,
  ]);
  const agent = new Agent(bridge, desk.sessionId);
  await agent.draw([{ type: "Circle", center: [0, 0], radius: 5 }]);
  const before = await askDirectly(desk, { op: "state" });
  const refused: readonly JsonObject[] = [
    { op: "undo", request_id: "r" },
    { op: "save", request_id: "r", path: "/etc/plan.dxf" },
    { op: "entities_create", request_id: "r" },
    { op: "entities_create", request_id: "r", entities: "a circle" },
    { op: "entities_delete", request_id: "r", handles: [7] },
    { op: "no_such_op", request_id: "r" },
    { op: "redo" },
    { op: "redo", request_id: "" },
    { op: "redo", request_id: "x".repeat(129) },
    { op: "batch", request_id: "r", steps: [] },
  ];
  for (const request of refused) await agent.refusal("ocs_execute", { request });
  await agent.refusal("ocs_read", { op: "entities_delete" });
  await agent.refusal("ocs_capture", { max_dimension: 5000 });
  assertEquals(await askDirectly(desk, { op: "state" }), before);
  const { events } = await askDirectly(desk, { op: "events", after: 0 });
  assertEquals(arrayIn(events, "events").length, 2);
});

testEachProgram("the same limits hold for a call from the command line", async (program) => {
  await using desk = await deskHere();
  const request = { ...CREATE, request_id: "c" };
  const args = JSON.stringify({ ocs_session_id: desk.sessionId, request });
  const limits = [["--read-only"], ["--deny-ops", "entities_create"], ["--allow-ops", "undo"]];
  for (const limit of limits) {
    const { code, stdout } = await runProgram({
      program,
      args: ["call", "ocs_execute", args, "--config-dir", desk.configDir, ...limit],
    });
    assertEquals(code, 1, `${limit}: ${stdout}`);
  }
  const state = await askDirectly(desk, { op: "state" });
  assertEquals(state.event_cursor, 0);
});

function opsOf({ requests }: ProtocolServer): readonly string[] {
  return requests.map(({ op }) => String(present(op, "an op")));
}
