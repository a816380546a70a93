/** What `entities_create` needs for each entity type that it knows (gui-protocol.md 8.2). */

import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import { isAbsent } from "./spec.ts";
import {
  type Checked,
  fine,
  isFiniteNumber,
  isList,
  isNumbers,
  mismatch,
  missing,
} from "./values.ts";

/** A field that an entity type cannot do without. */
interface Needed {
  readonly name: string;
  readonly shape: Shape;
}

type Shape = "point" | "text" | "radius" | "positive_radius" | "corners" | "path2" | "path3";

/** An entity type: the fields that it needs and the others that it knows. */
interface Definition {
  readonly needs: readonly Needed[];
  readonly takes: readonly string[];
}

/** Known to every type. */
const COMMON: readonly string[] = ["type", "layer", "color"];

const POLYLINE: Definition = {
  needs: [{ name: "vertices", shape: "path2" }],
  takes: ["closed", "constant_width"],
};

/** By lower-case name: the editor does not mind case. */
const DEFINITIONS: ReadonlyMap<string, Definition> = new Map([
  ["line", {
    needs: [{ name: "start", shape: "point" }, { name: "end", shape: "point" }],
    takes: ["thickness"],
  }],
  ["circle", {
    needs: [{ name: "center", shape: "point" }, { name: "radius", shape: "radius" }],
    takes: [],
  }],
  ["arc", {
    needs: [{ name: "center", shape: "point" }, { name: "radius", shape: "positive_radius" }],
    takes: ["start_angle_deg", "end_angle_deg"],
  }],
  ["lwpolyline", POLYLINE],
  ["polyline", POLYLINE],
  ["point", { needs: [{ name: "location", shape: "point" }], takes: [] }],
  ["text", {
    needs: [{ name: "value", shape: "text" }, { name: "position", shape: "point" }],
    takes: ["height", "rotation_deg", "style"],
  }],
  ["mtext", {
    needs: [{ name: "value", shape: "text" }, { name: "position", shape: "point" }],
    takes: ["height", "width", "rotation_deg"],
  }],
  ["insert", {
    needs: [{ name: "block", shape: "text" }, { name: "position", shape: "point" }],
    takes: ["scale", "rotation_deg"],
  }],
  ["solid", { needs: [{ name: "corners", shape: "corners" }], takes: [] }],
  ["hatch", {
    needs: [{ name: "boundary", shape: "path3" }],
    takes: ["solid", "pattern", "pattern_scale", "pattern_angle_deg"],
  }],
]);

/**
 * One line per type for the schema and the docs: a star marks what is needed, the value in
 * brackets is taken when the field is absent.
 */
export const DEFINITION_LINES: readonly string[] = [
  "Line start* end* thickness",
  "Circle center* radius*",
  "Arc center* radius* start_angle_deg(0) end_angle_deg(0)",
  "LwPolyline vertices*[[x,y]..] closed(false) constant_width",
  "Point location*",
  "Text value* position* height(2.5) rotation_deg(0) style",
  "MText value* position* height(2.5) width rotation_deg(0)",
  "Insert block* position* scale(1) rotation_deg(0)",
  "Solid corners*(3 or 4 points)",
  "Hatch boundary*[[x,y]..] solid(false) pattern(ANSI31) pattern_scale(1) pattern_angle_deg(0)",
];

/**
 * Checks the definitions of an `entities_create`: what the editor is sure to refuse is refused
 * here, everything else passes. Types that are not known here are the editor's to judge. Known
 * fields that are null are taken out; unknown ones of known types are told to `onUnknown`.
 */
export function checkDefinitions(
  list: readonly Json[],
  at: string,
  onUnknown: (key: string) => void,
): Checked<readonly Json[]> {
  const kept: Json[] = [];
  for (const [index, value] of list.entries()) {
    const checked = isJsonObject(value)
      ? checkDefinition(value, `${at}[${index}].`, (key) => onUnknown(`${at}[].${key}`))
      : fine(value);
    if (!checked.ok) return checked;
    kept.push(checked.value);
  }
  return fine(kept);
}

function checkDefinition(
  input: JsonObject,
  at: string,
  onUnknown: (key: string) => void,
): Checked<JsonObject> {
  const type = typeof input.type === "string" ? input.type.toLowerCase() : "";
  const definition = DEFINITIONS.get(type);
  if (definition === undefined) return fine(input);
  const absent = definition.needs.find(({ name }) => isAbsent(input[name]));
  if (absent !== undefined) return missing(at + absent.name);
  for (const { name, shape } of definition.needs) {
    const value = input[name];
    if (isAbsent(value) || accepts(shape, value)) continue;
    return mismatch(at + name, EXPECTED[shape], value);
  }
  const isKnown = (key: string) =>
    COMMON.includes(key) || definition.takes.includes(key) ||
    definition.needs.some(({ name }) => name === key);
  for (const key of Object.keys(input)) if (!isKnown(key)) onUnknown(key);
  const kept = Object.entries(input).filter(([key, value]) => value !== null || !isKnown(key));
  return fine(Object.fromEntries(kept));
}

const EXPECTED: Readonly<Record<Shape, string>> = {
  point: "a point [x,y] or [x,y,z] of finite numbers",
  text: "a string",
  radius: "a finite number, at least 0",
  positive_radius: "a finite number above 0",
  corners: "an array of 3 or 4 points",
  path2: "an array of at least 2 points [x,y]",
  path3: "an array of at least 3 points [x,y]",
};

function accepts(shape: Shape, value: Json): boolean {
  switch (shape) {
    case "point":
      return isNumbers(value, 2, 3);
    case "text":
      return typeof value === "string";
    case "radius":
      return isFiniteNumber(value) && value >= 0;
    case "positive_radius":
      return isFiniteNumber(value) && value > 0;
    case "corners":
      // What stands in them is not checked: the editor takes a bad coordinate as 0.
      return isList(value) && (value.length === 3 || value.length === 4);
    case "path2":
      return isPath(value, 2);
    case "path3":
      return isPath(value, 3);
  }
}

function isPath(value: Json, least: number): boolean {
  // Numbers beyond x and y are let through: whether the editor minds them is not established.
  return isList(value) && value.length >= least &&
    value.every((point) =>
      isList(point) && point.length >= 2 && isNumbers(point.slice(0, 2), 2, 2)
    );
}
