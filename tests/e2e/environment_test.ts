import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { BridgeProgram, type Program, RunningProgram } from "../support/bridge_program.ts";
import { testEachProgram } from "../support/bridge_program.ts";
import { newDescriptor } from "../support/desk_program.ts";
import { arrayIn, objectIn } from "../support/expect.ts";
import { Agent, scratch } from "./stage.ts";

/** The names that clients built on the official SDKs hand on, on Linux and macOS; no others. */
const HANDED_ON = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"] as const;

/** What a client hands on of the environment of a person whose home is `home`. */
function handedOn(home: string): Record<typeof HANDED_ON[number], string> {
  return {
    HOME: home,
    LOGNAME: "ada",
    PATH: "/usr/local/bin:/usr/bin:/bin",
    SHELL: "/bin/sh",
    TERM: "dumb",
    USER: "ada",
  };
}

testEachProgram(
  "an editor with a directory of its own is found when told where",
  async (program) => {
    await using home = await scratch();
    const xdg = `${home.path}/xdg`;
    const config = `${xdg}/OpenCADStudio`;
    await Deno.mkdir(`${config}/automation`, { recursive: true, mode: 0o700 });
    await using desk = new RunningProgram({
      program,
      args: ["desk"],
      env: { ...handedOn(home.path), XDG_CONFIG_HOME: xdg },
    });
    try {
      const { session_id } = await newDescriptor(`${config}/automation`, new Set(), desk);

      const blind = await sessions(program, handedOn(home.path));
      assertEquals(blind.result, []);
      const looked = `${home.path}/.config/OpenCADStudio/automation`;
      assertStringIncludes(String(blind.next), looked);
      assertStringIncludes(String(blind.next), "--config-dir");

      const ways = [
        [["--config-dir", config], {}],
        [[], { OCS_CONFIG_DIR: config }],
        // The option says it louder.
        [["--config-dir", config], { OCS_CONFIG_DIR: `${home.path}/elsewhere` }],
      ] as const;
      for (const [args, more] of ways) {
        const { result } = await sessions(program, { ...handedOn(home.path), ...more }, args);
        const ids = arrayIn(result, "sessions").map((one) => objectIn(one).session_id);
        assertEquals(ids, [session_id], JSON.stringify([args, more]));
      }
    } finally {
      desk.kill("SIGTERM");
    }
  },
);

testEachProgram(
  "a session that is asked for by id is missed where it was looked for",
  async (program) => {
    await using home = await scratch();
    await using bridge = BridgeProgram.start({ program, env: handedOn(home.path) });
    await bridge.initialize();
    const { code, message } = await new Agent(bridge, "0".repeat(32)).failure("ocs_read", {});
    assertEquals(code, -32603);
    assertStringIncludes(message, `${home.path}/.config/OpenCADStudio/automation`);
  },
);

testEachProgram(
  "without a screen the error of an editor that ends says so first, and what to do",
  async (program) => {
    await using home = await scratch();
    const editor = await script(home.path, "exit 3");
    const launch = (...args: string[]) =>
      launchFailure(program, handedOn(home.path), ["--editor", editor, ...args]);

    const message = await launch();
    assertMatch(message, /^The bridge was started without DISPLAY and WAYLAND_DISPLAY/);
    assertStringIncludes(message, '"env":{"DISPLAY":":0","XDG_RUNTIME_DIR":"/run/user/1000"}');
    assertStringIncludes(message, "exit status 3");
    assertStringIncludes(message, `${editor} --new-instance`);

    for (const screen of ["DISPLAY=:7", "WAYLAND_DISPLAY=wayland-0"]) {
      const seen = await launch("--editor-env", screen);
      assert(!seen.includes("started without DISPLAY"), seen);
      assertStringIncludes(seen, "exit status 3");
    }
  },
);

testEachProgram("the launched editor gets our environment and what was named", async (program) => {
  await using home = await scratch();
  const record = `${home.path}/environment`;
  const editor = await script(home.path, `{ echo "args=$*"; env; } >'${record}'; exit 1`);
  const config = `${home.path}/config`;
  await launchFailure(
    program,
    // The sandbox hands no linker variable of ours on, and starts the editor all the same.
    { ...handedOn(home.path), LD_LIBRARY_PATH: "/nowhere" },
    [
      "--editor",
      editor,
      "--config-dir",
      config,
      "--editor-env",
      "XDG_RUNTIME_DIR=/run/user/1000",
      "--editor-env",
      "NOTE=a = b, c",
      "--editor-env",
      "TERM=xterm",
    ],
  );
  const lines = (await Deno.readTextFile(record)).split("\n");
  const expected = {
    args: "--new-instance",
    ...handedOn(home.path),
    XDG_RUNTIME_DIR: "/run/user/1000",
    NOTE: "a = b, c",
    TERM: "xterm",
    OCS_CONFIG_DIR: config,
  };
  for (const [name, value] of Object.entries(expected)) {
    assert(lines.includes(`${name}=${value}`), `${name}=${value} in\n${lines.join("\n")}`);
  }
  assert(!lines.includes("LD_LIBRARY_PATH=/nowhere"));
});

/** Asks for the sessions in a program of its own. */
async function sessions(
  program: Program,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<JsonObject> {
  await using bridge = BridgeProgram.start({ program, env, args });
  await bridge.initialize();
  return await new Agent(bridge, "").tool("ocs_sessions", { launch_if_none: false });
}

/** The message of a launch that must fail. */
async function launchFailure(
  program: Program,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  await using bridge = BridgeProgram.start({ program, env, args });
  await bridge.initialize();
  const params = { name: "ocs_sessions", arguments: {} };
  const { code, message } = objectIn((await bridge.request("tools/call", params)).error, "error");
  assertEquals(code, -32603);
  return String(message);
}

/** An editor that is a shell script. */
async function script(directory: string, body: string): Promise<string> {
  const path = `${directory}/editor`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}
