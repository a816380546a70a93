/** What is written in place of a message that cannot be: it is no JSON, or more than clients take. */

import { isJsonObject, type JsonObject } from "../host/json.ts";
import { errorMessage } from "./answers.ts";
import { ErrorCode } from "./faults.ts";
import { isRequestId } from "./message.ts";

/**
 * The longest line that is written, in bytes. SDK clients close the connection over 10 MiB
 * (mcp-stdio.md section 0, fact 20), and may then hold one chunk of the next line as well.
 */
export const LINE_LIMIT_BYTES = 10 * 1024 * 1024 - 64 * 1024;

/** A line is longer than `LINE_LIMIT_BYTES`. */
export class LineTooLong extends Error {
  constructor(readonly bytes: number) {
    super(`It takes ${bytes} bytes, more than the ${LINE_LIMIT_BYTES} that clients accept.`);
  }
}

/** Longer ids and messages are not repeated. */
const REPEATED_CHARACTERS = 1_000;

/**
 * What stands for one message or for a batch; undefined when nothing has to, since nobody waits for
 * a notification. In a batch the largest answers are replaced until the rest fits.
 */
export function substitute(
  message: JsonObject | readonly JsonObject[],
): JsonObject | readonly JsonObject[] | undefined {
  if (isJsonObject(message)) {
    return message.method === undefined ? inPlaceOf(message, sizeOf(message)) : undefined;
  }
  const answers = message.map((answer) => ({ answer, bytes: sizeOf(answer) }));
  let total = 0;
  const fitting = new Map<JsonObject, JsonObject>();
  for (const { answer, bytes } of answers.sort((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0))) {
    const fits = bytes !== undefined && total + bytes < LINE_LIMIT_BYTES;
    const kept = fits ? answer : inPlaceOf(answer, bytes);
    total += (sizeOf(kept) ?? 0) + 1;
    fitting.set(answer, kept);
  }
  // Of so many messages not even the errors fit.
  if (total > LINE_LIMIT_BYTES) return inPlaceOf({}, total);
  return message.map((answer) => fitting.get(answer) ?? answer);
}

/** Bytes of the message as JSON; undefined when it is none. */
function sizeOf(message: JsonObject): number | undefined {
  try {
    return new TextEncoder().encode(JSON.stringify(message)).length;
  } catch {
    // Circular or too deep. Logged by the caller.
    return undefined;
  }
}

function inPlaceOf({ id: given, result, error }: JsonObject, bytes: number | undefined) {
  const id = isRequestId(given) && String(given).length <= REPEATED_CHARACTERS ? given : undefined;
  if (isJsonObject(error) && typeof error.code === "number") {
    // It repeats what the client sent: its beginning says enough.
    const message = String(error.message).slice(0, REPEATED_CHARACTERS);
    return errorMessage(id, { code: error.code, message });
  }
  const text = bytes === undefined
    ? "Internal error: the answer could not be written. The bridge's log has more."
    : `The answer takes ${bytes} bytes, more than the ${LINE_LIMIT_BYTES} that clients accept in ` +
      "one message. Ask for less at once.";
  if (bytes === undefined || !isJsonObject(result) || !Array.isArray(result.content)) {
    return errorMessage(id, { code: ErrorCode.internal, message: text });
  }
  const { content: _content, structuredContent: _structured, ...rest } = result;
  return {
    jsonrpc: "2.0",
    ...(id !== undefined && { id }),
    result: { ...rest, content: [{ type: "text", text }], isError: true },
  };
}
