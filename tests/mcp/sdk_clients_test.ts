import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { fileURLToPath } from "node:url";

const SERVER = {
  command: Deno.execPath(),
  args: [
    "run",
    "--quiet",
    "--allow-all",
    fileURLToPath(new URL("fake_program.ts", import.meta.url)),
  ],
  env: Deno.env.toObject(),
};
const IDENTITY = { name: "test", version: "1" };
const ADD = { name: "add", arguments: { a: 1, b: 2 } };

/** The code of the error that a promise rejects with. */
async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const error = await assertRejects(() => promise);
  return error instanceof Error && "code" in error ? error.code : error;
}

// The SDK's clients leave timers behind when they are closed (they would kill a child that stays).
const LENIENT = { sanitizeOps: false, sanitizeResources: false };

Deno.test("the SDK's v1 client, strict about the legacy era, is served", LENIENT, async () => {
  const client = new LegacyClient(IDENTITY);
  const changed = Promise.withResolvers<void>();
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => changed.resolve());
  await client.connect(new LegacyTransport(SERVER));
  try {
    assertEquals(client.getServerVersion()?.name, "OpenCADStudio");
    assertEquals((await client.listTools()).tools.length, 9);
    assertEquals((await client.callTool(ADD)).structuredContent, { sum: 3 });
    assertEquals((await client.listResources()).resources.length, 2);
    assertEquals((await client.listResourceTemplates()).resourceTemplates.length, 1);
    assertEquals(await codeOf(client.callTool({ name: "nope" })), -32602);
    assertEquals(await codeOf(client.readResource({ uri: "x://none" })), -32002);
    await client.callTool({ name: "echo", arguments: { change: true } });
    await changed.promise;
    await client.ping();
  } finally {
    await client.close();
  }
});

for (const mode of ["legacy", "auto", { pin: "2026-07-28" }] as const) {
  const name = typeof mode === "string" ? mode : "pinned";
  Deno.test(`the SDK's v2 client is served in its mode ${name}`, LENIENT, async () => {
    const modern = mode !== "legacy";
    const changed = Promise.withResolvers<void>();
    const client = new ModernClient(IDENTITY, { versionNegotiation: { mode } });
    client.setNotificationHandler("notifications/resources/list_changed", () => changed.resolve());
    await client.connect(new ModernTransport(SERVER));
    try {
      const version = modern ? "2026-07-28" : "2025-11-25";
      assertEquals(client.getNegotiatedProtocolVersion(), version);
      assertEquals((await client.listTools()).tools.length, 9);
      assertEquals((await client.callTool(ADD)).structuredContent, { sum: 3 });
      assertEquals((await client.listResources()).resources.length, 2);
      assertEquals((await client.listResourceTemplates()).resourceTemplates.length, 1);
      // This client shows the legacy code -32002 as -32602 too.
      assertEquals(await codeOf(client.readResource({ uri: "x://none" })), -32602);
      assertEquals(await codeOf(client.callTool({ name: "nope" })), -32602);
      const { completion } = await client.complete({
        ref: { type: "ref/resource", uri: "cad://session/{id}/state.json" },
        argument: { name: "id", value: "a" },
      });
      assertEquals(completion.values, ["id=a"]);
      const subscription = modern ? await client.listen({ resourcesListChanged: true }) : undefined;
      await client.callTool({ name: "echo", arguments: { change: true } });
      await changed.promise;
      await subscription?.close();
      const giveUp = new AbortController();
      const slow = client.callTool({ name: "slow" }, { signal: giveUp.signal });
      giveUp.abort();
      await assertRejects(() => slow);
      assert((await client.callTool(ADD)).isError !== true);
    } finally {
      await client.close();
    }
  });
}
