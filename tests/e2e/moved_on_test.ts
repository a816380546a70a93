import { assertEquals, assertMatch } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { testEachProgram } from "../support/bridge_program.ts";
import { objectIn } from "../support/expect.ts";
import { Agent, askDirectly, bridgeAt, deskHere } from "./stage.ts";

/** What somebody else does between two calls, and how the editor refuses the next one. */
const MOVES: readonly { readonly code: string; readonly theirs: JsonObject }[] = [
  { code: "selection_changed", theirs: { op: "select", type: "Circle", document_id: 2 } },
  { code: "document_not_active", theirs: { op: "new" } },
  { code: "document_closed", theirs: { op: "close", document_id: 2, discard: true } },
  { code: "stale_state", theirs: { op: "sysvar", set: { ltscale: 2 }, document_id: 2 } },
];

testEachProgram(
  "whatever somebody else did meanwhile, the advice that comes with the refusal leads on",
  async (program) => {
    for (const { code, theirs } of MOVES) {
      await using desk = await deskHere();
      await using bridge = await bridgeAt(program, desk.configDir);
      const agent = new Agent(bridge, desk.sessionId);
      await agent.draw([{ type: "Circle", center: [0, 0], radius: 5 }]);
      const reply = await askDirectly(desk, { request_id: "theirs", ...theirs });
      assertEquals(reply.ok, true, JSON.stringify(reply));
      // It names no document, no revision and no selection: those are the bridge's to fill in.
      const undo = agent.operation({ op: "undo" });
      const refusal = objectIn(JSON.parse(await agent.refusal("ocs_execute", undo)));
      assertEquals(refusal.code, code);
      if (refusal.state === undefined) {
        assertMatch(String(refusal.next), /\bread \w+/, code);
        await agent.read(/\bread (\w+)/.exec(String(refusal.next))?.[1] ?? "");
      }
      assertEquals((await agent.tool("ocs_execute", undo)).status, "completed", code);
    }
  },
);
