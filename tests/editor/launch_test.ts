import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { LOCK_NAME } from "../../src/editor/starting_lock.ts";
import { InfrastructureError } from "../../src/host/faults.ts";
import type { ExitStatus, StartProcess } from "../../src/host/processes.ts";
import { drive, sideOver, watched } from "../support/editor_calls.ts";
import { FakeClock } from "../support/fake_clock.ts";
import {
  automationDirectory,
  startProtocolServer,
  writeDescriptor,
} from "../support/protocol_server.ts";

const unix = Deno.build.os !== "windows";
const editor = { command: "/opt/my editor/OpenCADStudio", found: "--editor" };
const aliveOnly = () => Promise.resolve(new Set([Deno.pid]));

async function locked(directory: string): Promise<boolean> {
  return await Deno.lstat(`${directory}/${LOCK_NAME}`).then(() => true, () => false);
}

/** A start that launches nothing; `exit` ends the process that is not there. */
function pretendStart(then: () => void = () => {}) {
  const ended = Promise.withResolvers<ExitStatus>();
  const calls: { command: string; args: readonly string[]; environment: object }[] = [];
  const start: StartProcess = (command, args, environment) => {
    calls.push({ command, args, environment });
    then();
    return { pid: 1, ended: ended.promise };
  };
  return { start, calls, exit: ended.resolve };
}

Deno.test("an editor is started with --new-instance and its session answered", async () => {
  await using directory = await automationDirectory();
  await using stack = new AsyncDisposableStack();
  const { start, calls } = pretendStart(async () => {
    stack.use(await startProtocolServer(directory.path, { sessionId: "fresh" }));
  });
  const waiting = watched();
  const side = sideOver(directory.path, {
    editor,
    startProcess: start,
    editorEnv: { GDK_SCALE: "2" },
  });
  const { live } = await side.sessions(true, waiting);
  assertEquals(live.map(({ sessionId }) => sessionId), ["fresh"]);
  assertEquals(calls, [{
    command: editor.command,
    args: ["--new-instance"],
    environment: { GDK_SCALE: "2" },
  }]);
  assertEquals([...new Set(waiting.phases)], ["starting the editor"]);
  assertEquals(await locked(directory.path), false);
});

Deno.test("a live session is answered without starting anything", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  const { start, calls } = pretendStart();
  const side = sideOver(directory.path, { editor, startProcess: start });
  const { live } = await side.sessions(true, watched());
  assertEquals(live.map(({ sessionId }) => sessionId), [server.sessionId]);
  assertEquals(calls, []);
});

Deno.test("without launch_if_none nothing is started and nothing is an answer", async () => {
  await using directory = await automationDirectory();
  const { start, calls } = pretendStart();
  const side = sideOver(directory.path, { editor, startProcess: start });
  assertEquals((await side.sessions(false, watched())).live, []);
  assertEquals(calls, []);
  assertEquals(await locked(directory.path), false);
});

Deno.test("nothing to start names the directory, every place tried, and the desk", async () => {
  await using directory = await automationDirectory();
  const side = sideOver(directory.path, { editorPlaces: ["--editor (not given)", "/opt/ocs"] });
  const error = await assertRejects(() => side.sessions(true, watched()), InfrastructureError);
  assert(error.message.includes(directory.path));
  assertMatch(error.message, /--editor \(not given\); \/opt\/ocs/);
  assertMatch(error.message, /'ocs-bridge desk --config-dir [^']+'/);
});

Deno.test("an early exit says the status and the command line, and gives the claim back", async () => {
  await using directory = await automationDirectory();
  const { start, exit } = pretendStart(() => exit({ code: 3, signal: null }));
  const side = sideOver(directory.path, {
    editor,
    startProcess: start,
    environment: { DISPLAY: ":0" },
  });
  const error = await assertRejects(() => side.sessions(true, watched()), InfrastructureError);
  assertMatch(error.message, /^The editor .* ended with exit status 3 before a session appeared/);
  assert(error.message.includes('"/opt/my editor/OpenCADStudio" --new-instance'));
  assertEquals(await locked(directory.path), false);
});

