/** Tests of what is listed: names, order, shapes, sizes. */

import { assert, assertEquals } from "@std/assert";
import { INSTRUCTIONS } from "../../src/tools/instructions.ts";
import { bench } from "./fake_editor.ts";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

Deno.test("there are four tools in the order of the contract, with their hints", () => {
  const { face } = bench();
  const hints = face.tools.map(({ name, annotations: a }) => [
    name,
    a.readOnlyHint,
    a.destructiveHint,
    a.idempotentHint,
    a.openWorldHint,
  ]);
  assertEquals(hints, [
    ["ocs_sessions", false, false, true, false],
    ["ocs_read", true, false, true, false],
    ["ocs_execute", false, true, true, false],
    ["ocs_capture", true, false, true, false],
  ]);
});

Deno.test("every tool has a title, a description and object roots", () => {
  for (const style of ["full", "flat"] as const) {
    for (const tool of bench({ schemaStyle: style }).face.tools) {
      assert(tool.title !== "" && tool.description !== "");
      assertEquals(tool.inputSchema.type, "object");
      assertEquals(tool.outputSchema?.type ?? "object", "object");
      assertEquals(Object.keys(tool.annotations).length, 4);
    }
  }
});

Deno.test("arguments are those of the contract, required ones marked", () => {
  const shapes = bench().face.tools.map(({ name, inputSchema: { properties, required } }) => [
    name,
    Object.keys(properties ?? {}),
    required,
  ]);
  assertEquals(shapes, [
    ["ocs_sessions", ["launch_if_none"], undefined],
    ["ocs_read", ["ocs_session_id", "op", "parameters"], ["ocs_session_id"]],
    [
      "ocs_execute",
      ["ocs_session_id", "request", "wait_seconds", "response_detail"],
      ["ocs_session_id", "request"],
    ],
    [
      "ocs_capture",
      [
        "ocs_session_id",
        "request_id",
        "scope",
        "max_dimension",
        "delivery",
        "diff",
        "diff_mode",
        "reset_diff_baseline",
        "view",
        "bounds",
        "focus_handles",
        "highlight_handles",
        "annotate",
        "tile",
        "pyramid_manifest",
      ],
      ["ocs_session_id"],
    ],
  ]);
});

Deno.test("the list stays under 96 KiB in both styles, the instructions under 3 KiB", () => {
  for (const style of ["full", "flat"] as const) {
    assert(bytes({ tools: bench({ schemaStyle: style }).face.tools }) < 96 * 1024);
  }
  assert(bytes(INSTRUCTIONS) <= 3 * 1024);
});

Deno.test("the flat style has no references", () => {
  const text = JSON.stringify(bench({ schemaStyle: "flat" }).face.tools);
  assertEquals(/"\$ref"|"\$defs"|"anyOf"/.test(text), false);
});

Deno.test("the list is the same object each time", () => {
  const { face } = bench();
  assert(face.tools === face.tools);
});
