/** Validates requests against the operation table, in the order of bridge.md 2.3. */

import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import { checkDefinitions } from "./definitions.ts";
import { missingText, opRefusal, requestText, ruleGap, typeText } from "./refusals.ts";
import { isAbsent, type OpPolicy, type OpSpec, type Param, type ReadSpec } from "./spec.ts";
import {
  EXECUTE_ENVELOPE,
  EXECUTE_OPS,
  executeOp,
  READ_ENVELOPE,
  READ_OPS,
  readOp,
  REQUEST_ID_BYTES,
  STRIPPED_FROM_STEPS,
} from "./table.ts";
import { checkObject, fine, isList, seen, unsendable } from "./values.ts";

/** A refusal: what to tell the model. */
export interface Refusal {
  readonly ok: false;
  readonly message: string;
}

/** A request that may go to the editor. */
export interface Valid<Row> {
  readonly ok: true;
  readonly op: Row;
  /** What is forwarded: nulls taken out, points completed. */
  readonly request: JsonObject;
  /** For `warnings` of the result, such as keys that nobody knows. */
  readonly warnings: readonly string[];
}

const bytes = new TextEncoder();

/**
 * Validates the `request` of `ocs_execute`. Never throws, whatever JSON it is given; a request
 * that was found valid is found valid again, unchanged.
 */
export function checkExecute(request: unknown, policy: OpPolicy): Valid<OpSpec> | Refusal {
  if (!isJsonObject(request)) return refuse(requestText(request));
  const found = findOp(request.op);
  if (!found.ok) return found;
  const { op } = found;
  const badId = requestIdFault(request.request_id, op);
  if (badId !== undefined) return refuse(badId);
  const denied = opRefusal(op.op, policy);
  if (denied !== undefined) return refuse(denied);
  return checkParameters(op, request, policy, ENVELOPE_WITH_ID, "");
}

/** Validates `op` and `parameters` of `ocs_read`; both may be absent (bridge.md 2.2). */
export function checkRead(op: unknown, parameters: unknown): Valid<ReadSpec> | Refusal {
  const name = op ?? "state";
  const row = typeof name === "string" ? readOp(name) : undefined;
  if (row === undefined) return refuse(unknownRead(name));
  const given = parameters ?? {};
  if (!isJsonObject(given)) {
    return refuse(`The parameters of ${row.op} must be an object. ${readExample(row)}`);
  }
  if (!isAbsent(given.op) && given.op !== row.op) {
    // The op beside the parameters was checked; another one inside must not slip past that.
    return refuse(
      `The parameters of ${row.op} must not name another op; say it in the argument op.`,
    );
  }
  return checkReadParameters(row, { ...given, op: undefined });
}

function checkReadParameters(row: ReadSpec, given: JsonObject): Valid<ReadSpec> | Refusal {
  const absent = row.params.find((param) => param.required && isAbsent(given[param.name]))?.name ??
    ruleGap(row, given);
  if (absent !== undefined) {
    return refuse(`Missing ${absent} for ${row.op}. ${readExample(row)}`);
  }
  const warnings = new Warnings(row.op);
  const checked = checkObject([...row.params, ...READ_ENVELOPE], given, "", warnings.unknown);
  if (!checked.ok) {
    return refuse(
      checked.fault.kind === "missing"
        ? `Missing ${checked.fault.field} for ${row.op}. ${readExample(row)}`
        : typeText(checked.fault, row.op),
    );
  }
  const fault = unsendable(checked.value);
  if (fault !== undefined) return refuse(typeText(fault, row.op));
  return { ok: true, op: row, request: checked.value, warnings: warnings.list() };
}

const ENVELOPE_WITH_ID: readonly Param[] = [
  { name: "op", type: "string" },
  { name: "request_id", type: "string" },
  ...EXECUTE_ENVELOPE,
];

const STEP_ENVELOPE: readonly Param[] = [
  { name: "op", type: "string" },
  { name: "document_id", type: "integer", min: 0 },
];

/** Required, any-of and required-when, types, unknown keys: the part that steps share. */
function checkParameters(
  op: OpSpec,
  request: JsonObject,
  policy: OpPolicy,
  envelope: readonly Param[],
  step: string,
): Valid<OpSpec> | Refusal {
  const inStep = step !== "";
  const say = (text: string) => refuse(inStep ? `${step}: ${text}` : text);
  const absent = op.params.find((param) => param.required && isAbsent(request[param.name]))?.name ??
    ruleGap(op, request);
  if (absent !== undefined) return say(missingText(absent, op, inStep));
  const warnings = new Warnings(op.op, step);
  const checked = checkObject([...op.params, ...envelope], request, "", warnings.unknown);
  const valid = checked.ok ? checkInside(op, checked.value, warnings) : checked;
  if (!valid.ok) {
    return say(
      valid.fault.kind === "missing"
        ? missingText(valid.fault.field, op, inStep)
        : typeText(valid.fault, op.op),
    );
  }
  const fault = unsendable(valid.value);
  if (fault !== undefined) return say(typeText(fault, op.op));
  if (op.op !== "batch") {
    return { ok: true, op, request: valid.value, warnings: warnings.list() };
  }
  return checkSteps(op, valid.value, policy, warnings.list());
}

