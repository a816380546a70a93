/** The program as a person or a client meets it: exit codes, help, signals, the two builds alike. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { isJsonObject } from "../../src/host/json.ts";
import { COMMANDS } from "../../src/cli/options.ts";
import {
  BridgeProgram,
  EXECUTABLE,
  type Program,
  RunningProgram,
  runProgram,
  SOURCE,
  testEachProgram,
} from "../support/bridge_program.ts";
import { startDeskProgram } from "../support/desk_program.ts";
import { arrayIn, objectIn } from "../support/expect.ts";
import { askDirectly, modern, sessionIn } from "./stage.ts";

async function home(): Promise<{ dir: string; env: Record<string, string> } & AsyncDisposable> {
  const dir = await Deno.makeTempDir({ prefix: "ocs-home-" });
  return {
    dir,
    env: { HOME: dir, PATH: Deno.env.get("PATH") ?? "" },
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

testEachProgram("what was misspelt is a usage error on stderr alone", async (program) => {
  for (
    const [line, said] of [
      ["sesions", 'Did you mean "sessions"?'],
      ["--confg-dir=/x", "Did you mean --config-dir?"],
      ["doctor --log loud", "--log is one of"],
      ["desk --config-dir /nowhere --slow new", "--slow: 'new' is not OP=MILLISECONDS"],
      ["desk --config-dir /nowhere --freeze nwe=5", "--freeze: 'nwe=5' names no operation"],
      ["desk --config-dir /nowhere --window big", "--window: 'big' is not WIDTHxHEIGHT"],
      ["desk --config-dir /nowhere --person /nowhere", "person file /nowhere"],
    ] as const
  ) {
    const { code, stdout, stderr } = await runProgram({ program, args: line.split(" ") });
    assertEquals(code, 2, line);
    assertEquals(stdout, "", line);
    assertStringIncludes(stderr, said);
    assertEquals(stderr.trimEnd().split("\n").length, 1, stderr);
  }
});

testEachProgram("help is on stdout, for the program and each command", async (program) => {
  const whole = await runProgram({ program, args: ["help"] });
  assertEquals(whole.code, 0);
  for (const { name } of COMMANDS) assertStringIncludes(whole.stdout, `\n  ${name} `);
  const desk = await runProgram({ program, args: ["desk", "--help"] });
  assertEquals(desk.code, 0);
  assertStringIncludes(desk.stdout, "--person FILE");
  const json = await runProgram({ program, args: ["help", "--json"] });
  assert(isJsonObject(JSON.parse(json.stdout)));
});

testEachProgram("without a home each command names the way out", async (program) => {
  if (Deno.build.os === "windows") return;
  for (
    const [line, code] of [
      ["desk", 1],
      ["sessions", 0],
      ["doctor", 0],
      ["call ocs_sessions", 1],
      ["call ocs_sessions --read-only", 0],
    ] as const
  ) {
    const env = { PATH: "/usr/bin:/bin" };
    const outcome = await runProgram({ program, args: line.split(" "), env });
    assertEquals(outcome.code, code, `${line}: ${outcome.stderr}`);
    const said = outcome.stdout + outcome.stderr;
    assertStringIncludes(said, "HOME is not set", line);
    assertEquals(said.split("name one with --config-dir").length, 2, said);
  }
});

testEachProgram("sessions says why there is none in the directory it was told", async (program) => {
  await using at = await home();
  await Deno.writeTextFile(`${at.dir}/file`, "");
  await Deno.mkdir(`${at.dir}/config/automation`, { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(`${at.dir}/config/automation/broken.json`, "{", { mode: 0o600 });
  for (
    const [name, said] of [
      [
        "nowhere",
        /^No live session in .*automation \(is not there yet\)\.\nStart the editor, or run 'ocs-bridge desk --config-dir .+' elsewhere\.\n$/,
      ],
      [
        "config",
        /automation \(.+\)\.\nskipped broken\.json: .+\nStart the editor, or run 'ocs-bridge desk --config-dir .+' elsewhere\.\n$/,
      ],
      [
        "file",
        /^No live session in .*automation \(.+\)\.\nskipped .*Cannot read the directory: .+\nStart the editor, or run 'ocs-bridge desk --config-dir .+' elsewhere\.\n$/,
      ],
    ] as const
  ) {
    if (name === "file" && Deno.build.os === "windows") continue;
    const args = ["sessions", "--config-dir", `${at.dir}/${name}`];
    const { code, stdout } = await runProgram({ program, args, env: at.env });
    assertEquals(code, 0);
    assertMatch(stdout, said);
  }
});

testEachProgram("one-shot commands say one JSON value with --json", async (program) => {
  await using at = await home();
  for (const command of ["sessions", "doctor", "schema", "version"]) {
    const { code, stdout, stderr } = await runProgram({
      program,
      args: [command, "--json"],
      env: at.env,
    });
    assertEquals(code, 0, `${command}: ${stderr}`);
    assert(isJsonObject(JSON.parse(stdout)), command);
    assertEquals(stdout.split("\n").length, 2, `${command} prints one line`);
  }
});

testEachProgram("the desk's own tools are those that schema prints", async (program) => {
  await using desk = await startDeskProgram({ program });
  const reply = await askDirectly(sessionIn(desk.descriptor), { op: "tools" });
  const { stdout } = await runProgram({ program, args: ["schema", "--json"] });
  assertEquals([reply.ok, reply.status], [true, "completed"]);
  assertEquals({ tools: reply.tools }, JSON.parse(stdout));
  assertStringIncludes(String(reply.instructions), "Call ocs_sessions first.");
});

testEachProgram("call prints a tool's answer and fails when the tool does", async (program) => {
  await using desk = await startDeskProgram({ program });
  const call = (...words: string[]) =>
    runProgram({
      program,
      args: ["call", ...words, "--config-dir", desk.configDir],
      env: { HOME: desk.configDir },
    });
  const session = { ocs_session_id: desk.sessionId };
  const state = await call("ocs_read", JSON.stringify({ ...session, op: "state" }));
  assertEquals(state.code, 0, state.stderr);
  assertEquals(JSON.parse(state.stdout)["session_id"], desk.sessionId);
  const wrong = await call("ocs_read", JSON.stringify({ ...session, op: "save" }));
  assertEquals(wrong.code, 1);
  assertStringIncludes(wrong.stdout + wrong.stderr, "ocs_execute");
  const gone = await call("ocs_read", '{"ocs_session_id":"other"}');
  assertEquals([gone.code, gone.stdout], [1, ""]);
  assertStringIncludes(gone.stderr, desk.sessionId);
  assertEquals((await call("ocs_raed", "{}")).code, 1);
  assertEquals((await call("ocs_read", "[1]")).code, 2);
});

testEachProgram("the end of input ends it with 0, also while a call waits", async (program) => {
  await using at = await home();
  await using idle = BridgeProgram.start({ program, env: at.env });
  await idle.closeInput();
  assertEquals(await idle.exitCode(), 0);

  await using desk = await startDeskProgram({ program });
  await using busy = BridgeProgram.start({
    program,
    args: ["--config-dir", desk.configDir],
    env: at.env,
  });
  await busy.initialize();
  const session = { ocs_session_id: desk.sessionId };
  await busy.callTool("ocs_execute", { ...session, request: { op: "new", request_id: "n" } });
  await busy.send({
    jsonrpc: "2.0",
    id: "pick",
    method: "tools/call",
    params: {
      name: "ocs_execute",
      arguments: {
        ...session,
        wait_seconds: 600,
        request: { op: "getpoint", request_id: "p", prompt: "Where?" },
      },
    },
  });
  await commandIs(busy, desk.sessionId, true);
  await busy.closeInput();
  assertEquals(await busy.exitCode(), 0, busy.stderr);

  // The pick was retracted on the way out: a new bridge finds no prompt open.
  await using next = BridgeProgram.start({
    program,
    args: ["--config-dir", desk.configDir],
    env: at.env,
  });
  await next.initialize();
  await commandIs(next, desk.sessionId, false);
});

/** Reads the state until an operation is pending, or is not. */
async function commandIs(bridge: BridgeProgram, session: string, pending: boolean): Promise<void> {
  while (true) {
    const { structuredContent } = await bridge.callTool("ocs_read", {
      ocs_session_id: session,
      op: "state",
    });
    if (!isJsonObject(structuredContent)) throw new Error("state has no structured content");
    const { operation } = structuredContent;
    if ((operation !== null && operation !== undefined) === pending) return;
  }
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  testEachProgram(`${signal} ends it with 0`, async (program) => {
    if (Deno.build.os === "windows") return;
    await using at = await home();
    await using bridge = BridgeProgram.start({ program, env: at.env });
    await bridge.initialize();
    bridge.kill(signal);
    assertEquals(await bridge.exitCode(), 0, bridge.stderr);
  });
}

