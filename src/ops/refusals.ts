/** The words in which requests are refused, and the rules that say what is missing (bridge.md 2.3). */

import type { JsonObject } from "../host/json.ts";
import { isAbsent, isAllowed, type OpPolicy, type OpSpec, type Param, type Rule } from "./spec.ts";
import { seen, type TypeFault } from "./values.ts";

/**
 * The first field that a rule asks for and the request lacks, such as `point` or `find or pairs`.
 * A parameter that is absent counts with its default.
 */
export function ruleGap(
  row: { readonly params: readonly Param[]; readonly rules?: readonly Rule[] },
  request: JsonObject,
): string | undefined {
  for (const rule of row.rules ?? []) {
    if ("any_of" in rule) {
      if (rule.any_of.every((name) => isAbsent(request[name]))) return rule.any_of.join(" or ");
      continue;
    }
    const applies = Object.entries(rule.when).every(([name, value]) =>
      isWord(row.params.find((param) => param.name === name), request, value)
    );
    if (!applies) continue;
    const absent = rule.requires.find((name) => isAbsent(request[name]));
    if (absent !== undefined) return absent;
  }
  return undefined;
}

function isWord(param: Param | undefined, request: JsonObject, word: string): boolean {
  if (param === undefined) return false;
  const value = request[param.name] ?? param.default;
  if (typeof value !== "string") return false;
  return param.type === "enum_ci" ? value.toLowerCase() === word.toLowerCase() : value === word;
}

/** The message for a missing field: bridge.md 2.3 fixes its words. Steps have no request id. */
export function missingText(field: string, op: OpSpec, inStep: boolean): string {
  return `Missing ${field} for ${op.op}. Example request: ${
    JSON.stringify(inStep ? op.example : pasteable(op))
  }`;
}

/** The op's example with a request id, so that it can be sent as it stands. */
export function pasteable(op: OpSpec): JsonObject {
  const { op: name, ...rest } = op.example;
  return { op: name, request_id: `${name}-1`, ...rest };
}

/** The message for a value of the wrong type. */
export function typeText(fault: TypeFault, op: string): string {
  return `Parameter '${fault.field}' of ${op} must be ${fault.expected}, but it is ${fault.seen}.`;
}

/** The message for a request that is no object; clients are known to send it as text. */
export function requestText(request: unknown): string {
  if (request === undefined || request === null) {
    return "Missing request: give an object with op, request_id and the op's parameters.";
  }
  const hint = typeof request === "string" ? " Send the object itself, not its JSON as text." : "";
  const saw = typeof request === "string" || typeof request === "number" ||
      typeof request === "boolean"
    ? seen(request)
    : "an array";
  return `The request must be an object with op, request_id and the op's parameters, but it is ${saw}.${hint}`;
}

/** Why the policy holds an op back, naming the option; undefined when it does not (bridge.md 11). */
export function opRefusal(op: string, policy: OpPolicy): string | undefined {
  if (isAllowed(op, policy)) return undefined;
  return policy.deny?.has(op)
    ? `The operation ${op} is denied: the bridge was started with --deny-ops naming it. ` +
      "Ask the person whether it may be allowed."
    : `The operation ${op} is not allowed: the bridge was started with --allow-ops not naming it. ` +
      "Ask the person whether it may be added.";
}