/** What the rows cannot say: the definitions of entities. */
function checkInside(op: OpSpec, request: JsonObject, warnings: Warnings) {
  if (op.op !== "entities_create" || !isList(request.entities)) return fine(request);
  const checked = checkDefinitions(request.entities, "entities", warnings.unknown);
  return checked.ok ? fine({ ...request, entities: checked.value }) : checked;
}

/** All steps of a batch, before any of them runs (bridge.md 6). */
function checkSteps(
  batch: OpSpec,
  request: JsonObject,
  policy: OpPolicy,
  earlier: readonly string[],
): Valid<OpSpec> | Refusal {
  const steps: JsonObject[] = [];
  const warnings = [...earlier];
  const given = isList(request.steps) ? request.steps : [];
  for (const [index, step] of given.entries()) {
    const checked = checkStep(step, `steps[${index}]`, policy);
    if (!checked.ok) return checked;
    steps.push(checked.request);
    warnings.push(...checked.warnings);
  }
  return { ok: true, op: batch, request: { ...request, steps }, warnings };
}

function checkStep(step: Json, at: string, policy: OpPolicy): Valid<OpSpec> | Refusal {
  if (!isJsonObject(step)) {
    return refuse(`${at}: A step must be an object with op, but it is ${seen(step)}.`);
  }
  const found = findOp(step.op);
  if (!found.ok) return refuse(`${at}: ${found.message}`);
  const { op } = found;
  if (!op.batchable) {
    return refuse(
      op.op === "batch"
        ? `${at}: A batch cannot hold another batch; put its steps into this one.`
        : `${at}: ${op.op} cannot be a step of a batch; send it as a request of its own.`,
    );
  }
  if (!isAbsent(step.request_id)) {
    return refuse(
      `${at}: A step of ${op.op} must not carry request_id; the batch's own stands for all steps.`,
    );
  }
  const denied = opRefusal(op.op, policy);
  if (denied !== undefined) return refuse(`${at}: ${denied}`);
  const own = Object.entries(step).filter(([key]) => !STRIPPED_FROM_STEPS.includes(key));
  return checkParameters(op, Object.fromEntries(own), policy, STEP_ENVELOPE, at);
}

function findOp(name: Json | undefined): { ok: true; op: OpSpec } | Refusal {
  const op = typeof name === "string" ? executeOp(name) : undefined;
  return op === undefined ? refuse(unknownOp(name)) : { ok: true, op };
}

function unknownOp(name: Json | undefined): string {
  if (isAbsent(name)) return "Missing op in the request. Name one of the operations of its schema.";
  if (name === "capture") return "capture is no operation of ocs_execute; use ocs_capture.";
  if (typeof name === "string" && readOp(name) !== undefined) {
    return `${name} is a read; use ocs_read with op "${name}".`;
  }
  return `Unknown op: it is ${seen(name)}. Operations are ${
    EXECUTE_OPS.map((row) => row.op).join(", ")
  }.`;
}

function unknownRead(name: unknown): string {
  if (typeof name !== "string") return "The op of a read must be a string, such as state or query.";
  if (executeOp(name) !== undefined) {
    return `${name} is not a read; use ocs_execute with request.op "${name}".`;
  }
  return `Unknown read ${seen(name).replace("the string ", "")}. Reads are ${
    READ_OPS.map((row) => row.op).join(", ")
  }; everything that changes something goes through ocs_execute.`;
}

function requestIdFault(id: Json | undefined, op: OpSpec): string | undefined {
  if (isAbsent(id)) return missingText("request_id", op, false);
  const { min, max } = REQUEST_ID_BYTES;
  const expected = `a string of ${min} to ${max} bytes`;
  if (typeof id !== "string") {
    return typeText({ kind: "type", field: "request_id", expected, seen: seen(id) }, op.op);
  }
  const length = bytes.encode(id).length;
  if (length >= min && length <= max) return undefined;
  const saw = `one of ${length} bytes`;
  return typeText({ kind: "type", field: "request_id", expected, seen: saw }, op.op);
}

function readExample(row: ReadSpec): string {
  return `Example request: ${JSON.stringify({ op: row.op, parameters: row.example })}`;
}

function refuse(message: string): Refusal {
  return { ok: false, message };
}

/** The warnings about one op, each said once. */
class Warnings {
  readonly #said = new Set<string>();

  constructor(readonly op: string, readonly step = "") {}

  readonly unknown = (key: string): void => {
    const shown = this.step === "" ? key : `${this.step}.${key}`;
    this.#said.add(`unknown parameter '${shown}' ignored for op '${this.op}'`);
  };

  list(): readonly string[] {
    return [...this.#said];
  }
}
