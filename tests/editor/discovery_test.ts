import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { machineFiles } from "../../src/editor/automation_files.ts";
import { connectLoopback } from "../../src/editor/loopback.ts";
import type { LiveSession } from "../../src/editor/types.ts";
import { sideOver, watched } from "../support/editor_calls.ts";
import { FakeClock } from "../support/fake_clock.ts";
import {
  automationDirectory,
  hex,
  startProtocolServer,
  writeDescriptor,
} from "../support/protocol_server.ts";

const DEAD_PID = 999_999_999;
const aliveOnly = () => Promise.resolve(new Set([Deno.pid]));

function ids(live: readonly LiveSession[]): readonly string[] {
  return live.map(({ sessionId }) => sessionId).sort();
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

Deno.test("a live session is found with its state, pid, port and executable", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  const found = await sideOver(directory.path).discover(watched().signal);
  assertEquals(found.directory, directory.path);
  assertEquals(found.live.length, 1);
  const [live] = found.live;
  assertEquals(live?.sessionId, server.sessionId);
  assertEquals(live?.pid, Deno.pid);
  assertEquals(live?.port, server.port);
  assertEquals(live?.executable, "/opt/ocs/OpenCADStudio");
  assertEquals(live?.state.revision, 12);
});

Deno.test("100 dead, 20 hanging and 3 live descriptors: the 3 are found, at most 16 asked at once", async () => {
  await using directory = await automationDirectory();
  await using stack = new AsyncDisposableStack();
  for (let count = 0; count < 50; count++) {
    await writeDescriptor(directory.path, {
      session_id: hex(16),
      pid: DEAD_PID - count,
      port: 9,
      token: hex(32),
    });
  }
  // Dead without a pid to tell: a port that nobody listens on any more.
  const closed = await startProtocolServer(directory.path);
  await closed[Symbol.asyncDispose]();
  await Deno.remove(closed.descriptor);
  for (let count = 0; count < 50; count++) {
    await writeDescriptor(directory.path, {
      session_id: hex(16),
      port: closed.port,
      token: hex(32),
    });
  }
  const expected: string[] = [];
  for (let count = 0; count < 3; count++) {
    const server = stack.use(await startProtocolServer(directory.path));
    expected.push(server.sessionId);
  }
  const hanging = [];
  for (let count = 0; count < 20; count++) {
    hanging.push(stack.use(await startProtocolServer(directory.path, { handler: () => "hang" })));
  }
  let open = 0;
  let most = 0;
  const side = sideOver(directory.path, {
    listProcesses: aliveOnly,
    connect: async (port, signal) => {
      most = Math.max(most, ++open);
      const down = () => open--;
      const wire = await connectLoopback(port, signal).catch((error) => {
        down();
        throw error;
      });
      let closed = false;
      return {
        read: (buffer) => wire.read(buffer),
        write: (bytes) => wire.write(bytes),
        close() {
          if (!closed) down();
          closed = true;
          wire.close();
        },
      };
    },
  });
  const found = await side.discover(watched().signal);
  assertEquals(ids(found.live), expected.sort());
  assertEquals(most, 16);
  assertEquals(found.skipped.filter(({ reason }) => /process \d+ is gone/.test(reason)).length, 50);
  assertEquals(found.skipped.filter(({ reason }) => /refused/.test(reason)).length, 50);
  assertEquals(found.skipped.filter(({ reason }) => /did not answer/.test(reason)).length, 20);
  assert(hanging.every(({ requests }) => requests.length > 0));
});

Deno.test("editors that hung are asked last the next time", async () => {
  await using directory = await automationDirectory();
  await using live = await startProtocolServer(directory.path, { sessionId: "live" });
  await Deno.utime(live.descriptor, 1_000, 1_000);
  await using hanging = await startProtocolServer(directory.path, { handler: () => "hang" });
  const order: number[] = [];
  const side = sideOver(directory.path, {
    listProcesses: aliveOnly,
    connect: (port, signal) => {
      order.push(port);
      return connectLoopback(port, signal);
    },
  });
  await side.discover(watched().signal);
  await side.discover(watched().signal);
  assertEquals(order, [hanging.port, live.port, live.port, hanging.port]);
});

Deno.test("a dead pid's descriptor is deleted without any connection", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path, { pid: DEAD_PID });
  const side = sideOver(directory.path, { listProcesses: aliveOnly });
  const found = await side.discover(watched().signal);
  assertEquals(found.live, []);
  assertMatch(found.skipped[0]?.reason ?? "", /process 999999999 is gone; the file was deleted/);
  assertEquals(server.connections.most, 0);
  assertEquals(await exists(server.descriptor), false);
});

