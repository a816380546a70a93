/** The client's side over a fake face as a program of its own, for tests that need real pipes. */

import type { JsonObject } from "../../src/host/json.ts";
import { serveConnection } from "../../src/mcp/connection.ts";
import type { CallContext, ToolResult } from "../../src/mcp/face.ts";
import { FakeFace } from "./fake_face.ts";

/** `echo` with `change: true` changes the resources; with `size` it answers that many letters. */
class ProgramFace extends FakeFace {
  override callTool(name: string, args: JsonObject, call: CallContext) {
    if (args.change === true) this.changeResources();
    if (typeof args.size !== "number") return super.callTool(name, args, call);
    const text = "x".repeat(args.size);
    return Promise.resolve<ToolResult>({ content: [{ type: "text", text }] });
  }
}

if (import.meta.main) {
  await serveConnection(new ProgramFace(), { reader: Deno.stdin, writer: Deno.stdout });
  Deno.exit(0);
}
