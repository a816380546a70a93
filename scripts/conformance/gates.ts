/** The nine named gates (bridge.md section 15), each against a program as a client sees it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { TOOL_SCHEMA_DIGEST, toolSchemaDigest } from "../../src/tools/digest.ts";
import { objectIn } from "../../tests/support/expect.ts";
import { BridgeProgram, type Program } from "../../tests/support/bridge_program.ts";
import { startDeskProgram } from "../../tests/support/desk_program.ts";
import { startupLockSerializesConcurrentLaunches } from "./launch_gate.ts";

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

const TOOL_NAMES = ["ocs_sessions", "ocs_read", "ocs_execute", "ocs_capture"];

/** A gate: its name and what must hold. */
export interface Gate {
  readonly name: string;
  run(program: Program): Promise<void>;
}

/** All of them, in the contract's order. */
export const GATES: readonly Gate[] = [
  { name: "tool_schema_digest_is_pinned", run: toolSchemaDigestIsPinned },
  {
    name: "initialize_is_spec_pure_with_experimental_build",
    run: initializeIsSpecPureWithExperimentalBuild,
  },
  { name: "malformed_requests_get_jsonrpc_errors", run: malformedRequestsGetJsonrpcErrors },
  { name: "legacy_list_results_carry_sep2549_ttl", run: legacyListResultsCarrySep2549Ttl },
  { name: "resource_not_found_code_follows_era", run: resourceNotFoundCodeFollowsEra },
  { name: "non_object_input_is_invalid_request", run: nonObjectInputIsInvalidRequest },
  {
    name: "unknown_tool_is_a_protocol_error_with_names",
    run: unknownToolIsAProtocolErrorWithNames,
  },
  { name: "cancel_matching_and_wait_deadlines", run: cancelMatchingAndWaitDeadlines },
  {
    name: "startup_lock_serializes_concurrent_launches",
    run: startupLockSerializesConcurrentLaunches,
  },
];

async function toolSchemaDigestIsPinned(program: Program): Promise<void> {
  assertEquals(await toolSchemaDigest(), TOOL_SCHEMA_DIGEST, "The pin differs from the schemas.");
  await using bridge = await headless(program);
  assertEquals((await buildOf(bridge)).tool_schema, TOOL_SCHEMA_DIGEST);
}

async function initializeIsSpecPureWithExperimentalBuild(program: Program): Promise<void> {
  await using bridge = await headless(program);
  const result = await bridge.initialize("2025-11-25");
  assertEquals(
    Object.keys(result).sort(),
    ["capabilities", "instructions", "protocolVersion", "serverInfo"],
  );
  const serverInfo = objectIn(result.serverInfo);
  const capabilities = objectIn(result.capabilities);
  assertEquals(Object.keys(serverInfo), ["name", "title", "version"]);
  assertEquals(
    [serverInfo.name, serverInfo.title],
    ["OpenCADStudio", "Open CAD Studio"],
  );
  assertEquals(capabilities.tools, { listChanged: false });
  assertEquals(capabilities.resources, { subscribe: false, listChanged: true });
  const build = objectIn(objectIn(capabilities.experimental)["opencadstudio.build"]);
  assertEquals(
    Object.keys(build).sort(),
    ["build_profile", "build_rev", "name", "tool_schema", "version"],
  );
  assertEquals(build.build_profile, program.name === "source" ? "dev" : "release");
  assertEquals(build.version, serverInfo.version);
  assertMatch(String(build.tool_schema), /^[0-9a-f]{64}$/);
}

async function malformedRequestsGetJsonrpcErrors(program: Program): Promise<void> {
  await using bridge = await headless(program);
  await bridge.write("{oops\n");
  await idlessError(bridge, -32700);
  await bridge.initialize();
  const cases: readonly [string, JsonObject | undefined, number][] = [
    ["no/such/method", {}, -32601],
    ["tools/call", {}, -32602],
    ["tools/call", { name: "ocs_read", arguments: [1] }, -32602],
    ["resources/read", {}, -32602],
    ["tools/list", { cursor: "zzz" }, -32602],
    ["tools/list", { _meta: { ...MODERN, ...version("1900-01-01") } }, -32022],
    ["tools/list", { _meta: version("2026-07-28") }, -32602],
  ];
  for (const [method, params, code] of cases) {
    await assertError(bridge, method, params, code);
  }
}

async function legacyListResultsCarrySep2549Ttl(program: Program): Promise<void> {
  await using bridge = await headless(program);
  await bridge.initialize("2025-06-18");
  const tools = await bridge.result("tools/list");
  assertEquals([tools.ttlMs, tools.cacheScope], [3_600_000, "public"]);
  for (const method of ["resources/list", "resources/templates/list"]) {
    const { ttlMs, cacheScope } = await bridge.result(method);
    assertEquals(ttlMs, 60_000, method);
    assert(cacheScope === "public" || cacheScope === "private", method);
  }
}

