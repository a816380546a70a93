/** Tests of `ocs_sessions`. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ToolError } from "../../src/host/faults.ts";
import { answer, bench, call, FakeEditor, IDENTITY, textJson } from "./fake_editor.ts";

Deno.test("every session carries the bridge's identity, and text and structure agree", async () => {
  const { face } = bench({}, new FakeEditor("s1", "s2"));
  const result = await answer(face, "ocs_sessions", {});
  assertEquals(result.structuredContent, {
    result: [
      { session_id: "s1", document_id: 1, revision: 4, bridge: { ...IDENTITY } },
      { session_id: "s2", document_id: 1, revision: 4, bridge: { ...IDENTITY } },
    ],
  });
  assertEquals(textJson(result), result.structuredContent);
  assertEquals(result.content.length, 1);
});

Deno.test("a bridge key of the editor's own is kept", async () => {
  const { face, editor } = bench();
  editor.the("s1").state = { session_id: "s1", bridge: { name: "theirs" } };
  const result = await answer(face, "ocs_sessions", {});
  assertEquals(result.structuredContent, {
    result: [{ session_id: "s1", bridge: { name: "theirs" } }],
  });
});

Deno.test("the editor is launched unless told otherwise, and never in read-only mode", async () => {
  const { face, editor } = bench();
  await answer(face, "ocs_sessions", {});
  await answer(face, "ocs_sessions", { launch_if_none: null });
  await answer(face, "ocs_sessions", { launch_if_none: false });
  assertEquals(editor.launches, [true, true, false]);
  const careful = bench({ policy: { readOnly: true, workspaces: [] } });
  await answer(careful.face, "ocs_sessions", { launch_if_none: true });
  assertEquals(careful.editor.launches, [false]);
});

Deno.test("no session names the directory that was looked in", async () => {
  const { face } = bench({}, new FakeEditor());
  const json = textJson(await answer(face, "ocs_sessions", { launch_if_none: false }));
  assertEquals(json.result, []);
  assertStringIncludes(String(json.next), "No live session in /config/automation.");
});

Deno.test("no session says what was found and not used", async () => {
  const editor = new FakeEditor();
  editor.skipped = ["a", "b", "c", "d"].map((name) => ({
    file: `${name}.json`,
    reason: "Is not JSON",
  }));
  const { face } = bench({}, editor);
  const json = textJson(await answer(face, "ocs_sessions", { launch_if_none: false }));
  assertStringIncludes(String(json.next), "Not used: a.json: Is not JSON; b.json");
  assertStringIncludes(String(json.next), "c.json: Is not JSON; and 1 more.");
  // A second look would take as long again, and could contradict the first.
  assertEquals(editor.touched, 1);
});

Deno.test("a wrong launch_if_none is refused before looking", async () => {
  const { face, editor } = bench();
  const error = await assertRejects(
    () => face.callTool("ocs_sessions", { launch_if_none: "yes" }, call()),
    ToolError,
  );
  assertEquals(
    error.message,
    'Invalid launch_if_none for ocs_sessions: expected true or false, got "yes".',
  );
  assertEquals(editor.touched, 0);
});

Deno.test("an unknown argument is a warning, not a failure", async () => {
  const { face } = bench();
  const json = textJson(await answer(face, "ocs_sessions", { verbose: true }));
  assertEquals(json.warnings, ["unknown argument 'verbose' ignored for tool 'ocs_sessions'"]);
});
