/** Short ways to say what a check answered. */

import type { Json, JsonObject } from "../../../src/host/json.ts";
import { checkExecute, checkRead } from "../../../src/ops/check.ts";
import type { OpPolicy } from "../../../src/ops/spec.ts";

/** The message of a refused request; raises when it was found valid. */
export function refusal(request: unknown, policy: OpPolicy = {}): string {
  const checked = checkExecute(request, policy);
  if (checked.ok) throw new Error(`This should be refused: ${JSON.stringify(request)}`);
  return checked.message;
}

/** The forwarded request and the warnings of a valid one; raises when it was refused. */
export function accepted(
  request: unknown,
  policy: OpPolicy = {},
): { request: JsonObject; warnings: readonly string[] } {
  const checked = checkExecute(request, policy);
  if (!checked.ok) throw new Error(checked.message);
  return { request: checked.request, warnings: checked.warnings };
}

/** The message of a refused read. */
export function readRefusal(op: unknown, parameters: unknown): string {
  const checked = checkRead(op, parameters);
  if (checked.ok) throw new Error(`This should be refused: ${JSON.stringify(parameters)}`);
  return checked.message;
}

/** The forwarded parameters and the warnings of a valid read. */
export function acceptedRead(
  op: unknown,
  parameters: unknown,
): { request: JsonObject; warnings: readonly string[] } {
  const checked = checkRead(op, parameters);
  if (!checked.ok) throw new Error(checked.message);
  return { request: checked.request, warnings: checked.warnings };
}

/** A request of an op with a request id. */
export function ask(op: string, parameters: JsonObject = {}): JsonObject {
  return { op, request_id: "r-1", ...parameters };
}

/** JSON text as a value, for what only the parser can make: `__proto__` keys, 1e999. */
export function parsed(text: string): Json {
  return JSON.parse(text);
}
