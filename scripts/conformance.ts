/**
 * `deno task conformance`: the named gates (bridge.md 15), then the real clients, against the
 * program from source and, where there is one, the executable. No editor is needed: what touches a
 * drawing runs against the desk.
 */

import { assertEquals } from "@std/assert";
import { type Program, PROGRAMS } from "../tests/support/bridge_program.ts";
import { type DeskProgram, startDeskProgram } from "../tests/support/desk_program.ts";
import { arrayIn, objectIn } from "../tests/support/expect.ts";
import { refuseUnknown } from "./arguments.ts";
import { CLIENT_KINDS, deskCalls, headlessCalls } from "./conformance/clients.ts";
import { GATES } from "./conformance/gates.ts";
import { inspect, installInspector } from "./conformance/inspector.ts";
import { Report } from "./conformance/report.ts";

refuseUnknown("conformance", "no arguments");
const report = new Report();
for (const program of PROGRAMS) {
  report.heading(`The program: ${program.name}`);
  if (program.missing === undefined) await examine(program);
  else report.skip(program.name, program.missing);
}
Deno.exit(report.finish());

async function examine(program: Program): Promise<void> {
  for (const gate of GATES) await report.check(gate.name, () => gate.run(program));
  const empty = await Deno.makeTempDir({ prefix: "ocs-conformance-" });
  for (const kind of CLIENT_KINDS) {
    await report.check(`${kind.name}, no editor`, () => kind.run(program, empty, headlessCalls));
    await report.check(`${kind.name}, drawing in the desk`, async () => {
      await using desk = await startDeskProgram({ program });
      await kind.run(program, desk.configDir, (client) => deskCalls(client, desk.sessionId));
    });
  }
  await report.check("Inspector, installed from npm", installInspector);
  for (const era of ["legacy", "modern"] as const) {
    await report.check(
      `Inspector (${era}), no editor`,
      () => listedByInspector(program, era, empty),
    );
    await report.check(`Inspector (${era}), drawing in the desk`, async () => {
      await using desk = await startDeskProgram({ program });
      await drawnByInspector(program, era, desk);
    });
  }
  await report.check("Inspector (modern), a task driven to its end", async () => {
    await using desk = await startDeskProgram({ program, args: ["--slow", "new=1500"] });
    await taskDrivenByInspector(program, desk);
  });
  await Deno.remove(empty, { recursive: true });
}

type Era = "legacy" | "modern";

async function listedByInspector(program: Program, era: Era, directory: string): Promise<void> {
  const args = ["--config-dir", directory];
  const lists = [["tools/list", "tools", 4], ["resources/list", "resources", 0]] as const;
  for (const [method, key, count] of lists) {
    // Strict also fails on schemas that some clients cannot digest.
    const strict = method === "tools/list" ? ["--strict"] : [];
    const result = await inspect({ program, args, era, ask: ["--method", method, ...strict] });
    assertEquals(arrayIn(result[key], `${key} of ${method}`).length, count, method);
  }
}

async function drawnByInspector(program: Program, era: Era, desk: DeskProgram): Promise<void> {
  const request = { op: "new", request_id: `inspector-${era}` };
  const result = await inspect({
    program,
    args: ["--config-dir", desk.configDir],
    era,
    ask: toolCall("ocs_execute", { ocs_session_id: desk.sessionId, request }),
  });
  assertCompleted(result);
}

async function taskDrivenByInspector(program: Program, desk: DeskProgram): Promise<void> {
  const request = { op: "new", request_id: "inspector-task" };
  const result = await inspect({
    program,
    args: ["--config-dir", desk.configDir],
    era: "modern",
    ask: toolCall("ocs_execute", {
      ocs_session_id: desk.sessionId,
      request,
      wait_seconds: 0,
    }),
  });
  // With a wait of 0 s a plain answer would say "running": only a task comes to its end.
  assertCompleted(result);
}

function toolCall(name: string, args: unknown): string[] {
  return [
    "--method",
    "tools/call",
    "--tool-name",
    name,
    "--tool-args-json",
    JSON.stringify(args),
  ];
}

function assertCompleted(result: { readonly structuredContent?: unknown }): void {
  assertEquals(objectIn(result.structuredContent, "the answer").status, "completed");
}
