/** The SDK's own clients, strict v1 and v2 in each of its modes, against the program. */

import { assert, assertEquals } from "@std/assert";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Program } from "../../tests/support/bridge_program.ts";
import { objectIn, present } from "../../tests/support/expect.ts";

/** What both SDK clients can do, as far as the runs need it. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
  ): Promise<{ structuredContent?: unknown; isError?: unknown; content?: unknown }>;
}

/** A client of one kind, connected to a program that looks into `configDirectory`. */
export interface ClientKind {
  readonly name: string;
  run(
    program: Program,
    configDirectory: string,
    use: (client: AnyClient) => Promise<void>,
  ): Promise<void>;
}

const V2_MODES: readonly [string, VersionNegotiationMode][] = [
  ["legacy", "legacy"],
  ["auto", "auto"],
  ["pinned to 2026-07-28", { pin: "2026-07-28" }],
];

/** v1 (legacy), then v2 in its three modes. */
export const CLIENT_KINDS: readonly ClientKind[] = [
  {
    name: "SDK v1 client (legacy)",
    async run(program, directory, use) {
      const client = new LegacyClient({ name: "conformance", version: "1.0.0" });
      await client.connect(new LegacyTransport(command(program, directory)));
      await using _ = { [Symbol.asyncDispose]: () => client.close() };
      await use(client);
    },
  },
  ...V2_MODES.map(([name, mode]): ClientKind => ({
    name: `SDK v2 client (${name})`,
    async run(program, directory, use) {
      const client = new Client(
        { name: "conformance", version: "1.0.0" },
        { versionNegotiation: { mode } },
      );
      await client.connect(new StdioClientTransport(command(program, directory)));
      await using _ = { [Symbol.asyncDispose]: () => client.close() };
      const modern = client.getNegotiatedProtocolVersion() === "2026-07-28";
      assertEquals(modern, mode !== "legacy", "The client settled on the other era.");
      await use(client);
    },
  })),
];

/** Without any editor: lists answer, and a call says what is missing. */
export async function headlessCalls(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools();
  assertEquals(
    tools.map(({ name }) => name),
    ["ocs_sessions", "ocs_read", "ocs_execute", "ocs_capture"],
  );
  assertEquals((await client.listResources()).resources, []);
  assertEquals((await client.listResourceTemplates()).resourceTemplates.length, 2);
  const answer = await client.callTool({
    name: "ocs_sessions",
    arguments: { launch_if_none: false },
  });
  assertEquals(objectIn(answer.structuredContent).result, []);
}

/** Against a desk: find it, draw, read back, look, and read the picture as a resource. */
export async function deskCalls(client: AnyClient, sessionId: string): Promise<void> {
  const call = async (name: string, args: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: args });
    assert(!answer.isError, `${name}: ${JSON.stringify(answer.content)}`);
    return answer;
  };
  const session = { ocs_session_id: sessionId };
  const execute = (request: Record<string, unknown>) =>
    call("ocs_execute", {
      ...session,
      request: { ...request, request_id: crypto.randomUUID() },
    });
  await call("ocs_sessions", { launch_if_none: false });
  await execute({ op: "new" });
  await execute({
    op: "entities_create",
    entities: [{ type: "Circle", center: [5, 5], radius: 2 }],
  });
  const { structuredContent } = await call("ocs_read", { ...session, op: "entities" });
  assertEquals(objectIn(structuredContent).total, 1);
  const { content } = await call("ocs_capture", { ...session, max_dimension: 256 });
  const types = Array.isArray(content) ? content.map(({ type }) => type) : [];
  assert(types.includes("image"), `ocs_capture answered ${types}`);
  const { resources } = await client.listResources();
  const picture = resources.find(({ uri }) => uri.endsWith(".png"));
  const { uri } = present(picture, "the picture taken to be among the resources");
  assertEquals((await client.readResource({ uri })).contents.length, 1);
}

function command(program: Program, directory: string) {
  return {
    command: program.command,
    args: [...program.args, "--config-dir", directory],
    env: { ...program.env },
    stderr: "inherit" as const,
  };
}
