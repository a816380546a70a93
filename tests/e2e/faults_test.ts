import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { BridgeProgram, type Program, testEachProgram } from "../support/bridge_program.ts";
import { present } from "../support/expect.ts";
import { type Fault, type FaultProxy, startFaultProxy } from "../support/fault_proxy.ts";
import { writeDescriptor } from "../support/protocol_server.ts";
import { Agent, askDirectly, type DeskHere, deskHere, scratch } from "./stage.ts";

/** A bridge that reaches a desk only through a proxy. */
interface Line extends AsyncDisposable {
  readonly desk: DeskHere;
  readonly agent: Agent;
  readonly proxy: FaultProxy;
  readonly directory: string;
  /** Spoils the next exchanges of that op, one after the other; all others pass. */
  spoil(op: string, ...faults: readonly Fault[]): void;
}

async function line(program: Program): Promise<Line> {
  const stack = new AsyncDisposableStack();
  const desk = stack.use(await deskHere());
  const faults = new Map<string, Fault[]>();
  const proxy = stack.use(startFaultProxy(desk.port, (_index, text) => {
    const request: unknown = JSON.parse(text);
    const op = isJsonObject(request) ? String(request.op) : "";
    return faults.get(op)?.shift() ?? { kind: "pass" };
  }));
  const home = stack.use(await scratch());
  const directory = `${home.path}/automation`;
  await Deno.mkdir(directory, { mode: 0o700 });
  await writeDescriptor(directory, {
    protocol: 1,
    session_id: desk.sessionId,
    pid: Deno.pid,
    port: proxy.port,
    token: desk.token,
    executable: "/opt/ocs/OpenCADStudio",
  });
  const bridge = stack.use(BridgeProgram.start({
    program,
    args: ["--config-dir", home.path, "--log", "debug", "--editor", `${home.path}/none`],
  }));
  await bridge.initialize();
  const agent = new Agent(bridge, desk.sessionId);
  await agent.tool("ocs_sessions", { launch_if_none: false });
  return {
    desk,
    agent,
    proxy,
    directory,
    spoil: (op, ...next) => faults.set(op, [...next]),
    async [Symbol.asyncDispose]() {
      await stack.disposeAsync();
      // Whatever went wrong on the way: the token is the editor's and ours alone.
      const said = [...bridge.lines, bridge.stderr].join("\n");
      assert(!said.includes(desk.token), "the token was given away");
      assertStringIncludes(bridge.stderr, "Serving ended");
    },
  };
}

/** A square of four lines' worth of work: one entity. */
const CREATE: JsonObject = {
  op: "entities_create",
  entities: [{ type: "Circle", center: [0, 0], radius: 5 }],
};

async function drawn({ desk }: Line): Promise<unknown> {
  return (await askDirectly(desk, { op: "entities" })).total;
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A connection or two may still be taken after a listener is told to close. */
async function untilRefused(port: number): Promise<void> {
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    } catch (error) {
      if (error instanceof Deno.errors.ConnectionRefused) return;
    }
  }
}

