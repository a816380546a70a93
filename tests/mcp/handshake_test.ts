import { assertEquals } from "@std/assert";
import { Client } from "./client.ts";

const client = { name: "x", version: "1" };

Deno.test("case 24: each legacy version is echoed, any other gets the newest legacy one", async () => {
  for (
    const [asked, answered] of [
      ["2024-11-05", "2024-11-05"],
      ["2025-03-26", "2025-03-26"],
      ["2025-06-18", "2025-06-18"],
      ["2025-11-25", "2025-11-25"],
      ["2099-01-01", "2025-11-25"],
      ["1.0.0", "2025-11-25"],
      ["2026-07-28", "2025-11-25"],
      ["", "2025-11-25"],
    ] as const
  ) {
    const one = new Client();
    assertEquals((await one.initialize(asked)).protocolVersion, answered);
    await one.close();
  }
});

Deno.test("case 24: initialize without its parameters is refused with -32602", async () => {
  const one = new Client();
  for (
    const params of [
      {},
      { protocolVersion: "2025-11-25", capabilities: {} },
      { protocolVersion: "2025-11-25", clientInfo: client },
      { capabilities: {}, clientInfo: client },
      { protocolVersion: 5, capabilities: {}, clientInfo: client },
      { protocolVersion: "2025-11-25", capabilities: [], clientInfo: client },
      { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x" } },
    ]
  ) {
    assertEquals((await one.error(40, "initialize", params)).code, -32602, JSON.stringify(params));
  }
  assertEquals((await one.error(41, "tools/list")).code, -32602);
  await one.close();
});

Deno.test("the answer to initialize is exactly what bridge.md section 1 says", async () => {
  const one = new Client();
  assertEquals(await one.initialize(), {
    protocolVersion: "2025-11-25",
    capabilities: {
      tools: { listChanged: false },
      resources: { subscribe: false, listChanged: true },
      completions: {},
      experimental: { "opencadstudio.build": { name: "fake" } },
    },
    serverInfo: { name: "OpenCADStudio", title: "Open CAD Studio", version: "0.1.0" },
    instructions: "Call ocs_sessions first.",
  });
  await one.close();
});

Deno.test("completions are declared and served from 2025-03-26 on", async () => {
  const asked = {
    ref: { type: "ref/resource", uri: "cad://session/{id}/state.json" },
    argument: { name: "id", value: "a" },
  };
  const old = new Client();
  assertEquals(Object.keys(Object((await old.initialize("2024-11-05")).capabilities)), [
    "tools",
    "resources",
    "experimental",
  ]);
  assertEquals((await old.error(1, "completion/complete", asked)).code, -32601);
  await old.close();
  const newer = new Client();
  await newer.initialize("2025-03-26");
  assertEquals(await newer.result(1, "completion/complete", asked), {
    completion: { values: ["id=a"], total: 1, hasMore: false },
  });
  await newer.close();
});

Deno.test("a second initialize is answered again and renegotiates", async () => {
  const one = new Client();
  await one.initialize("2024-11-05");
  assertEquals((await one.initialize("2025-06-18")).protocolVersion, "2025-06-18");
  await one.result(1, "tools/call", { name: "echo" });
  assertEquals(one.face.calls[0]?.call.protocolVersion, "2025-06-18");
  await one.close();
});