testEachProgram("a desk leaves no descriptor behind when it is told to end", async (program) => {
  await using at = await home();
  const desk = await startDeskProgram({ program, configDir: at.dir });
  await using _ended = desk;
  desk.process.kill("SIGTERM");
  assertEquals(await desk.process.exitCode(), 0);
  const left = await Array.fromAsync(Deno.readDir(desk.automationDir));
  assertEquals(left.filter((entry) => entry.name.endsWith(".json")), []);
});

testEachProgram(
  "without any variable it still shakes hands and says what is missing",
  async (program) => {
    await using bridge = BridgeProgram.start({ program });
    const result = await bridge.initialize();
    assertEquals(result["protocolVersion"], "2025-06-18");
    const answer = await bridge.request("tools/call", {
      name: "ocs_sessions",
      arguments: {},
    });
    assertStringIncludes(
      JSON.stringify(answer["error"]),
      "HOME is not set; name one with --config-dir",
    );
  },
);

testEachProgram("without a directory that can be read everything is answered", async (program) => {
  await using at = await home();
  await Deno.writeTextFile(`${at.dir}/file`, "not a folder");
  await Deno.mkdir(`${at.dir}/shut/automation`, { recursive: true });
  const posix = Deno.build.os !== "windows";
  if (posix) await Deno.chmod(`${at.dir}/shut/automation`, 0);
  for (const configDir of ["file", "missing", "shut"]) {
    await using bridge = BridgeProgram.start({
      program,
      args: ["--config-dir", `${at.dir}/${configDir}`],
      env: at.env,
    });
    await bridge.initialize();
    for (const era of [{}, modern()]) {
      assertEquals(arrayIn((await bridge.result("tools/list", era)).tools, "tools").length, 4);
      assertEquals((await bridge.result("resources/list", era)).resources, []);
      const { resourceTemplates } = await bridge.result("resources/templates/list", era);
      assertEquals(arrayIn(resourceTemplates, "resourceTemplates").length, 2);
      for (const path of ["viewport.png", "state.json", "tile/0/0/0.png"]) {
        const uri = `cad://session/${"0".repeat(32)}/${path}`;
        const { error } = await bridge.request("resources/read", { uri, ...era });
        const { code, data } = objectIn(error, "the error");
        assertEquals([code, data], ["_meta" in era ? -32602 : -32002, { uri }]);
      }
    }
    assertEquals(bridge.stderr, "");
  }
  if (posix) await Deno.chmod(`${at.dir}/shut/automation`, 0o700);
  // Looking makes nothing.
  await assertRejects(() => Deno.stat(`${at.dir}/missing`), Deno.errors.NotFound);
});

