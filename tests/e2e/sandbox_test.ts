/** Nothing that a client or an editor can reach holds more rights than the job needs (bridge.md 12). */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { compilerOf, embed } from "../../scripts/compile.ts";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import {
  BridgeProgram,
  EXECUTABLE,
  type Program,
  ROOT,
  runProgram,
  SOURCE,
  testEachProgram,
} from "../support/bridge_program.ts";
import { startDeskProgram } from "../support/desk_program.ts";
import type { Attempts, Outcomes } from "../support/sandbox_attempts.ts";

const LINUX_OR_MAC = Deno.build.os !== "windows";
const ALLOWED = [
  "read inside",
  "write inside",
  "list inside",
  "read own file",
  "connect to 127.0.0.1",
  "run the process lister",
];

/** A directory of its own with an `automation` folder and something outside of it. */
async function ground(): Promise<{ dir: string } & AsyncDisposable> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "ocs-sandbox-" }));
  await Deno.mkdir(`${dir}/automation`, { mode: 0o700 });
  await Deno.mkdir(`${dir}/outside`);
  await Deno.writeTextFile(`${dir}/outside/secret.txt`, "secret");
  await Deno.writeTextFile(`${dir}/automation/note.txt`, "note");
  return { dir, [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
}

const PROBE = "tests/support/sandbox_probe.ts";
const PROBE_WORKER = "tests/support/sandbox_probe_worker.ts";

/** The probe, run as the program is: from source, or compiled with the same flags. */
async function probeProgram(dir: string, program: Program): Promise<Program> {
  if (program.name === "source") {
    const args = ["run", "--quiet", "--allow-all", "--no-prompt", `${ROOT}/${PROBE}`];
    return { ...SOURCE, args };
  }
  const output = `${dir}/probe`;
  const modules = { dir: ROOT, main: PROBE, others: [PROBE_WORKER] };
  await embed(modules, { output, ...await compilerOf(program.command) });
  return { ...program, command: output };
}

async function probe(
  dir: string,
  program: Program,
): Promise<{ worker: Outcomes; main: Outcomes; code: number }> {
  using listener = Deno.listen({ hostname: "0.0.0.0", port: 0 });
  const accepting = (async () => {
    for await (const connection of listener) connection.close();
  })();
  const ownFile = `${ROOT}/deno.json`;
  const attempts: Attempts = {
    inside: `${dir}/automation`,
    outside: `${dir}/outside`,
    port: listener.addr.port,
    lister: "/usr/bin/ps",
    otherProgram: "/bin/sh",
    ownFile,
  };
  const reach = {
    automationDir: attempts.inside,
    own: [ownFile],
    workspaces: [],
    programs: [attempts.lister],
  };
  const { code, stdout, stderr } = await runProgram({
    program: await probeProgram(dir, program),
    args: [JSON.stringify(reach), JSON.stringify(attempts)],
    env: { HOME: dir, PATH: "/usr/bin:/bin" },
  });
  listener.close();
  await accepting;
  const [worker, main] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert(main !== undefined, `The probe printed no outcomes: ${stdout}${stderr}`);
  return { worker: worker.worker, main: main.main, code };
}

testEachProgram(
  "the worker can do its job and nothing else; the main thread nothing at all",
  async (program) => {
    if (!LINUX_OR_MAC) return;
    await using place = await ground();
    const { worker, main, code } = await probe(place.dir, program);
    const names = Object.keys(worker);
    assert(names.length > ALLOWED.length + 20, "most attempts are forbidden ones");
    for (const name of names) {
      const expected = ALLOWED.includes(name) ? "done" : "refused";
      assertEquals(outcome(worker, name, program), expected, `worker: ${name}`);
      assertEquals(outcome(main, name, program), "refused", `main thread: ${name}`);
    }
    assertEquals(code, 3, "the code that the worker posted");
    assertEquals(await Deno.readTextFile(`${place.dir}/outside/secret.txt`), "secret");
    const outside = await Array.fromAsync(Deno.readDir(`${place.dir}/outside`));
    assertEquals(outside.map((entry) => entry.name), ["secret.txt"]);
  },
);

/** How an attempt went; an executable looks for code in itself alone, which refuses it as well. */
function outcome(outcomes: Outcomes, name: string, program: Program): string | undefined {
  const found = outcomes[name];
  const elsewhere = program.name === "executable" && name === "import from the network";
  return elsewhere && found?.includes("Module not found: http:") ? "refused" : found;
}

testEachProgram("doctor shows exactly the rights that the job needs", async (program) => {
  await using place = await ground();
  const { code, stdout } = await runProgram({
    program,
    args: ["doctor", "--json", "--config-dir", place.dir, "--editor", program.command],
    env: { HOME: place.dir },
  });
  assertEquals(code, 0);
  const grants = grantsIn(JSON.parse(stdout));
  const granted = grants
    .filter((grant) => grant["state"] === "granted")
    .map((grant) => `${grant["permission"]} ${grant["scope"]}`);
  const automation = `${place.dir}/automation`;
  const own = program.name === "executable"
    ? [`read ${program.command}`]
    : granted.filter((line) => line.startsWith(`read ${ROOT}/`) || line.endsWith(".wasm"));
  assertEquals(granted, [
    `read ${automation}`,
    ...own,
    `write ${automation}`,
    "net 127.0.0.1",
    `run ${await Deno.realPath(program.command)}`,
    "run /usr/bin/ps",
  ]);
  const whole = grants.filter((grant) => grant["scope"] === undefined);
  assertEquals(whole.length, 8, "each right was also asked for as a whole");
  assertEquals(whole.filter((grant) => grant["state"] === "granted"), []);
});

testEachProgram(
  "a link to a descriptor outside of the directory is not followed",
  async (program) => {
    await using place = await ground();
    await using desk = await startDeskProgram({ program: SOURCE });
    const file = `${desk.sessionId}.json`;
    await Deno.symlink(`${desk.automationDir}/${file}`, `${place.dir}/automation/${file}`);
    const report = await doctorReport(program, place.dir);
    assertEquals(report["sessions"], []);
    assertStringIncludes(JSON.stringify(report["skipped"]), file);
    // The same descriptor as a plain file is a session: it was the link that was refused.
    const plain = await doctorReport(program, desk.configDir);
    assert(Array.isArray(plain["sessions"]) && plain["sessions"].length === 1);
  },
);

testEachProgram("a captures folder that is a link receives no picture", async (program) => {
  await using place = await ground();
  await using desk = await startDeskProgram({ program: SOURCE, configDir: place.dir });
  await Deno.symlink(`${place.dir}/outside`, `${place.dir}/automation/captures`);
  await using bridge = BridgeProgram.start({
    program,
    args: ["--config-dir", place.dir],
    env: { HOME: place.dir },
  });
  await bridge.initialize();
  const answer = await bridge.request("tools/call", {
    name: "ocs_capture",
    arguments: { ocs_session_id: desk.sessionId },
  });
  assertStringIncludes(JSON.stringify(answer["error"]), "is a link");
  const outside = await Array.fromAsync(Deno.readDir(`${place.dir}/outside`));
  assertEquals(outside.map((entry) => entry.name), ["secret.txt"]);
});

testEachProgram("a launch claim that is a link changes nothing outside", async (program) => {
  await using place = await ground();
  const stale = JSON.stringify({ pid: 1, started: 1 });
  await Deno.writeTextFile(`${place.dir}/outside/claim`, stale);
  await Deno.symlink(`${place.dir}/outside/claim`, `${place.dir}/automation/starting.lock`);
  await using bridge = BridgeProgram.start({
    program,
    // Ends at once, so that the launch is over soon.
    args: ["--config-dir", place.dir, "--editor", "/bin/false"],
    env: { HOME: place.dir, DISPLAY: ":0" },
  });
  await bridge.initialize();
  const answer = await bridge.request("tools/call", { name: "ocs_sessions", arguments: {} });
  // The claim was taken over, so the editor was tried: it is the link that was replaced.
  assertStringIncludes(JSON.stringify(answer["error"]), "/bin/false");
  assertEquals(await Deno.readTextFile(`${place.dir}/outside/claim`), stale);
});

function grantsIn(report: unknown): readonly JsonObject[] {
  if (!isJsonObject(report) || !Array.isArray(report["grants"])) {
    throw new Error(`doctor printed no grants: ${JSON.stringify(report)}`);
  }
  return report["grants"].filter(isJsonObject);
}

async function doctorReport(program: Program, configDir: string): Promise<JsonObject> {
  const { stdout } = await runProgram({
    program,
    args: ["doctor", "--json", "--config-dir", configDir],
    env: { HOME: configDir },
  });
  const report: unknown = JSON.parse(stdout);
  if (!isJsonObject(report)) throw new Error(`doctor printed ${stdout}`);
  return report;
}

Deno.test({
  name: "an executable started without rights of its own to ask for cannot be talked into more",
  ignore: EXECUTABLE.missing !== undefined,
  async fn() {
    await using place = await ground();
    // What a person at a terminal could be asked; --no-prompt is baked in, so nothing asks.
    const { code, stderr } = await runProgram({
      program: EXECUTABLE,
      args: ["doctor", "--config-dir", place.dir, "--allow-all", "--allow-net"],
      env: { HOME: place.dir },
    });
    assertEquals(code, 2);
    assertStringIncludes(stderr, 'Unknown option "--allow-all".');
  },
});
