import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { InfrastructureError } from "../../src/host/faults.ts";
import { connectLoopback } from "../../src/editor/loopback.ts";
import { sideOver, watched } from "../support/editor_calls.ts";
import {
  automationDirectory,
  ordinaryState,
  startProtocolServer,
  writeDescriptor,
} from "../support/protocol_server.ts";

Deno.test("making an editor's side touches neither files nor sockets nor processes", () => {
  const refuse = () => {
    throw new Error("touched");
  };
  const side = sideOver("/nonexistent/automation", {
    connect: refuse,
    listProcesses: refuse,
    startProcess: refuse,
  });
  assertEquals(side.known(), []);
  assertEquals(side.directory, "/nonexistent/automation");
});

Deno.test("a known session is had without another look", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  let connections = 0;
  const side = sideOver(directory.path, {
    connect: (port, signal) => {
      connections++;
      return connectLoopback(port, signal);
    },
  });
  const first = await side.session(server.sessionId, watched());
  assertEquals(await side.session(server.sessionId, watched()), first);
  assertEquals(connections, 1);
  assertEquals(first.lastState()?.revision, 12);
});

Deno.test("an id that matches nothing names the ids that exist", async () => {
  await using directory = await automationDirectory();
  await using one = await startProtocolServer(directory.path, { sessionId: "aa" });
  await using two = await startProtocolServer(directory.path, { sessionId: "bb" });
  const error = await assertRejects(
    () => sideOver(directory.path).session("cc", watched()),
    InfrastructureError,
  );
  assertMatch(error.message, /No session "cc"\. Live sessions: aa, bb/);
  assertEquals([one.requests.length, two.requests.length], [1, 1]);
});

Deno.test("no session at all names the directory that was looked in", async () => {
  await using directory = await automationDirectory();
  const error = await assertRejects(
    () => sideOver(directory.path).session("cc", watched()),
    InfrastructureError,
  );
  assertEquals(error.message.includes(directory.path), true);
});

Deno.test("a session that does not answer is told apart from one that is not there", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path, { handler: () => "hang" });
  const error = await assertRejects(
    () => sideOver(directory.path).session(server.sessionId, watched()),
    InfrastructureError,
  );
  assertMatch(error.message, /gave no usable answer to hello within 1 s/);
});

Deno.test("two editors under one session id: it is not guessed which is meant", async () => {
  await using directory = await automationDirectory();
  await using one = await startProtocolServer(directory.path, { sessionId: "aa" });
  await Deno.rename(one.descriptor, `${directory.path}/first.json`);
  await using two = await startProtocolServer(directory.path, { sessionId: "aa" });
  const side = sideOver(directory.path);
  const ask = () => side.session("aa", watched());
  await assertRejects(ask, InfrastructureError, "More than one editor answers as session aa");
  two.crash();
  assertEquals((await ask()).sessionId, "aa");
});

Deno.test("sessions that appear and go are told to listeners, and known() follows", async () => {
  await using directory = await automationDirectory();
  const side = sideOver(directory.path);
  let changes = 0;
  const stop = side.onSessionsChanged(() => changes++);
  await using two = await startProtocolServer(directory.path, { sessionId: "bb" });
  await using one = await startProtocolServer(directory.path, { sessionId: "aa" });
  await side.discover(watched().signal);
  assertEquals(changes, 1);
  assertEquals(side.known().map(({ sessionId }) => sessionId), ["aa", "bb"]);
  await side.discover(watched().signal);
  assertEquals(changes, 1);
  one.crash();
  await side.discover(watched().signal);
  assertEquals(changes, 2);
  assertEquals(side.known().map(({ sessionId }) => sessionId), ["bb"]);
  stop();
  two.crash();
  await side.discover(watched().signal);
  assertEquals(changes, 2);
});

Deno.test("a session that came after a look had begun is found by a look of its own", async () => {
  await using directory = await automationDirectory();
  const gate = Promise.withResolvers<void>();
  await using early = await startProtocolServer(directory.path, {
    sessionId: "aa",
    handler: async () => {
      await gate.promise;
      return ordinaryState("aa");
    },
  });
  const side = sideOver(directory.path);
  const first = side.session("aa", watched());
  await early.arrived(1);
  await using _late = await startProtocolServer(directory.path, { sessionId: "bb" });
  const second = side.session("bb", watched());
  gate.resolve();
  assertEquals([(await first).sessionId, (await second).sessionId], ["aa", "bb"]);
});

Deno.test("a session that moved to another port is followed there", async () => {
  await using directory = await automationDirectory();
  await using old = await startProtocolServer(directory.path, { sessionId: "aa" });
  const side = sideOver(directory.path);
  const session = await side.session("aa", watched());
  old.crash();
  await Deno.remove(old.descriptor);
  await using moved = await startProtocolServer(directory.path, { sessionId: "aa" });
  await side.discover(watched().signal);
  assertEquals((await session.read("state", {}, watched())).ok, true);
  assertEquals(moved.requests.at(-1)?.op, "state");
});

Deno.test("the token is in nothing that the side gives out", async () => {
  await using directory = await automationDirectory();
  await using server = await startProtocolServer(directory.path);
  await writeDescriptor(directory.path, { session_id: "z", port: 99_999, token: "f".repeat(64) });
  const side = sideOver(directory.path);
  const found = await side.discover(watched().signal);
  const text = JSON.stringify([found, await side.sessions(false, watched()), side.known()]);
  assertEquals(text.includes(server.token), false);
  assertEquals(text.includes("f".repeat(64)), false);
});
