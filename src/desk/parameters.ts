/** Guards for the parameters of a request: unknown JSON in, typed values or a refusal out. */

import { isJsonObject, type Json, type JsonObject } from "../host/json.ts";
import type { Point2, Point3 } from "./entity.ts";
import { parseHandle } from "./handles.ts";
import { Refusal } from "./refusal.ts";

type Value = Json | undefined;

/** Whether a parameter was given; null counts as absent. */
export function given(value: Value): value is Exclude<Json, null> {
  return value !== undefined && value !== null;
}

/** A finite number, or undefined. */
export function finite(value: Value): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** An unsigned integer, or undefined: the only kind that revision checks look at. */
export function unsigned(value: Value): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A JSON array, or undefined. */
export function list(value: Value): readonly Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** An array of finite numbers, or undefined. */
export function numbers(value: Value): readonly number[] | undefined {
  const items = list(value);
  if (items === undefined) return undefined;
  const all = items.map(finite).filter((item) => item !== undefined);
  return all.length === items.length ? all : undefined;
}

/** A point of two or three finite numbers (z defaults to 0), or undefined. */
export function point(value: Value): Point3 | undefined {
  const all = numbers(value);
  if (all === undefined || all.length < 2 || all.length > 3) return undefined;
  const [x = 0, y = 0, z = 0] = all;
  return [x, y, z];
}

/** A point that must be there; anything else is `invalid_point`. */
export function requiredPoint(value: Value, name: string): Point3 {
  const found = point(value);
  if (found === undefined) {
    throw new Refusal("invalid_point", `The point '${name}' must be two or three finite numbers.`);
  }
  return found;
}

/** The drawing-plane part of a point. */
export function flat(of: Point3 | Point2): Point2 {
  return [of[0], of[1]];
}

/** A box [minx, miny, maxx, maxy] of finite numbers in any corner order, or undefined. */
export function corners(value: Value): { min: Point2; max: Point2 } | undefined {
  const all = numbers(value);
  if (all === undefined || all.length < 4) return undefined;
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = all;
  return {
    min: [Math.min(x0, x1), Math.min(y0, y1)],
    max: [Math.max(x0, x1), Math.max(y0, y1)],
  };
}

/** A non-empty string that must be there; anything else is `invalid_request`. */
export function requiredText(request: JsonObject, name: string): string {
  const value = request[name];
  if (typeof value !== "string" || value === "") {
    throw new Refusal("invalid_request", `The string '${name}' is missing or empty.`);
  }
  return value;
}

/** A string; absent and other types are undefined. */
export function text(value: Value): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Whether the parameter is `true`; absent means `otherwise`. */
export function flag(value: Value, otherwise: boolean): boolean {
  return typeof value === "boolean" ? value : otherwise;
}

/** The parameter as an object, or undefined. */
export function object(value: Value): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** A list of handles, each once; a bad one is `invalid_handle`, none is `handles_required`. */
export function requiredHandles(value: Value): readonly string[] {
  const items = list(value);
  if (items === undefined || items.length === 0) {
    throw new Refusal("handles_required", "The list 'handles' is missing or empty.");
  }
  return handles(items);
}

/** Handles as the desk writes them, each once; a bad one is `invalid_handle`. */
export function handles(items: readonly Json[]): readonly string[] {
  const all = items.map((item) => {
    const handle = parseHandle(item);
    if (handle === undefined) {
      throw new Refusal(
        "invalid_handle",
        `${JSON.stringify(item)} is not a handle in hexadecimal.`,
      );
    }
    return handle;
  });
  return [...new Set(all)];
}
