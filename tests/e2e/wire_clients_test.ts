import { assertEquals, assertStringIncludes } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { BridgeProgram, type Program, testEachProgram } from "../support/bridge_program.ts";
import { arrayIn, objectIn } from "../support/expect.ts";
import { scratch } from "./stage.ts";

/** One client of tests/testdata/wire.jsonl. */
interface Recorded {
  readonly client: string;
  readonly version: string;
  readonly lines: readonly JsonObject[];
}

const RECORDED: readonly Recorded[] = Deno.readTextFileSync(
  new URL("../testdata/wire.jsonl", import.meta.url),
).trim().split("\n").map((line) => {
  const { client, version, lines } = objectIn(JSON.parse(line), "a line of wire.jsonl");
  return {
    client: String(client),
    version: String(version),
    lines: arrayIn(lines, "lines").map((message) => objectIn(message, "a message")),
  };
});

/** Methods of features that the bridge does not declare. */
const UNDECLARED = new Set(["prompts/list", "logging/setLevel"]);

Deno.test("every client of the record is played", () => {
  const names = RECORDED.map(({ client, version }) => `${client} ${version}`);
  assertEquals([names.length, new Set(names).size], [13, 13]);
});

for (const recorded of RECORDED) {
  testEachProgram(
    `${recorded.client} ${recorded.version} is served as it speaks`,
    (program) => play(program, recorded),
  );
}

testEachProgram("a client may close its input right behind its last request", async (program) => {
  await using home = await scratch();
  await using bridge = start(program, home.path);
  const lines = (RECORDED.find(({ client }) => client.includes("connection test")))?.lines ?? [];
  await bridge.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await bridge.closeInput();
  assertEquals(await bridge.exitCode(), 0);
  // The answers that need no work were due before the end was seen.
  assertEquals(bridge.messages.map(({ id }) => id), [0, 1]);
});

/** Sends all of it at once, as a client may that has not read anything yet. */
async function play(program: Program, { lines }: Recorded): Promise<void> {
  await using home = await scratch();
  await using bridge = start(program, home.path);
  await bridge.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

  const requests = lines.filter((message) => "id" in message);
  for (const { id, method, params } of requests) {
    if (typeof id !== "number") throw new Error(`The record has an odd id: ${id}`);
    const answer = await bridge.answer(id);
    assertAnswer(String(method), isJsonObject(params) ? params : {}, answer, home.path);
  }
  // Something that is answered last of all: whatever was to come has come before it.
  await bridge.request("ping", undefined, "the end");
  const answered = bridge.messages.filter((one) => "id" in one).map(({ id }) => id);
  assertEquals(
    answered.toSorted(),
    [...requests.map(({ id }) => id), "the end"].toSorted(),
    "exactly one answer for each request",
  );
  await bridge.closeInput();
  assertEquals(await bridge.exitCode(), 0);
  assertEquals(bridge.stderr, "", "undeclared features are refused quietly");
}

function assertAnswer(
  method: string,
  params: JsonObject,
  answer: JsonObject,
  home: string,
): void {
  if (UNDECLARED.has(method)) {
    assertEquals(objectIn(answer.error, method).code, -32601);
    assertEquals("result" in answer, false);
    return;
  }
  if (method === "tools/call" && params.arguments === null) {
    // Counted as absent, so an editor would be started: there is none, which is no wrong call.
    const { code, message } = objectIn(answer.error, "the error of ocs_sessions");
    assertEquals(code, -32603);
    assertStringIncludes(String(message), `${home}/no-editor`);
    return;
  }
  const result = objectIn(answer.result, `the result of ${method} in ${JSON.stringify(answer)}`);
  switch (method) {
    case "initialize": {
      assertEquals(result.protocolVersion, params.protocolVersion);
      const { name, title, version, ...more } = objectIn(result.serverInfo, "serverInfo");
      assertEquals([name, title, typeof version], ["OpenCADStudio", "Open CAD Studio", "string"]);
      assertEquals(more, {});
      return;
    }
    case "ping":
      assertEquals(result, {});
      return;
    case "tools/list": {
      const tools = arrayIn(result.tools, "tools").map((tool) => objectIn(tool).name);
      assertEquals(tools, ["ocs_sessions", "ocs_read", "ocs_execute", "ocs_capture"]);
      return;
    }
    case "resources/list":
      assertEquals(result.resources, []);
      return;
    case "tools/call": {
      const found = objectIn(result.structuredContent, JSON.stringify(result));
      assertEquals(found.result, []);
      assertStringIncludes(String(found.next), home);
      return;
    }
    default:
      throw new Error(`The record has a request that this test does not know: ${method}`);
  }
}

/** With what clients pass on, and no editor to start, whatever this machine has. */
function start(program: Program, home: string): BridgeProgram {
  return BridgeProgram.start({
    program,
    args: ["--config-dir", home, "--editor", `${home}/no-editor`],
    env: { HOME: home, PATH: "/usr/bin:/bin" },
  });
}
