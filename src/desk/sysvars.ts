/** `sysvar`: the variables of a drawing by name (gui-protocol.md 5.7). */

import { isJsonObject, type Json, type JsonObject } from "../host/json.ts";
import { boundsOfAll } from "./bounds.ts";
import { layerNamed } from "./creating.ts";
import { type Drawing, type Header, TEXT_STYLES } from "./drawing.ts";
import { finite, given, list } from "./parameters.ts";
import { Refusal } from "./refusal.ts";

/** What came of a `sysvar`: names set before a failing one stay set. */
export interface SysvarOutcome {
  readonly drawing: Drawing;
  readonly result: JsonObject;
  readonly refusal?: Refusal;
}

interface Sysvar {
  readonly get: (drawing: Drawing) => Json | undefined;
  /** The header with the value, or undefined for a bad one; absent for read-only names. */
  readonly set?: (drawing: Drawing, value: Json) => Header | undefined;
}

type NumberKey =
  | "linetypeScale"
  | "entityLinetypeScale"
  | "textSize"
  | "filletRadius"
  | "pointSize"
  | "pointMode"
  | "insertionUnits"
  | "snapModes";

const TABLE: ReadonlyMap<string, Sysvar> = new Map<string, Sysvar>([
  ["ltscale", numeric("linetypeScale", (value) => value > 0)],
  ["celtscale", numeric("entityLinetypeScale", (value) => value > 0)],
  ["textsize", numeric("textSize", (value) => value > 0)],
  ["filletrad", numeric("filletRadius", (value) => value >= 0)],
  ["pdsize", numeric("pointSize", () => true)],
  ["pdmode", numeric("pointMode", (value) => isInteger(value, 16))],
  ["insunits", numeric("insertionUnits", (value) => isInteger(value, 16))],
  ["osmode", numeric("snapModes", (value) => isInteger(value, 32))],
  ["mirrtext", { get: ({ header }) => header.mirrorText, set: setMirrorText }],
  ["clayer", { get: ({ header }) => header.currentLayer, set: setLayer }],
  ["ctextstyle", { get: ({ header }) => header.textStyle, set: setStyle }],
  ["extmin", { get: (drawing) => extents(drawing)?.min }],
  ["extmax", { get: (drawing) => extents(drawing)?.max }],
]);

/** Sets, then gets; only the values are answered when both are asked for. */
export function sysvar(drawing: Drawing, request: JsonObject): SysvarOutcome {
  const names = given(request.get) ? list(request.get) : undefined;
  const wanted = isJsonObject(request.set) ? request.set : undefined;
  if (names === undefined && wanted === undefined) {
    throw new Refusal(
      "get_or_set_required",
      "'sysvar' needs 'get' [names] or 'set' {name: value}.",
    );
  }
  let after = drawing;
  const set: Record<string, Json> = {};
  try {
    for (const [given, value] of Object.entries(wanted ?? {})) {
      const name = given.toLowerCase();
      const known = TABLE.get(name);
      if (known === undefined) throw unknown(given);
      const header = known.set?.(after, value ?? null);
      if (header === undefined) throw badValue(name, known.set === undefined);
      after = { ...after, header };
      set[name] = known.get(after) ?? null;
    }
    if (names === undefined) return { drawing: after, result: { set } };
    return { drawing: after, result: { values: valuesOf(after, names) } };
  } catch (error) {
    if (error instanceof Refusal) return { drawing: after, result: {}, refusal: error };
    throw error;
  }
}

/** Whether a value is a signed integer of so many bits. */
export function isInteger(value: number, bits: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1);
}

function valuesOf(drawing: Drawing, names: readonly Json[]): JsonObject {
  return Object.fromEntries(names.map((name) => {
    const lower = typeof name === "string" ? name.toLowerCase() : "";
    const value = TABLE.get(lower)?.get(drawing);
    if (value === undefined) throw unknown(name);
    return [lower, value];
  }));
}

function numeric(key: NumberKey, fits: (value: number) => boolean): Sysvar {
  return {
    get: ({ header }) => header[key],
    set: ({ header }, value) => {
      const number = finite(value);
      return number === undefined || !fits(number) ? undefined : { ...header, [key]: number };
    },
  };
}

function setMirrorText({ header }: Drawing, value: Json): Header | undefined {
  const number = finite(value);
  // Any number that is not a plain 0 means on.
  return number === undefined ? undefined : { ...header, mirrorText: number === 0 ? 0 : 1 };
}

function setLayer({ header, layers }: Drawing, value: Json): Header | undefined {
  const layer = typeof value === "string" ? layerNamed(layers, value) : undefined;
  return layer === undefined ? undefined : { ...header, currentLayer: layer.name };
}

function setStyle({ header }: Drawing, value: Json): Header | undefined {
  const style = TEXT_STYLES.find((name) =>
    typeof value === "string" && name.toLowerCase() === value.toLowerCase()
  );
  return style === undefined ? undefined : { ...header, textStyle: style };
}

function extents(drawing: Drawing) {
  return boundsOfAll(drawing.entities.values(), drawing.blocks);
}

function unknown(name: Json): Refusal {
  const empty = name === "extmin" || name === "extmax" ? " while the drawing is empty" : "";
  return new Refusal(
    "unknown_sysvar",
    `${JSON.stringify(name)} has no value${empty}; there are ${[...TABLE.keys()].join(", ")}.`,
  );
}

function badValue(name: string, readOnly: boolean): Refusal {
  return new Refusal(
    "invalid_sysvar_value",
    readOnly ? `The variable '${name}' is read-only.` : `The variable '${name}' cannot be that.`,
  );
}
