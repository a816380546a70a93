/** The `where` filter: comparisons with serialized properties (gui-protocol.md 4.8). */

import { isJsonObject, type Json } from "../host/json.ts";
import { WHERE_OPS } from "../ops/where_ops.ts";
import { list } from "./parameters.ts";

/** One comparison. */
export interface Condition {
  /** `""` or a JSON Pointer. */
  readonly path: string;
  readonly op: typeof WHERE_OPS[number];
  readonly value: Json;
}

/** The conditions of a `where` parameter, or what is wrong with it. */
export function parseWhere(where: Json | undefined): readonly Condition[] | string {
  if (where === undefined || where === null) return [];
  const items = list(where);
  if (items === undefined) return "'where' must be an array of {path, op, value}.";
  const conditions: Condition[] = [];
  for (const item of items) {
    if (!isJsonObject(item)) return "Each item of 'where' must be an object {path, op, value}.";
    const { path, op = "eq", value = null } = item;
    if (typeof path !== "string" || (path !== "" && !path.startsWith("/"))) {
      return "The 'path' of a 'where' item must be \"\" or a JSON Pointer such as /common/layer.";
    }
    const known = WHERE_OPS.find((name) => name === op);
    if (known === undefined) {
      return `The 'op' of a 'where' item must be one of ${WHERE_OPS.join(", ")}.`;
    }
    if (known === "in" && list(value) === undefined) return "'in' needs an array as its value.";
    conditions.push({ path, op: known, value });
  }
  return conditions;
}

/** Whether every condition holds; a missing path holds for `not_exists` only. */
export function matches(properties: Json, conditions: readonly Condition[]): boolean {
  return conditions.every(({ path, op, value }) => {
    const found = at(properties, path);
    if (found === undefined) return op === "not_exists";
    switch (op) {
      case "exists":
        return true;
      case "not_exists":
        return false;
      case "eq":
        return same(found, value);
      case "ne":
        return !same(found, value);
      case "lt":
        return ordered(found, value, (a, b) => a < b);
      case "lte":
        return ordered(found, value, (a, b) => a <= b);
      case "gt":
        return ordered(found, value, (a, b) => a > b);
      case "gte":
        return ordered(found, value, (a, b) => a >= b);
      case "contains":
        return typeof found === "string" && typeof value === "string"
          ? found.includes(value)
          : list(found)?.some((item) => same(item, value)) ?? false;
      case "starts_with":
        return typeof found === "string" && typeof value === "string" && found.startsWith(value);
      case "ends_with":
        return typeof found === "string" && typeof value === "string" && found.endsWith(value);
      case "in":
        return list(value)?.some((item) => same(found, item)) ?? false;
    }
  });
}

/** What a JSON Pointer leads to, or undefined. */
export function at(value: Json, pointer: string): Json | undefined {
  if (pointer === "") return value;
  return pointerKeys(pointer).reduce<Json | undefined>((inner, key) => {
    const items = list(inner);
    if (items !== undefined) return /^(0|[1-9]\d*)$/.test(key) ? items[Number(key)] : undefined;
    return isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}

/** The keys of a JSON Pointer, unescaped. */
export function pointerKeys(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map((key) => key.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** Whether two JSON values are equal, whatever the order of keys. */
export function same(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  const [items, others] = [list(one), list(other)];
  if (items !== undefined || others !== undefined) {
    return items?.length === others?.length &&
      (items?.every((item, index) => same(item, others?.[index])) ?? false);
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]));
}

function ordered(one: Json, other: Json, holds: (a: number, b: number) => boolean): boolean {
  return typeof one === "number" && typeof other === "number" && holds(one, other);
}