testEachProgram(
  "ocs_sessions starts the named editor, which lives on without the bridge",
  async (program) => {
    await using at = await home();
    await using editor = await editorProgram(program, at.dir);
    await using bridge = BridgeProgram.start({
      program,
      args: ["--config-dir", at.dir, "--editor-env", "OCS_LOG=info"],
      env: { ...at.env, OCS_EXECUTABLE: editor.path, DISPLAY: ":0" },
    });
    await bridge.initialize();
    const { structuredContent } = await bridge.callTool("ocs_sessions", {});
    const [session] = isJsonObject(structuredContent) && Array.isArray(structuredContent["result"])
      ? structuredContent["result"]
      : [];
    assert(isJsonObject(session), JSON.stringify(structuredContent));
    const [file = "no descriptor"] = await descriptors(at.dir);
    assert(file !== undefined);
    const descriptor = JSON.parse(await Deno.readTextFile(file));
    try {
      bridge.kill("SIGKILL");
      await bridge.exitCode();
      const { stdout } = await runProgram({
        program,
        args: ["sessions", "--json", "--config-dir", at.dir],
        env: at.env,
      });
      const { sessions } = JSON.parse(stdout);
      assertEquals(sessions.map((one: { sessionId: string }) => one.sessionId), [
        session["session_id"],
      ]);
    } finally {
      Deno.kill(descriptor.pid, "SIGTERM");
    }
  },
);

