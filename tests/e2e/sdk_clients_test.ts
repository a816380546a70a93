/** The SDK's own clients against the program: what it tells them while they wait and listen. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { EXECUTABLE, type Program, PROGRAMS } from "../support/bridge_program.ts";
import { objectIn } from "../support/expect.ts";
import { askDirectly, type DeskHere, deskHere, untilState } from "./stage.ts";

const IDENTITY = { name: "test", version: "1" };
const TASKS = "io.modelcontextprotocol/tasks";
const CIRCLE = { op: "entities_create", entities: [{ type: "Circle", center: [0, 0], radius: 5 }] };

/** A desk with an empty drawing open that takes its time to draw. */
async function slowDesk(ms: number): Promise<DeskHere> {
  const desk = await deskHere({ slow: new Map([["entities_create", ms]]) });
  await askDirectly(desk, { op: "new", request_id: "open" });
  return desk;
}

function command({ command, args, env }: Program, { configDir }: DeskHere) {
  return { command, args: [...args, "--config-dir", configDir], env: { ...env } };
}

function execute({ sessionId }: DeskHere, request: JsonObject, more: JsonObject = {}) {
  const identified = { request_id: crypto.randomUUID(), ...request };
  const args = { ocs_session_id: sessionId, request: identified, ...more };
  return { name: "ocs_execute", arguments: args };
}

interface Told {
  readonly progress: number;
  readonly message?: string | undefined;
}

/** Checks what a client was told of a call: the phase it waits for, rising, once a second at most. */
function assertTold(told: readonly Told[]): void {
  assertEquals(told.at(-1)?.message, "entities_create", JSON.stringify(told));
  told.forEach(({ progress }, at) => {
    assert(progress - (told[at - 1]?.progress ?? 0) > 0.99, JSON.stringify(told));
  });
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const error = await assertRejects(() => promise);
  return error instanceof Error && "code" in error ? error.code : error;
}

/** Registers a test for each way to run the program; the SDK's clients leave timers behind. */
function testEach(name: string, run: (program: Program) => Promise<void>): void {
  for (const program of PROGRAMS) {
    const why = program.missing === undefined ? "" : `, skipped: ${EXECUTABLE.missing}`;
    Deno.test({
      name: `${name} (${program.name}${why})`,
      ignore: program.missing !== undefined,
      sanitizeOps: false,
      sanitizeResources: false,
      fn: () => run(program),
    });
  }
}

testEach("the SDK's v2 client sees progress, listens and drives a task", async (program) => {
  await using desk = await slowDesk(2_500);
  const client = new ModernClient(IDENTITY, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    capabilities: { extensions: { [TASKS]: {} } },
  });
  const changed = Promise.withResolvers<void>();
  client.setNotificationHandler("notifications/resources/list_changed", () => changed.resolve());
  const transport = new ModernTransport(command(program, desk));
  await client.connect(transport);
  try {
    const told: Told[] = [];
    const onprogress = (news: Told) => void told.push(news);
    const drawn = await client.callTool(execute(desk, CIRCLE), { onprogress });
    assertEquals(objectIn(drawn.structuredContent).status, "completed");
    assertTold(told);

    const subscription = await client.listen({ resourcesListChanged: true });
    await client.callTool({ name: "ocs_capture", arguments: { ocs_session_id: desk.sessionId } });
    await changed.promise;
    await subscription.close();

    // This client has no words for a task that starts, so its id is read off the wire.
    const started = Promise.withResolvers<string>();
    const hear = transport.onmessage;
    transport.onmessage = (message) => {
      const result = "result" in message ? message.result : undefined;
      if (isJsonObject(result) && result.resultType === "task") {
        started.resolve(String(result.taskId));
      }
      hear?.(message);
    };
    const start = client.callTool(execute(desk, CIRCLE, { wait_seconds: 0 }));
    assertEquals(await codeOf(start), "UNSUPPORTED_RESULT_TYPE");
    const params = { taskId: await started.promise };
    const ask = (method: string, more: JsonObject = {}) =>
      client.request({ method, params: { ...params, ...more } }, z.looseObject({}));
    assertEquals((await ask("tasks/get")).status, "working");
    await ask("tasks/update", { inputResponses: {} });
    await untilState(desk, ({ operation }) => operation === null);
    const done = await ask("tasks/get");
    assertEquals(done.status, "completed");
    assertEquals(objectIn(objectIn(done.result).structuredContent).status, "completed");
    await ask("tasks/cancel");
    assertEquals(await codeOf(ask("tasks/get", { taskId: "nope" })), -32602);
  } finally {
    await client.close();
  }
});

testEach(
  "the SDK's v1 client sees progress, list changes and missing resources",
  async (program) => {
    await using desk = await slowDesk(2_500);
    const client = new LegacyClient(IDENTITY);
    const changed = Promise.withResolvers<void>();
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => changed.resolve());
    await client.connect(new LegacyTransport(command(program, desk)));
    try {
      const told: { progress: number; message?: string }[] = [];
      const onprogress = ({ progress, message }: { progress: number; message?: string }) =>
        void told.push({ progress, ...(message !== undefined && { message }) });
      const drawn = await client.callTool(execute(desk, CIRCLE), undefined, { onprogress });
      assertEquals(objectIn(drawn.structuredContent).status, "completed");
      assertTold(told);

      const { structuredContent } = await client.callTool({
        name: "ocs_capture",
        arguments: { ocs_session_id: desk.sessionId, delivery: "resource" },
      });
      await changed.promise;
      const { uri } = objectIn(structuredContent);
      const { contents: [read] } = await client.readResource({ uri: String(uri) });
      assertEquals(read?.mimeType, "image/png");
      for (const path of ["snapshot/latest.json", "tile/1/2/0.png", "nothing"]) {
        const missing = { uri: `cad://session/${desk.sessionId}/${path}` };
        const error = await assertRejects(() => client.readResource(missing));
        const { code, data } = error instanceof Error && "code" in error && "data" in error
          ? error
          : { code: error, data: undefined };
        assertEquals([code, data], [-32002, missing]);
      }
    } finally {
      await client.close();
    }
  },
);
