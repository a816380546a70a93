/** The table in words: parameters and rules as short phrases, for flat schemas and the docs. */

import type { Param, Rule, ValueSpec } from "./spec.ts";
import { describe } from "./shapes.ts";
import { spellings } from "./values.ts";

/** A type in one word or a list of words, such as `point`, `a|b|c`, `[{path*, value}]`. */
export function typePhrase(spec: ValueSpec): string {
  switch (spec.type) {
    case "enum":
    case "enum_ci":
    case "action_name":
      return spellings(spec).join("|");
    case "handles":
      return "[handle]";
    case "array":
      return spec.item === undefined
        ? `[${spec.array_of ?? "any"}]`
        : `[{${spec.item.map((param) => starred(param)).join(", ")}}]`;
    default:
      return spec.type;
  }
}

/** A parameter as `name*: type (text; default d)`; the star marks a required one. */
export function paramPhrase(param: Param): string {
  const words = [
    describe(param),
    param.default === undefined ? "" : `default ${String(param.default)}`,
  ].filter((part) => part !== "").join("; ");
  return `${starred(param)}: ${typePhrase(param)}${words === "" ? "" : ` (${words})`}`;
}

/** A rule as a sentence without its full stop, such as `kind point needs point`. */
export function rulePhrase(rule: Rule): string {
  if ("any_of" in rule) return `needs ${rule.any_of.join(" or ")}`;
  const when = Object.entries(rule.when).map(([name, value]) => `${name} ${value}`).join(", ");
  return `${when} needs ${rule.requires.join(" and ")}`;
}

function starred(param: Param): string {
  return param.required ? `${param.name}*` : param.name;
}