testEachProgram("each broken exchange is told apart, and what to do is said", async (program) => {
  await using setup = await line(program);
  const { agent, desk, proxy } = setup;
  const port = `the editor on port ${proxy.port}`;
  const cases: readonly (readonly [Fault, string])[] = [
    [{ kind: "cut_before" }, "closed the connection without a byte"],
    [{ kind: "cut_after", bytes: 10 }, "broke off after 10 bytes of its answer"],
    [{ kind: "garbage", bytes: bytes("<html>busy</html>\n") }, "answered 17 bytes that are not a"],
    [{ kind: "garbage", bytes: bytes("[1, 2]\n") }, "answered 6 bytes that are not a JSON object"],
    [{ kind: "garbage", bytes: new Uint8Array([0xff, 0xfe, 0x0a]) }, "answered 2 bytes that are"],
    [{ kind: "flood" }, "answered more than 16 MiB"],
  ];
  for (const [fault, seen] of cases) {
    setup.spoil("entities", fault);
    const { code, message } = await agent.failure("ocs_read", { op: "entities" });
    assertEquals(code, -32603);
    assertStringIncludes(message, `Asked the editor for 'entities': ${port} ${seen}`);
    assertMatch(message, /call again/i);
    // Nothing is broken for good.
    assertEquals((await agent.read("entities")).total, 0);
  }

  // An editor that gives its own secret away does not make us do so.
  const echo = { ok: true, total: 1, note: `your token ${desk.token}` };
  setup.spoil("entities", { kind: "garbage", bytes: bytes(`${JSON.stringify(echo)}\n`) });
  assertEquals((await agent.read("entities")).note, "your token (token withheld)");

  proxy.refuse();
  await untilRefused(proxy.port);
  const { code, message } = await agent.failure("ocs_read", { op: "entities" });
  assertEquals(code, -32603);
  assertStringIncludes(message, `${port} refused the connection`);
  assertStringIncludes(message, `Session ${desk.sessionId} is gone`);
  assertStringIncludes(message, `No live session in ${setup.directory}`);
  assertMatch(message, /Call ocs_sessions/);
});

testEachProgram("an editor that is silent is told after the deadline", async (program) => {
  await using setup = await line(program);
  const { agent, desk } = setup;
  await agent.execute({ op: "new" });
  setup.spoil("entities", { kind: "hang" });
  setup.spoil("entities_create", { kind: "hang" });
  // Fifteen seconds each, so both at once.
  const [read, change] = await Promise.all([
    agent.failure("ocs_read", { op: "entities" }),
    agent.bridge.request("tools/call", {
      name: "ocs_execute",
      arguments: agent.operation({ ...CREATE, request_id: "unheard" }, { wait_seconds: 1 }),
    }),
  ]);
  assertEquals(read.code, -32603);
  assertStringIncludes(read.message, "did not answer within 15 s");
  assertMatch(read.message, /dialog or a long job/);
  const error = present(isJsonObject(change.error) ? change.error : undefined, "an error");
  assertEquals(error.code, -32603);
  assertStringIncludes(String(error.message), "request_id unheard) is unknown");
  assertStringIncludes(String(error.message), "ocs_read op query");
  assertEquals(await drawn(setup), 0);

  // A probe is bound by one second: the session is no longer listed, and not said to be gone.
  setup.spoil("hello", { kind: "hang" }, { kind: "hang" });
  const found = await agent.tool("ocs_sessions", { launch_if_none: false });
  assertEquals(found.result, []);
  assertEquals((await agent.read("state")).session_id, desk.sessionId);
});

testEachProgram("a lost answer is recovered and nothing is drawn twice", async (program) => {
  await using setup = await line(program);
  const { agent } = setup;
  await agent.execute({ op: "new" });
  const losses: readonly Fault[] = [
    { kind: "drop_answer" },
    { kind: "cut_after", bytes: 25 },
  ];
  let expected = 0;
  for (const loss of losses) {
    setup.spoil("entities_create", loss);
    const request = { ...CREATE, request_id: `lost-${expected}` };
    const done = await agent.execute(request);
    expected++;
    assertEquals([done.status, done.request_id], ["completed", request.request_id]);
    assertEquals(await drawn(setup), expected);
    // The same once more is the same answer, and no second circle.
    assertEquals((await agent.execute(request)).result, done.result);
    assertEquals(await drawn(setup), expected);
  }

  // Even when the first questions about it are lost as well.
  setup.spoil("entities_create", { kind: "drop_answer" });
  setup.spoil("operation", { kind: "cut_before" }, { kind: "drop_answer" });
  assertEquals((await agent.execute(CREATE)).status, "completed");
  assertEquals(await drawn(setup), 3);

  setup.spoil("capture", { kind: "drop_answer" });
  assertEquals((await agent.capture()).metadata.width, 1600);
});

