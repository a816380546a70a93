/** A program that was rebuilt ends after its answers, and no call in flight fails of it (bridge.md 13). */

import { assertEquals } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import {
  BridgeProgram,
  EXECUTABLE,
  type Program,
  ROOT,
  SOURCE,
} from "../support/bridge_program.ts";
import { startDeskProgram } from "../support/desk_program.ts";

/** A copy of the program that a test may change without disturbing the others. */
async function copyOf(program: Program): Promise<{ copy: Program; dir: string } & AsyncDisposable> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "ocs-rebuild-" }));
  if (program.name === "executable") {
    const command = `${dir}/ocs-bridge`;
    await Deno.copyFile(program.command, command);
    return made({ ...program, command });
  }
  for (const name of ["main.ts", "deno.json", "deno.lock"]) {
    await Deno.copyFile(`${ROOT}/${name}`, `${dir}/${name}`);
  }
  await copyTree(`${ROOT}/src`, `${dir}/src`);
  const args = program.args.map((arg) => arg.replace(ROOT, dir));
  return made({ ...program, args });

  function made(copy: Program) {
    return { copy, dir, [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const entry of Deno.readDir(from)) {
    if (entry.isDirectory) await copyTree(`${from}/${entry.name}`, `${to}/${entry.name}`);
    else await Deno.copyFile(`${from}/${entry.name}`, `${to}/${entry.name}`);
  }
}

/** Puts another build in place of the copy: by rename, as a compiler does, or by touching a module. */
async function rebuild(copy: Program, dir: string): Promise<void> {
  if (copy.name === "executable") {
    await Deno.copyFile(EXECUTABLE.command, `${dir}/next`);
    await Deno.rename(`${dir}/next`, copy.command);
  } else {
    await Deno.writeTextFile(`${dir}/src/ops/table.ts`, "\n// Edited.\n", { append: true });
  }
}

/** Many reads in flight at once, some of them answered, some not yet, when the program is rebuilt. */
async function underLoad(program: Program): Promise<void> {
  await using copied = await copyOf(program);
  await using desk = await startDeskProgram({ program: SOURCE });
  await using bridge = BridgeProgram.start({
    program: copied.copy,
    args: ["--config-dir", desk.configDir],
    env: { HOME: desk.configDir, PATH: Deno.env.get("PATH") ?? "" },
  });
  await bridge.initialize();
  const read = (id: number) =>
    bridge.send({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: {
        name: "ocs_read",
        arguments: { ocs_session_id: desk.sessionId, op: "state" },
      },
    });
  const before = 40;
  for (let id = 1; id <= before; id++) await read(id);
  await bridge.answer(1);
  await rebuild(copied.copy, copied.dir);
  // The message that arrives after the change is served as well.
  await read(before + 1);
  assertEquals(await bridge.exitCode(), 0, bridge.stderr);
  for (let id = 1; id <= before + 1; id++) {
    const answer = bridge.messages.find((message) => message["id"] === id);
    assertEquals(answer?.["error"], undefined, `call ${id}: ${JSON.stringify(answer)}`);
    assertEquals(typeof answer?.["result"], "object", `call ${id} was not answered`);
  }
}

Deno.test("a touched source module ends the program with 0, and every call is answered", async () => {
  await underLoad(SOURCE);
});

Deno.test({
  name: "a replaced executable ends with 0, and every call is answered" + whyNot(),
  ignore: EXECUTABLE.missing !== undefined,
  fn: () => underLoad(EXECUTABLE),
});

Deno.test("a pick that was answered with running outlives the rebuild", async () => {
  await using copied = await copyOf(SOURCE);
  await using desk = await startDeskProgram({ program: SOURCE });
  const start = () =>
    BridgeProgram.start({
      program: copied.copy,
      args: ["--config-dir", desk.configDir],
      env: { HOME: desk.configDir, PATH: Deno.env.get("PATH") ?? "" },
    });
  await using before = start();
  await before.initialize();
  const status = async (bridge: BridgeProgram, name: string, args: JsonObject) => {
    const result = await bridge.callTool(name, { ocs_session_id: desk.sessionId, ...args });
    const told = result["structuredContent"];
    return isJsonObject(told) ? told["status"] : result;
  };
  const execute = (request: JsonObject) =>
    status(before, "ocs_execute", { request, wait_seconds: 0 });
  await execute({ op: "new", request_id: "drawing" });
  assertEquals(await execute({ op: "getpoint", request_id: "pick" }), "running");
  await rebuild(copied.copy, copied.dir);
  assertEquals(await before.result("ping"), {});
  assertEquals(await before.exitCode(), 0, before.stderr);

  await using after = start();
  await after.initialize();
  const poll = { op: "operation", parameters: { request_id: "pick" } };
  assertEquals(await status(after, "ocs_read", poll), "running");
});

Deno.test({
  name: "an executable that was moved aside keeps serving" + whyNot(),
  ignore: EXECUTABLE.missing !== undefined,
  async fn() {
    await using copied = await copyOf(EXECUTABLE);
    await using bridge = BridgeProgram.start({
      program: copied.copy,
      env: { HOME: copied.dir },
    });
    await bridge.initialize();
    await Deno.rename(copied.copy.command, `${copied.dir}/aside`);
    // What is loaded only now comes out of the moved file.
    assertEquals(Array.isArray((await bridge.result("tools/list"))["tools"]), true);
    assertEquals(await bridge.result("ping"), {});
    await bridge.closeInput();
    assertEquals(await bridge.exitCode(), 0);
  },
});

function whyNot(): string {
  return EXECUTABLE.missing === undefined ? "" : ` (skipped: ${EXECUTABLE.missing})`;
}
