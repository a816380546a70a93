/** The schemas that `tools/list` shows for reads and operations (bridge.md 2.2, 2.4). */

import type { JsonObject } from "../host/json.ts";
import { DEFINITION_LINES } from "./definitions.ts";
import { paramPhrase, rulePhrase } from "./phrases.ts";
import { describe, paramSchema, type SchemaStyle, SHARED_SHAPES, valueSchema } from "./shapes.ts";
import { isAllowed, type OpPolicy, type OpSpec, type Param } from "./spec.ts";
import {
  EXECUTE_ENVELOPE,
  EXECUTE_OPS,
  READ_ENVELOPE,
  READ_OPS,
  REQUEST_ID_BYTES,
} from "./table.ts";

export type { SchemaStyle };

const SESSION_ID: JsonObject = {
  type: "string",
  minLength: 1,
  description: "session_id of an entry of ocs_sessions",
};

/**
 * The whole input schema of `ocs_execute`. `full`: one variant per allowed op, shared shapes under
 * `$defs` of this very object. `flat`: no `$ref`, `$defs`, `anyOf`; the ops are in the description.
 */
export function executeArgumentsSchema(style: SchemaStyle, policy: OpPolicy): JsonObject {
  const defs = sharedShapes(style, policy);
  return {
    type: "object",
    properties: {
      ocs_session_id: SESSION_ID,
      request: requestSchema(style, policy),
      wait_seconds: {
        type: "number",
        minimum: 0,
        maximum: 600,
        default: 30,
        description:
          "how long to wait for the outcome: up to 60; for a pick, also in a batch, up to 600",
      },
      response_detail: {
        type: "string",
        enum: ["compact", "changed_entities", "full"],
        default: "compact",
        description: "compact shortens state; changed_entities adds what was changed",
      },
    },
    required: ["ocs_session_id", "request"],
    ...(defs !== undefined && { $defs: defs }),
  };
}

/** The schema of `request` alone; in style `full` it refers to `sharedShapes` as `#/$defs/...`. */
export function requestSchema(style: SchemaStyle, policy: OpPolicy): JsonObject {
  const ops = EXECUTE_OPS.filter((row) => isAllowed(row.op, policy));
  const names = ops.map((row) => row.op);
  const envelope: JsonObject = {
    op: { type: "string", ...(names.length > 0 && { enum: names }) },
    request_id: {
      type: "string",
      minLength: REQUEST_ID_BYTES.min,
      maxLength: REQUEST_ID_BYTES.max,
      description: "idempotency key: new for new work, the same when asking again",
    },
    ...Object.fromEntries(EXECUTE_ENVELOPE.map((param) => [param.name, paramSchema(param, style)])),
  };
  const required = ["op", "request_id"];
  if (style === "flat") {
    return {
      type: "object",
      description: [FLAT_HEAD, ...ops.map(opLine)].join("\n"),
      properties: { ...mergedProperties(ops), ...envelope },
      required,
    };
  }
  return {
    type: "object",
    properties: envelope,
    required,
    ...(ops.length > 0 && { anyOf: ops.map(variant) }),
  };
}

/** What stands under `$defs` of the execute schema; undefined in style `flat`. */
export function sharedShapes(style: SchemaStyle, policy: OpPolicy): JsonObject | undefined {
  if (style === "flat") return undefined;
  const steps = EXECUTE_OPS.filter((row) => row.batchable && isAllowed(row.op, policy));
  const names = steps.map((row) => row.op);
  return {
    ...SHARED_SHAPES,
    batch_step: {
      type: "object",
      description: "an op with its own parameters, without request_id",
      properties: {
        op: { type: "string", ...(names.length > 0 && { enum: names }) },
        document_id: { type: "integer", minimum: 0 },
      },
      required: ["op"],
    },
  };
}

/** The whole input schema of `ocs_read`; it is flat already, the same in both styles. */
export function readArgumentsSchema(_style: SchemaStyle = "full"): JsonObject {
  return {
    type: "object",
    properties: {
      ocs_session_id: SESSION_ID,
      op: {
        type: "string",
        enum: READ_OPS.map((row) => row.op),
        default: "state",
        description: READ_OPS.map((row) => `${row.op}: ${row.text}`).join("\n"),
      },
      parameters: readParametersSchema(),
    },
    required: ["ocs_session_id"],
  };
}