/** What can be started as an editor: the executable itself, or a script that runs the source. */
async function editorProgram(
  program: Program,
  dir: string,
): Promise<{ path: string } & AsyncDisposable> {
  if (program.name === "executable") {
    return { path: program.command, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const path = `${dir}/editor.sh`;
  const words = [program.command, ...program.args].map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(path, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return { path, [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function descriptors(configDir: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(`${configDir}/automation`));
  return entries.filter(({ name }) => name.endsWith(".json"))
    .map(({ name }) => `${configDir}/automation/${name}`);
}

Deno.test({
  name:
    "the handshakes of source and executable are equal byte for byte but for the build profile" +
    (EXECUTABLE.missing === undefined ? "" : ` (skipped: ${EXECUTABLE.missing})`),
  ignore: EXECUTABLE.missing !== undefined,
  async fn() {
    const source = await handshake(SOURCE);
    const executable = await handshake(EXECUTABLE);
    assertMatch(source.join("\n"), /"build_profile":"dev"/);
    assertMatch(executable.join("\n"), /"build_profile":"release"/);
    assertEquals(
      source.map((line) => line.replace('"build_profile":"dev"', '"build_profile":"release"')),
      executable.map(withRevisionOf(source)),
    );
  },
});

/** The lines that a client gets in the handshakes of both eras and the lists after them. */
async function handshake(program: Program): Promise<readonly string[]> {
  await using at = await home();
  await using bridge = BridgeProgram.start({ program, env: at.env });
  await bridge.initialize("2025-11-25");
  await bridge.result("tools/list");
  await bridge.result("resources/list");
  await bridge.result("resources/templates/list");
  await bridge.request("server/discover", {
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
  });
  return [...bridge.lines];
}

/**
 * The executable carries the revision of the tree as it was when it was made. Files that are not
 * part of the program may have changed since then, so the revision alone is taken over.
 */
function withRevisionOf(source: readonly string[]): (line: string) => string {
  const revision = /"build_rev":"[^"]*"/.exec(source.join("\n"))?.[0] ?? "no revision";
  return (line) => line.replace(/"build_rev":"[^"]*"/, revision);
}

Deno.test("what runs from source says which revision it is", async () => {
  const { stdout } = await runProgram({
    args: ["version"],
    env: { PATH: Deno.env.get("PATH") ?? "" },
  });
  assertMatch(stdout, /^ocs-bridge \d+\.\d+\.\d+ \(([0-9a-f]{7,}(-dirty)?|unknown), dev\)\n$/);
});

Deno.test("nobody is told to start a client when stdin is a pipe", async () => {
  await using program = new RunningProgram({});
  await program.closeInput();
  assertEquals(await program.exitCode(), 0);
  assertEquals(program.stderr, "");
});
