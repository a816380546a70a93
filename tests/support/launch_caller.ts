/**
 * A program that does what a bridge does for `ocs_sessions`: says "ready", waits for a line on stdin, looks
 * for a session or launches one, prints `{"sessions": [...]}` or `{"error": ...}`, and stays.
 *
 * Arguments: the automation directory, the editor's executable.
 */

import { createEditorSide } from "../../src/editor/side.ts";

const [directory = "", command = ""] = Deno.args;

async function say(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(`${text}\n`));
}

const side = createEditorSide({
  directory,
  editor: { command, found: "the test" },
  editorPlaces: ["the test"],
  environment: { DISPLAY: ":0" },
});
await say("ready");
await Deno.stdin.read(new Uint8Array(1));
try {
  const { live } = await side.sessions(true, {
    signal: new AbortController().signal,
    phase() {},
  });
  await say(JSON.stringify({ sessions: live.map(({ sessionId }) => sessionId) }));
} catch (error) {
  await say(JSON.stringify({ error: error instanceof Error ? error.message : "?" }));
}
// Until the test ends us.
await Deno.stdin.read(new Uint8Array(1));