/** The parameters of all reads as one flat object; each description says which reads take it. */
export function readParametersSchema(): JsonObject {
  const uses = new Map<string, Use[]>();
  for (const row of READ_OPS) {
    for (const param of row.params) {
      const earlier = uses.get(param.name);
      if (earlier === undefined) uses.set(param.name, [{ op: row.op, param }]);
      else earlier.push({ op: row.op, param });
    }
  }
  const properties = [...uses].map(([name, takers]) => [name, readProperty(takers)] as const);
  return {
    type: "object",
    description: "what the read takes; the reads that take a parameter stand in brackets",
    properties: Object.fromEntries([
      ...properties,
      ...READ_ENVELOPE.map((param) => [param.name, paramSchema(param, "flat")] as const),
    ]),
  };
}

/** A read that takes a parameter. */
interface Use {
  readonly op: string;
  readonly param: Param;
}

function readProperty(uses: readonly Use[]): JsonObject {
  const byPhrase = new Map<string, string[]>();
  for (const { op, param } of uses) {
    const phrase = [
      param.required ? "required" : "",
      describe(param),
      param.default === undefined ? "" : `default ${String(param.default)}`,
    ].filter((part) => part !== "").join("; ");
    const ops = byPhrase.get(phrase);
    if (ops === undefined) byPhrase.set(phrase, [op]);
    else ops.push(op);
  }
  const description = [...byPhrase]
    .map(([phrase, ops]) => `[${ops.join(", ")}]${phrase === "" ? "" : ` ${phrase}`}`)
    .join(" ");
  return { ...mergedType(uses.map((use) => use.param)), description };
}

function variant(row: OpSpec): JsonObject {
  const required = row.params.filter((param) => param.required).map((param) => param.name);
  return {
    type: "object",
    description: [row.text, ...notes(row)].join(" "),
    properties: {
      op: { type: "string", const: row.op },
      ...Object.fromEntries(row.params.map((param) => [param.name, paramSchema(param, "full")])),
    },
    required: ["op", ...required],
  };
}

const FLAT_HEAD = "The operations with their parameters; * marks required ones. " +
  'point is [x,y] or [x,y,z], window [x0,y0,x1,y1], handle a hex string such as "4C".';

function opLine(row: OpSpec): string {
  const params = row.params.map(paramPhrase).join(", ");
  return [`${row.op}: ${row.text}`, params === "" ? "" : `${params}.`, ...notes(row)]
    .filter((part) => part !== "").join(" ");
}

/** What neither text nor parameters say: the rules, and what entities are made of. */
function notes(row: OpSpec): readonly string[] {
  const rules = (row.rules ?? []).map((rule) => `${capital(rulePhrase(rule))}.`);
  return row.op === "entities_create"
    ? [...rules, `Types, * required: ${DEFINITION_LINES.join("; ")}.`]
    : rules;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Every parameter of the ops once, so that clients that drop unlisted keys keep them. */
function mergedProperties(ops: readonly OpSpec[]): JsonObject {
  const byName = new Map<string, Param[]>();
  for (const param of ops.flatMap((row) => row.params)) {
    const earlier = byName.get(param.name);
    if (earlier === undefined) byName.set(param.name, [param]);
    else earlier.push(param);
  }
  return Object.fromEntries([...byName].map(([name, params]) => [name, mergedType(params)]));
}

/** One schema that every one of the parameters fits: equal ones stay, others widen to their types. */
function mergedType(params: readonly Param[]): JsonObject {
  const schemas = params.map((param) => valueSchema(param, "flat"));
  const [first] = schemas;
  if (first === undefined) return {};
  const text = JSON.stringify(first);
  if (schemas.every((schema) => JSON.stringify(schema) === text)) return first;
  const items = schemas.find((schema) => schema.items !== undefined)?.items;
  const types = [...new Set(schemas.flatMap(typeNames))];
  return {
    type: types.length === 1 ? types.join() : types,
    ...(items !== undefined && { items }),
  };
}

function typeNames({ type }: JsonObject): readonly string[] {
  const names = Array.isArray(type) ? type : [type];
  return names.filter((name) => typeof name === "string");
}
