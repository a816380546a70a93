/** A face whose tools come later: it greets at once and passes everything on afterwards. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { lateFace } from "../../src/cli/late_face.ts";
import { openBridge } from "../../src/cli/bridge.ts";
import type { Order } from "../../src/cli/order.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import type { ServerFace } from "../../src/mcp/face.ts";
import { greetingOf } from "../../src/tools/greeting.ts";

const IDENTITY = {
  name: "ocs-bridge",
  version: "1.2.3",
  build_rev: "1a2b3c4",
  build_profile: "release",
  tool_schema: "0",
} as const;

function order(): Order {
  const asked = parseCommandLine([], () => undefined);
  if (asked.kind !== "command") throw new Error("serve is a command");
  return {
    command: "serve",
    words: [],
    options: asked.options,
    places: {
      missingVariable: "HOME",
      editor: { tried: [] },
      watched: [],
      workspaces: [],
      reach: { own: [], workspaces: [], programs: [] },
    },
    build: { rev: IDENTITY.build_rev, profile: IDENTITY.build_profile },
    environment: {},
  };
}

function late() {
  let opened = 0;
  let closed = 0;
  const fired = new Set<() => void>();
  const made = lateFace(greetingOf(IDENTITY), async () => {
    opened++;
    const { face } = await openBridge(order(), IDENTITY);
    const spied: ServerFace = {
      ...face,
      onResourcesChanged(listener) {
        fired.add(listener);
        return () => fired.delete(listener);
      },
      close() {
        closed++;
        return face.close();
      },
    };
    return spied;
  });
  return { ...made, opened: () => opened, closed: () => closed, fired };
}

Deno.test("it greets before anything is loaded, with what the whole face would say", async () => {
  const { face, opened } = late();
  const { face: whole } = await openBridge(order(), IDENTITY);
  assertEquals(face.serverInfo, whole.serverInfo);
  assertEquals(face.experimental, whole.experimental);
  assertEquals(face.instructions, whole.instructions);
  assertEquals(opened(), 0);
});

Deno.test("the tools are there once loaded, and loaded only once", async () => {
  const { face, load, opened } = late();
  assertThrows(() => face.tools, Error, "before they were loaded");
  await Promise.all([load(), load()]);
  await load();
  assertEquals(opened(), 1);
  assertEquals(face.tools.map((tool) => tool.name).length, 4);
  assertEquals(face.resourceTemplates.length > 0, true);
});

Deno.test("who listened before is heard afterwards, who stopped is not", async () => {
  const { face, load, fired } = late();
  const heard: string[] = [];
  face.onResourcesChanged(() => heard.push("early"));
  const stop = face.onResourcesChanged(() => heard.push("stopped"));
  stop();
  const later = face.onResourcesChanged(() => heard.push("stopped later"));
  await load();
  later();
  face.onResourcesChanged(() => heard.push("late"));
  for (const listener of fired) listener();
  assertEquals(heard, ["early", "late"]);
});

Deno.test("closing closes what is there, also what is still coming, and nothing else", async () => {
  const untouched = late();
  await untouched.face.close();
  assertEquals([untouched.opened(), untouched.closed()], [0, 0]);
  const coming = late();
  const loading = coming.load();
  await coming.face.close();
  await loading;
  assertEquals(coming.closed(), 1);
});

Deno.test("what cannot be loaded is said to whoever loads it", async () => {
  const { load } = lateFace(greetingOf(IDENTITY), () => Promise.reject(new Error("no tools")));
  await assertRejects(load, Error, "no tools");
});