testEachProgram("an outcome that cannot be learnt is not guessed", async (program) => {
  await using setup = await line(program);
  const { agent } = setup;
  await agent.execute({ op: "new" });

  // It never arrived.
  setup.spoil("entities_create", { kind: "cut_before" });
  const request = { ...CREATE, request_id: "never-came" };
  const args = agent.operation(request);
  const unheard = await agent.failure("ocs_execute", args);
  assertEquals(unheard.code, -32603);
  assertStringIncludes(unheard.message, "outcome of 'entities_create' (request_id never-came)");
  assertStringIncludes(unheard.message, "it knows no such operation");
  assertStringIncludes(unheard.message, "Do not repeat it under a new request_id");
  assertEquals(await drawn(setup), 0);
  assertEquals((await agent.execute(request)).status, "completed");
  assertEquals(await drawn(setup), 1);

  // It arrived, and no word about it gets through.
  setup.spoil("entities_create", { kind: "drop_answer" });
  setup.spoil("operation", ...Array.from({ length: 3 }, () => ({ kind: "cut_before" }) as const));
  const silent = agent.operation({ ...CREATE, request_id: "came" });
  const unknown = await agent.failure("ocs_execute", silent);
  assertStringIncludes(unknown.message, "(request_id came) is unknown");
  assertEquals(await drawn(setup), 2);
  const again = await agent.execute({ ...CREATE, request_id: "came" });
  assertEquals(again.status, "completed");
  assertEquals(await drawn(setup), 2, "the editor knew the request_id");
});

testEachProgram("a batch whose answers are lost goes on where it was", async (program) => {
  await using setup = await line(program);
  const { agent } = setup;
  setup.spoil("entities_create", { kind: "drop_answer" }, { kind: "pass" }, {
    kind: "drop_answer",
  });
  const done = await agent.execute({
    op: "batch",
    request_id: "three",
    steps: [{ op: "new" }, CREATE, CREATE, CREATE],
  });
  assertEquals([done.status, done.completed_steps, done.next_step], ["completed", 4, null]);
  assertEquals(await drawn(setup), 3);
});

testEachProgram(
  "whatever breaks on the way, what is said to be done is done once",
  async (program) => {
    await using setup = await line(program);
    const { agent, desk } = setup;
    await agent.execute({ op: "new" });
    const busy = bytes('{"ok":false,"code":"busy","error":"The queue is full."}\n');
    const fault = fc.constantFrom<Fault>(
      { kind: "pass" },
      { kind: "cut_before" },
      { kind: "cut_after", bytes: 1 },
      { kind: "drop_answer" },
      { kind: "garbage", bytes: bytes("?\n") },
      { kind: "garbage", bytes: busy },
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fault, fc.array(fault, { maxLength: 4 }), async (first, later) => {
        const request = { ...CREATE, request_id: `any-${++count}` };
        const args = agent.operation(request);
        const before = Number(await drawn(setup));
        setup.spoil("entities_create", first);
        setup.spoil("operation", ...later);
        const answer = await agent.bridge.request("tools/call", {
          name: "ocs_execute",
          arguments: args,
        });
        setup.spoil("operation");
        const said = JSON.stringify(answer);
        const done = Number(await drawn(setup)) - before;
        if (isJsonObject(answer.error)) assertStringIncludes(said, "is unknown");
        else assertEquals(done, isJsonObject(answer.result) && answer.result.isError ? 0 : 1, said);
        // The same request once more settles it, whatever had become of the first.
        await agent.bridge.callTool("ocs_read", { ocs_session_id: desk.sessionId });
        assertEquals((await agent.execute(request)).status, "completed", said);
        assertEquals(Number(await drawn(setup)) - before, 1, said);
      }),
      { numRuns: 25 },
    );
  },
);