Deno.test("without a screen on Linux the early exit says that first, with the env block", async () => {
  await using directory = await automationDirectory();
  const failing = (more: object) => {
    const { start, exit } = pretendStart(() => exit({ code: 139, signal: "SIGSEGV" }));
    const side = sideOver(directory.path, { editor, startProcess: start, ...more });
    return assertRejects(() => side.sessions(true, watched()), InfrastructureError);
  };
  const filtered = {
    HOME: "/home/a",
    LOGNAME: "a",
    PATH: "/bin",
    SHELL: "sh",
    TERM: "x",
    USER: "a",
  };
  const bare = await failing({ os: "linux", environment: filtered });
  assertMatch(bare.message, /^The bridge was started without DISPLAY and WAYLAND_DISPLAY/);
  assertMatch(bare.message, /"env":\{"DISPLAY":":0"/);
  assertMatch(bare.message, /signal SIGSEGV/);
  for (
    const enough of [
      { os: "linux", environment: { WAYLAND_DISPLAY: "wayland-0" } },
      { os: "linux", environment: {}, editorEnv: { DISPLAY: ":1" } },
      { os: "darwin", environment: {} },
    ]
  ) {
    assertMatch((await failing(enough)).message, /^The editor/);
  }
});

Deno.test("an editor that cannot be started is told in our own words", async () => {
  await using directory = await automationDirectory();
  for (
    const [thrown, words] of [
      [new Deno.errors.NotFound("os error 2"), /it does not exist/],
      [new Deno.errors.PermissionDenied("os error 13"), /the system does not permit it/],
      [new Deno.errors.NotCapable("run again with --allow-run"), /the sandbox grants only/],
    ] as const
  ) {
    const side = sideOver(directory.path, {
      editor,
      environment: { DISPLAY: ":0" },
      startProcess: () => {
        throw thrown;
      },
    });
    const error = await assertRejects(() => side.sessions(true, watched()), InfrastructureError);
    assertMatch(error.message, words);
    assert(!/--allow|os error/.test(error.message));
    assertEquals(await locked(directory.path), false);
  }
});

Deno.test("after 30 s the editor is still starting, the claim is free, and no second one is started", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock();
  const { start, calls } = pretendStart();
  const side = sideOver(directory.path, {
    editor,
    startProcess: start,
    clock,
    listProcesses: aliveOnly,
  });
  const began = clock.now();
  for (let call = 0; call < 2; call++) {
    const waiting = watched();
    const launching = side.sessions(true, waiting);
    const error = await assertRejects(
      () => drive(clock, launching, 200),
      InfrastructureError,
      "Call ocs_sessions again",
    );
    assertEquals(
      [...new Set(waiting.phases)],
      [...(call === 0 ? ["starting the editor"] : []), "waiting for its window"],
    );
    assert(error.message.includes(directory.path));
    assertEquals(await locked(directory.path), false);
  }
  assert(clock.now() - began >= 60_000);
  assertEquals(calls.length, 1);
});

Deno.test("the processes from before a launch condemn no editor that it started", async () => {
  await using directory = await automationDirectory();
  const pids = { launched: Deno.pid + 1, dead: Deno.pid + 2 };
  // A pid to judge makes the look before the launch take its snapshot.
  await writeDescriptor(directory.path, {
    session_id: "dead",
    pid: pids.dead,
    port: 9,
    token: "t",
  });
  await using server = await startProtocolServer(directory.path, { pid: pids.launched });
  // Its clock is an hour slow: nothing but a new snapshot says that it lives.
  const hourAgo = new Date(Date.now() - 3_600_000);
  await Deno.utime(server.descriptor, hourAgo, hourAgo);
  await Deno.rename(server.descriptor, `${server.descriptor}.later`);
  const alive = new Set([Deno.pid]);
  const { start, calls } = pretendStart(() => {
    alive.add(pids.launched);
    Deno.renameSync(`${server.descriptor}.later`, server.descriptor);
  });
  const side = sideOver(directory.path, {
    editor,
    startProcess: start,
    listProcesses: () => Promise.resolve(new Set(alive)),
  });
  const { live } = await side.sessions(true, watched());
  assertEquals(live.map(({ sessionId }) => sessionId), [server.sessionId]);
  assertEquals(calls.length, 1);
});

Deno.test("a cancelled launch gives the claim back", async () => {
  await using directory = await automationDirectory();
  const waiting = watched();
  const { start } = pretendStart(() => queueMicrotask(() => waiting.abort(new Error("enough"))));
  const side = sideOver(directory.path, { editor, startProcess: start });
  await assertRejects(() => side.sessions(true, waiting), Error, "enough");
  assertEquals(await locked(directory.path), false);
});

