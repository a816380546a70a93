/** JSON Schema of single parameters: what the advertised schemas are put together from (bridge.md 2.4). */

import type { JsonObject } from "../host/json.ts";
import type { Param, ParamType, ValueSpec } from "./spec.ts";
import { spellings } from "./values.ts";

/** `full` refers to shared shapes in `$defs`; `flat` writes everything out. */
export type SchemaStyle = "full" | "flat";

const POINT: JsonObject = {
  type: "array",
  description: "[x,y] or [x,y,z]",
  items: { type: "number" },
  minItems: 2,
  maxItems: 3,
};

const WINDOW: JsonObject = {
  type: "array",
  description: "[x0,y0,x1,y1]",
  items: { type: "number" },
  minItems: 4,
  maxItems: 4,
};

const HANDLE: JsonObject = {
  type: "string",
  description: 'hex, such as "4C"',
  pattern: "^(0[xX])?[0-9A-Fa-f]+$",
};

const ANY: JsonObject = {
  type: ["string", "number", "boolean", "array", "object", "null"],
  items: {},
};

/** The shapes that stand once under `$defs`, but for `batch_step`, which depends on the policy. */
export const SHARED_SHAPES: Readonly<Record<"point" | "window" | "handle" | "any", JsonObject>> = {
  point: POINT,
  window: WINDOW,
  handle: HANDLE,
  any: ANY,
};

/** The schema of a parameter with its description, unit and default. */
export function paramSchema(param: Param, style: SchemaStyle): JsonObject {
  const description = describe(param);
  return {
    ...valueSchema(param, style),
    ...(description !== "" && { description }),
    ...(param.default !== undefined && { default: param.default }),
  };
}

/** The schema of a value, without words. */
export function valueSchema(spec: ValueSpec, style: SchemaStyle): JsonObject {
  switch (spec.type) {
    case "string":
    case "boolean":
    case "object":
      return { type: spec.type };
    case "number":
    case "integer":
      return {
        type: spec.type,
        ...(spec.min !== undefined && { minimum: spec.min }),
        ...(spec.max !== undefined && { maximum: spec.max }),
      };
    case "enum":
    case "enum_ci":
    case "action_name":
      return { type: "string", enum: spellings(spec) };
    case "handles":
      return { type: "array", items: itemSchema("handle", style), minItems: 1 };
    case "array":
      return {
        type: "array",
        items: spec.item === undefined
          ? itemSchema(spec.array_of ?? "any", style)
          : shapeSchema(spec.item, style),
        ...(spec.min !== undefined && { minItems: spec.min }),
        ...(spec.max !== undefined && { maxItems: spec.max }),
      };
    case "any":
    case "point":
    case "window":
    case "handle":
      return style === "full" ? { $ref: `#/$defs/${spec.type}` } : SHARED_SHAPES[spec.type];
    case "batch_step":
      // Written out it would be the whole table once more: the description says it.
      return style === "full"
        ? { $ref: "#/$defs/batch_step" }
        : { type: "object", properties: { op: { type: "string" } }, required: ["op"] };
  }
}

function itemSchema(type: ParamType, style: SchemaStyle): JsonObject {
  return valueSchema({ type }, style);
}

function shapeSchema(item: readonly Param[], style: SchemaStyle): JsonObject {
  const required = item.filter((param) => param.required).map((param) => param.name);
  return {
    type: "object",
    properties: Object.fromEntries(item.map((param) => [param.name, paramSchema(param, style)])),
    ...(required.length > 0 && { required }),
  };
}

/** Text, unit and cap of a parameter in one phrase; empty when there is nothing to say. */
export function describe(param: Param): string {
  const parts = [
    param.text,
    param.unit,
    param.cap === undefined ? undefined : `at most ${param.cap} have effect`,
  ];
  return parts.filter((part) => part !== undefined).join("; ");
}