Deno.test("a young descriptor is not condemned by a snapshot that may predate its process", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock(Date.now());
  await using first = await startProtocolServer(directory.path);
  const side = sideOver(directory.path, { listProcesses: aliveOnly, clock });
  await side.discover(watched().signal);
  // Started after the snapshot, which is still in use.
  await using second = await startProtocolServer(directory.path, { pid: DEAD_PID });
  const found = await side.discover(watched().signal);
  assertEquals(ids(found.live), [first.sessionId, second.sessionId].sort());
  await clock.advance(10_000);
  assertEquals(ids((await side.discover(watched().signal)).live), [first.sessionId]);
  assertEquals(await exists(second.descriptor), false);
});

Deno.test("an old descriptor of a dead process is deleted by a cached snapshot too", async () => {
  await using directory = await automationDirectory();
  await using first = await startProtocolServer(directory.path);
  const side = sideOver(directory.path, { listProcesses: aliveOnly });
  await side.discover(watched().signal);
  await using second = await startProtocolServer(directory.path, { pid: DEAD_PID });
  const longAgo = Date.now() / 1000 - 121;
  await Deno.utime(second.descriptor, longAgo, longAgo);
  assertEquals(ids((await side.discover(watched().signal)).live), [first.sessionId]);
  assertEquals(await exists(second.descriptor), false);
});

Deno.test("without a process table every descriptor is probed", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path, { pid: DEAD_PID });
  for (
    const listProcesses of [
      () => Promise.resolve(undefined),
      () => Promise.reject(new Deno.errors.NotCapable("no")),
    ]
  ) {
    const found = await sideOver(directory.path, { listProcesses }).discover(watched().signal);
    assertEquals(ids(found.live), [server.sessionId]);
  }
});

Deno.test("a file that cannot be deleted stays, and discovery goes on", async () => {
  await using directory = await automationDirectory();
  await using dead = await startProtocolServer(directory.path, { pid: DEAD_PID });
  await using live = await startProtocolServer(directory.path);
  const files = {
    ...machineFiles,
    remove: () => Promise.reject(new Deno.errors.PermissionDenied("no")),
  };
  const side = sideOver(directory.path, { listProcesses: aliveOnly, files });
  const found = await side.discover(watched().signal);
  assertEquals(ids(found.live), [live.sessionId]);
  assertMatch(found.skipped[0]?.reason ?? "", /could not be deleted: the system does not permit/);
  assert(await exists(dead.descriptor));
});

Deno.test("an editor that is another session, or answers a failure, is skipped with that reason", async () => {
  await using directory = await automationDirectory();
  await using other = await startProtocolServer(directory.path, {
    handler: () => ({ ok: true, session_id: "someone else" }),
  });
  await using failing = await startProtocolServer(directory.path, {
    handler: () => ({ ok: false, code: "busy", error: "queue full" }),
  });
  await using dropping = await startProtocolServer(directory.path, { claimedToken: hex(32) });
  const found = await sideOver(directory.path).discover(watched().signal);
  const reasons = new Map(found.skipped.map(({ file, reason }) => [file, reason]));
  assertEquals(found.live, []);
  assertMatch(reasons.get(`${other.sessionId}.json`) ?? "", /is another session/);
  assertMatch(reasons.get(`${failing.sessionId}.json`) ?? "", /failure \(busy\)/);
  assertMatch(reasons.get(`${dropping.sessionId}.json`) ?? "", /does not know our token/);
});

Deno.test("a directory that becomes unreadable drops no session that is known", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  let broken = false;
  const side = sideOver(directory.path, {
    files: {
      ...machineFiles,
      names: (path) =>
        broken ? Promise.reject(new Deno.errors.PermissionDenied("no")) : machineFiles.names(path),
    },
  });
  await side.discover(watched().signal);
  broken = true;
  await side.discover(watched().signal);
  assertEquals(side.known().map(({ sessionId }) => sessionId), [server.sessionId]);
});

Deno.test("discovery rejects with the signal's reason and with nothing else", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path, { handler: () => "hang" });
  const waiting = watched();
  const looking = sideOver(directory.path).discover(waiting.signal);
  await server.arrived(1);
  waiting.abort(new Error("cancelled"));
  await assertRejects(() => looking, Error, "cancelled");
});

Deno.test("no skip reason and no log line contains a token", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path, {
    handler: () => ({ ok: false, code: "odd", error: "x" }),
  });
  const lines: string[] = [];
  const write = (message: string) => {
    lines.push(message);
  };
  const log = { error: write, warn: write, info: write, debug: write };
  const found = await sideOver(directory.path, { log }).discover(watched().signal);
  assert(lines.length > 0);
  assert(!JSON.stringify([found, lines]).includes(server.token));
});
