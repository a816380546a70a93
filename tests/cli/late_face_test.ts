/** A face whose tools come later: it greets at once and passes everything on afterwards. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { lateFace } from "../../src/cli/late_face.ts";
import { openBridge } from "../../src/cli/bridge.ts";
import type { Order } from "../../src/cli/order.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { policyOf } from "../../src/cli/policy.ts";
import type { ServerFace } from "../../src/mcp/face.ts";
import { greetingOf } from "../../src/tools/greeting.ts";
import { listingOf } from "../../src/tools/tool_list.ts";

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
  let listed = 0;
  let opened = 0;
  let closed = 0;
  const fired = new Set<() => void>();
  const made = lateFace(greetingOf(IDENTITY), {
    list() {
      listed++;
      return Promise.resolve(listingOf(policyOf(order()), "full"));
    },
    async open(listing) {
      opened++;
      const { face } = await openBridge(order(), IDENTITY, listing);
      const spied: ServerFace = {
        ...face,
        onResourcesChanged(listener) {
          fired.add(listener);
          return () => fired.delete(listener);
        },
        close(picks) {
          closed++;
          return face.close(picks);
        },
      };
      return spied;
    },
  });
  return { ...made, loaded: () => [listed, opened], closed: () => closed, fired };
}

Deno.test("it greets before anything is loaded, with what the whole face would say", async () => {
  const { face, loaded } = late();
  const { face: whole } = await openBridge(order(), IDENTITY);
  assertEquals(face.serverInfo, whole.serverInfo);
  assertEquals(face.experimental, whole.experimental);
  assertEquals(face.instructions, whole.instructions);
  assertEquals(loaded(), [0, 0]);
  await whole.close("retract");
});

Deno.test("the lists are there before the rest, as the whole face would show them", async () => {
  const { face, list, loaded } = late();
  assertThrows(() => face.tools, Error, "before they were loaded");
  await Promise.all([list(), list()]);
  assertEquals(loaded(), [1, 0]);
  const { face: whole } = await openBridge(order(), IDENTITY);
  assertEquals(face.tools, whole.tools);
  assertEquals(face.resourceTemplates, whole.resourceTemplates);
  await whole.close("retract");
});

Deno.test("a call waits for the rest, which is loaded once", async () => {
  const { face, open, loaded } = late();
  const answers = await Promise.all(
    [1, 2].map((id) =>
      face.callTool("ocs_read", { ocs_session_id: "x", op: "capture" }, {
        id,
        era: "legacy",
        protocolVersion: "2025-11-25",
        signal: new AbortController().signal,
        tasks: false,
        phase() {},
      })
    ),
  );
  assertEquals(answers.map((answer) => "content" in answer && answer.isError), [true, true]);
  await open();
  assertEquals(loaded(), [1, 1]);
  await face.close("retract");
});

Deno.test("who listened before is heard afterwards, who stopped is not", async () => {
  const { face, open, fired } = late();
  const heard: string[] = [];
  face.onResourcesChanged(() => heard.push("early"));
  const stop = face.onResourcesChanged(() => heard.push("stopped"));
  stop();
  const later = face.onResourcesChanged(() => heard.push("stopped later"));
  await open();
  later();
  face.onResourcesChanged(() => heard.push("late"));
  for (const listener of fired) listener();
  assertEquals(heard, ["early", "late"]);
  await face.close("retract");
});

Deno.test("closing closes what is there, also what is still coming, and nothing else", async () => {
  const untouched = late();
  await untouched.face.close("retract");
  assertEquals([untouched.loaded(), untouched.closed()], [[0, 0], 0]);
  const coming = late();
  const loading = coming.open();
  await coming.face.close("retract");
  await loading;
  assertEquals(coming.closed(), 1);
});

Deno.test("what cannot be loaded is said to whoever loads it", async () => {
  const { list, open } = lateFace(greetingOf(IDENTITY), {
    list: () => Promise.reject(new Error("no tools")),
    open: () => Promise.reject(new Error("never asked")),
  });
  await assertRejects(list, Error, "no tools");
  await assertRejects(open, Error, "no tools");
});
