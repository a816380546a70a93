/** `ocs-bridge call TOOL [JSON]`: one tool call without a client. */

import { isJsonObject, type JsonObject } from "../host/json.ts";
import type { CallContext, ContentBlock } from "../mcp/face.ts";
import type { Bridge } from "./bridge.ts";
import type { Order } from "./order.ts";
import { writeError, writeOut } from "./output.ts";

/** Calls the tool and prints its answer; 1 when the answer is an error, 2 for bad arguments. */
export async function call(bridge: Bridge, order: Order, signal: AbortSignal): Promise<number> {
  const [tool = "", source = "{}"] = order.words;
  const args = parseObject(source);
  if (args === undefined) {
    writeError(`ocs-bridge: The arguments of ${tool} must be one JSON object, not: ${source}\n`);
    return 2;
  }
  let phase = "";
  const context: CallContext = {
    id: "call",
    era: "legacy",
    protocolVersion: "2025-11-25",
    signal,
    tasks: false,
    phase(message) {
      // Told several times a second, for clients that show progress; a log wants each once.
      if (message !== phase) bridge.log.info(message);
      phase = message;
    },
  };
  const answer = await bridge.face.callTool(tool, args, context);
  // Without the tasks extension there are none; the type allows both.
  if ("task" in answer) return 1;
  writeOut(
    order.options.json
      ? `${JSON.stringify(answer)}\n`
      : answer.content.map((block) => `${blockText(block)}\n`).join(""),
  );
  return answer.isError ? 1 : 0;
}

function parseObject(source: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not JSON: the caller says what was expected.
    return undefined;
  }
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return readable(block.text);
    case "image":
      return `(a picture, ${block.mimeType}, ${block.data.length} characters of base64; see --json)`;
    case "resource_link":
      return block.uri;
  }
}

/** JSON on lines of its own, for a person; any other text as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A sentence, such as what is wrong with the arguments.
    return text;
  }
}