async function resourceNotFoundCodeFollowsEra(program: Program): Promise<void> {
  await using bridge = await headless(program);
  await bridge.initialize();
  const uri = "cad://session/none/state.json";
  for (const [params, code] of [[{ uri }, -32002], [{ uri, _meta: MODERN }, -32602]] as const) {
    const error = await assertError(bridge, "resources/read", params, code);
    assertEquals(error.data, { uri });
  }
}

async function nonObjectInputIsInvalidRequest(program: Program): Promise<void> {
  await using bridge = await headless(program);
  for (const line of ["42", "null", '"text"', "true", "[]"]) {
    const before = bridge.lines.length;
    await bridge.write(`${line}\n`);
    await idlessError(bridge, -32600, before);
  }
  assertEquals(await bridge.result("ping"), {});
}

async function unknownToolIsAProtocolErrorWithNames(program: Program): Promise<void> {
  await using bridge = await headless(program);
  await bridge.initialize();
  for (const meta of [{}, { _meta: MODERN }]) {
    const params = { name: "ocs_nope", arguments: {}, ...meta };
    const { message } = await assertError(bridge, "tools/call", params, -32602);
    for (const name of TOOL_NAMES) assert(String(message).includes(name), String(message));
  }
}

async function cancelMatchingAndWaitDeadlines(program: Program): Promise<void> {
  await using desk = await startDeskProgram({ program });
  await using bridge = BridgeProgram.start({
    program,
    args: ["--config-dir", desk.configDir],
  });
  await bridge.initialize();
  const session = { ocs_session_id: desk.sessionId };
  const execute = (request: JsonObject, wait = 30) => ({
    name: "ocs_execute",
    arguments: { ...session, request, wait_seconds: wait },
  });
  await bridge.result("tools/call", execute({ op: "new", request_id: "new" }));
  // A wait that is over before the person picked leaves the pick open.
  const running = await bridge.result(
    "tools/call",
    execute({ op: "getpoint", request_id: "p1" }, 0),
  );
  assertEquals(status(running), "running");
  const operation = async () =>
    status(
      await bridge.callTool("ocs_read", {
        ...session,
        op: "operation",
        parameters: { request_id: "p1" },
      }),
    );
  assertEquals(await operation(), "running");
  // The same request waits on; a cancel of the id of the other type does not reach it.
  await bridge.send({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: execute({ op: "getpoint", request_id: "p1" }, 600),
  });
  await bridge.notify("notifications/cancelled", { requestId: "7" });
  assertEquals(await operation(), "running");
  await bridge.notify("notifications/cancelled", { requestId: 7 });
  await bridge.result("ping");
  while (await operation() === "running");
  assertEquals(await operation(), "cancelled");
  await bridge.closeInput();
  assertEquals(await bridge.exitCode(), 0);
  assertEquals(bridge.messages.filter(({ id }) => id === 7), [], "Something was sent for id 7.");
}

/** A bridge that has no editor: its configuration directory is empty. */
async function headless(program: Program): Promise<BridgeProgram> {
  const directory = await Deno.makeTempDir({ prefix: "ocs-headless-" });
  const bridge = BridgeProgram.start({ program, args: ["--config-dir", directory] });
  bridge.exited.then(() => Deno.remove(directory, { recursive: true }));
  return await Promise.resolve(bridge);
}

async function buildOf(bridge: BridgeProgram): Promise<JsonObject> {
  const { capabilities } = await bridge.initialize();
  return objectIn(objectIn(objectIn(capabilities).experimental)["opencadstudio.build"]);
}

function version(value: string): JsonObject {
  return { "io.modelcontextprotocol/protocolVersion": value };
}

function status(result: JsonObject): unknown {
  const { structuredContent, content } = result;
  if (isJsonObject(structuredContent)) return structuredContent.status;
  const first = Array.isArray(content) ? content.find(isJsonObject) : undefined;
  const answer: unknown = JSON.parse(String(first?.text ?? "null"));
  return isJsonObject(answer) ? answer.status : undefined;
}

async function assertError(
  bridge: BridgeProgram,
  method: string,
  params: JsonObject | undefined,
  code: number,
): Promise<JsonObject> {
  const { error, result } = await bridge.request(method, params);
  const asked = `${method} ${JSON.stringify(params)}`;
  if (!isJsonObject(error)) throw new Error(`${asked} was answered ${JSON.stringify(result)}`);
  assertEquals(error.code, code, asked);
  return error;
}

async function idlessError(bridge: BridgeProgram, code: number, from = 0): Promise<void> {
  const message = await bridge.until(`an error ${code}`, () => bridge.messages[from]);
  const error = objectIn(message.error, "the error");
  assertEquals([error.code, "id" in message], [code, false], JSON.stringify(message));
}