Deno.test("closing gives back a claim that is held", async () => {
  await using directory = await automationDirectory();
  const begun = Promise.withResolvers<void>();
  const { start } = pretendStart(begun.resolve);
  const waiting = watched();
  const side = sideOver(directory.path, { editor, startProcess: start });
  const launching = side.sessions(true, waiting);
  launching.catch(() => {});
  await begun.promise;
  assert(await locked(directory.path));
  await side.close("retract");
  assertEquals(await locked(directory.path), false);
  waiting.abort();
  await assertRejects(() => launching);
});

Deno.test("while someone else is starting an editor, theirs is waited for", async () => {
  await using directory = await automationDirectory();
  const claim = { pid: Deno.pid, started: Math.floor(Date.now() / 1000) };
  await Deno.writeTextFile(`${directory.path}/${LOCK_NAME}`, JSON.stringify(claim));
  const { start, calls } = pretendStart();
  const side = sideOver(directory.path, { editor, startProcess: start });
  const told = Promise.withResolvers<void>();
  const launching = side.sessions(true, {
    signal: new AbortController().signal,
    phase(message) {
      if (/another client/.test(message)) told.resolve();
    },
  });
  await told.promise;
  await using server = await startProtocolServer(directory.path);
  assertEquals((await launching).live.map(({ sessionId }) => sessionId), [server.sessionId]);
  assertEquals(calls, []);
  assert(await locked(directory.path));
});

/** An executable that runs the stand-in editor with its arguments in front. */
async function standInExecutable(directory: string): Promise<{ command: string; log: string }> {
  const command = `${directory}/../editor.sh`;
  const log = `${directory}/../starts.log`;
  const program = new URL("../support/stand_in_editor.ts", import.meta.url).pathname;
  const script =
    `#!/bin/sh\nexec "${Deno.execPath()}" run -A "${program}" "${directory}" "${log}" "$@"\n`;
  await Deno.writeTextFile(command, script, { mode: 0o755 });
  return { command, log };
}

/** A process that asks for sessions as a bridge does. */
function startCaller(directory: string, command: string) {
  const program = new URL("../support/launch_caller.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", program, directory, command],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let rest = "";
  return {
    child,
    async line(): Promise<string> {
      while (!rest.includes("\n")) {
        const { value, done } = await lines.next();
        if (done) return rest;
        rest += value;
      }
      const end = rest.indexOf("\n");
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      return line;
    },
    go: () => input.write(new TextEncoder().encode("g")),
    async kill() {
      child.kill("SIGKILL");
      await child.status;
      await lines.return?.();
      await input.abort().catch(() => {});
    },
  };
}

async function startsIn(log: string): Promise<readonly string[]> {
  return (await Deno.readTextFile(log)).trim().split("\n");
}

Deno.test({
  name:
    "sixteen processes that race to launch start exactly one editor, which outlives all of them",
  ignore: !unix,
  async fn() {
    await using directory = await automationDirectory();
    const { command, log } = await standInExecutable(directory.path);
    const callers = Array.from({ length: 16 }, () => startCaller(directory.path, command));
    let pid: number | undefined;
    try {
      for (const caller of callers) assertEquals(await caller.line(), "ready");
      await Promise.all(callers.map((caller) => caller.go()));
      const answers = await Promise.all(callers.map((caller) => caller.line()));
      const starts = await startsIn(log);
      pid = Number(starts[0]?.split(" ")[0]);
      assertEquals(starts.length, 1, starts.join("\n"));
      assertMatch(starts[0] ?? "", /^\d+ --new-instance$/);
      assertEquals(new Set(answers).size, 1);
      assertMatch(answers[0] ?? "", /^\{"sessions":\["[0-9a-f]{32}"\]\}$/);
      assertEquals(await locked(directory.path), false);

      await Promise.all(callers.map((caller) => caller.kill()));
      const { live } = await sideOver(directory.path).discover(watched().signal);
      assertEquals(JSON.stringify({ sessions: live.map((one) => one.sessionId) }), answers[0]);
      assertEquals(live[0]?.pid, pid);
    } finally {
      await Promise.allSettled(callers.map((caller) => caller.kill()));
      if (pid !== undefined) Deno.kill(pid, "SIGKILL");
    }
  },
});
