/** Tests of the face as a whole: identity, unknown tools, any JSON as arguments. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { InfrastructureError, ToolError } from "../../src/host/faults.ts";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { ProtocolFault } from "../../src/mcp/faults.ts";
import { bench, call, FakeEditor, IDENTITY } from "./fake_editor.ts";

Deno.test("serverInfo has exactly three keys and the identity is experimental", () => {
  const { face } = bench();
  assertEquals(face.serverInfo, {
    name: "OpenCADStudio",
    title: "Open CAD Studio",
    version: "1.2.3",
  });
  assertEquals(face.experimental, { "opencadstudio.build": { ...IDENTITY } });
});

Deno.test("an unknown tool is -32602 and names the four", async () => {
  const { face } = bench();
  const error = await assertRejects(() => face.callTool("ocs_draw", {}, call()), ProtocolFault);
  assertEquals(error.code, -32602);
  assertEquals(
    error.message,
    "Unknown tool: ocs_draw. The tools are ocs_sessions, ocs_read, ocs_execute, ocs_capture.",
  );
});

Deno.test("making a face and listing its tools touches no editor and no disk", () => {
  const { face, editor, disk, clock } = bench();
  assert(face.tools.length === 4 && face.instructions !== "");
  assertEquals([editor.touched, disk.folders.length, clock.pending], [0, 0, 0]);
});

Deno.test("closing closes the editor's side and stops all callbacks", async () => {
  const { face, editor } = bench();
  let heard = 0;
  face.onResourcesChanged(() => heard++);
  await face.close("retract");
  editor.change(() => {});
  assertEquals([editor.closed, heard], [1, 0]);
});

const NAMES = ["ocs_sessions", "ocs_read", "ocs_execute", "ocs_capture"] as const;

/** Objects that look like arguments: known names with any JSON, and anything else beside. */
const argumentsOf = fc.dictionary(
  fc.constantFrom(
    "ocs_session_id",
    "op",
    "parameters",
    "request",
    "wait_seconds",
    "response_detail",
    "launch_if_none",
    "max_dimension",
    "tile",
    "bounds",
    "view",
    "delivery",
    "diff",
    "focus_handles",
    "__proto__",
    "other",
  ),
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom("s1", "", "state", "query", 256, true, null, [0, 0, 9, 9]),
    fc.record({ op: fc.constantFrom("undo", "open", "capture"), request_id: fc.jsonValue() }),
    fc.record({ level: fc.integer({ min: -1, max: 8 }), x: fc.integer(), y: fc.double() }),
  ),
);

Deno.test("any JSON as arguments gives a result or a typed error, and the editor hears only what is valid", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NAMES), argumentsOf, async (name, args) => {
      const { face, editor } = bench({}, new FakeEditor("s1"));
      editor.the("s1").onExecute = () => ({ ok: false, status: "failed", error: "scripted" });
      const given: unknown = JSON.parse(JSON.stringify(args));
      if (!isJsonObject(given)) return;
      const outcome = await face.callTool(name, given, call()).catch((error: unknown) => error);
      if (outcome instanceof ToolError) {
        assertEquals(editor.touched, 0);
      } else if (!(outcome instanceof InfrastructureError)) {
        if (!isJsonObject(outcome) || !Array.isArray(outcome.content)) throw outcome;
        assert(outcome.content.length > 0);
        assert(outcome.isError === undefined || outcome.structuredContent === undefined);
      }
      for (const { how, request } of editor.the("s1").asked) assertValid(how, request, name);
    }),
    { numRuns: 400 },
  );
});

/** What the editor's side may see at all from each tool. */
function assertValid(how: string, request: JsonObject, tool: string): void {
  if (how === "read") assert(tool === "ocs_read" && typeof request.op === "string");
  if (how === "poll") assert(tool === "ocs_read" && typeof request.request_id === "string");
  if (how !== "execute" && how !== "batch") return;
  const id = request.request_id;
  assert(typeof id === "string" && id.length > 0);
  assert(tool === "ocs_execute" || (tool === "ocs_capture" && request.op === "capture"));
}
