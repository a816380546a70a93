/** The fields of records that can be written: which path takes what (gui-protocol.md 8.4). */

import { isJsonObject, type Json } from "../host/json.ts";
import { layerNamed } from "./creating.ts";
import { type Drawing, type Header, TEXT_STYLES } from "./drawing.ts";
import type { Color, EntityCommon, Layer } from "./entity.ts";
import { finite } from "./parameters.ts";
import { isInteger } from "./sysvars.ts";

/** Reads a value for one field of `T`: the changed parts, or undefined for a bad value. */
export type Field<T> = (value: Json, drawing: Drawing) => Partial<T> | undefined;

/** A record's writable fields by JSON Pointer. */
export type Fields<T> = ReadonlyMap<string, Field<T>>;

/** Lineweights there are, in hundredths of a millimetre; negative: default, by block, by layer. */
const LINEWEIGHTS: readonly number[] = [
  ...[-3, -2, -1, 0, 5, 9, 13, 15, 18, 20, 25, 30, 35, 40, 50, 53, 60, 70, 80, 90, 100, 106, 120],
  ...[140, 158, 200, 211],
];

/** The common part of an entity. */
export const ENTITY_FIELDS: Fields<EntityCommon> = new Map<string, Field<EntityCommon>>([
  ["/common/layer", (value, { layers }) => {
    const layer = typeof value === "string" ? layerNamed(layers, value) : undefined;
    return layer === undefined ? undefined : { layer: layer.name };
  }],
  ["/common/color", (value) => {
    const color = colorFrom(value);
    return color === undefined ? undefined : { color };
  }],
  ["/common/invisible", (value) => typeof value === "boolean" ? { invisible: value } : undefined],
  [
    "/common/line_weight",
    (value) =>
      typeof value === "number" && LINEWEIGHTS.includes(value) ? { lineWeight: value } : undefined,
  ],
  [
    "/common/linetype",
    (value) => typeof value === "string" && value !== "" ? { linetype: value } : undefined,
  ],
  ["/common/linetype_scale", (value) => {
    const linetypeScale = finite(value);
    return linetypeScale !== undefined && linetypeScale > 0 ? { linetypeScale } : undefined;
  }],
  ["/common/transparency", (value) => {
    const transparency = finite(value);
    return transparency !== undefined && isByte(transparency) ? { transparency } : undefined;
  }],
]);

/** A layer record. */
export const LAYER_FIELDS: Fields<Layer> = new Map<string, Field<Layer>>([
  ["/color", (value) => {
    const color = colorFrom(value);
    return color?.kind === "index" || color?.kind === "rgb" ? { color } : undefined;
  }],
  ["/is_off", (value) => typeof value === "boolean" ? { off: value } : undefined],
  ["/is_frozen", (value) => typeof value === "boolean" ? { frozen: value } : undefined],
  ["/is_locked", (value) => typeof value === "boolean" ? { locked: value } : undefined],
  ["/is_plottable", (value) => typeof value === "boolean" ? { plottable: value } : undefined],
]);

/** The header. */
export const HEADER_FIELDS: Fields<Header> = new Map<string, Field<Header>>([
  ["/current_layer_name", (value, { layers }) => {
    const layer = typeof value === "string" ? layerNamed(layers, value) : undefined;
    return layer === undefined ? undefined : { currentLayer: layer.name };
  }],
  ["/current_text_style_name", (value) => {
    const textStyle = TEXT_STYLES.find((name) => name === value);
    return textStyle === undefined ? undefined : { textStyle };
  }],
  ["/insertion_units", integer(16, (insertionUnits) => ({ insertionUnits }))],
  ["/point_display_mode", integer(16, (pointMode) => ({ pointMode }))],
  ["/object_snap_mode", integer(32, (snapModes) => ({ snapModes }))],
  ["/point_display_size", number(() => true, (pointSize) => ({ pointSize }))],
  ["/linetype_scale", number((value) => value > 0, (linetypeScale) => ({ linetypeScale }))],
  [
    "/current_entity_linetype_scale",
    number((value) => value > 0, (entityLinetypeScale) => ({ entityLinetypeScale })),
  ],
  ["/text_height", number((value) => value > 0, (textSize) => ({ textSize }))],
  ["/fillet_radius", number((value) => value >= 0, (filletRadius) => ({ filletRadius }))],
  [
    "/mirror_text",
    (value) => typeof value === "boolean" ? { mirrorText: value ? 1 : 0 } : undefined,
  ],
]);

function integer(bits: number, part: (value: number) => Partial<Header>): Field<Header> {
  return number((value) => isInteger(value, bits), part);
}

function number(
  fits: (value: number) => boolean,
  part: (value: number) => Partial<Header>,
): Field<Header> {
  return (value) => {
    const found = finite(value);
    return found !== undefined && fits(found) ? part(found) : undefined;
  };
}

function colorFrom(value: Json): Color | undefined {
  if (value === "ByLayer") return { kind: "by_layer" };
  if (value === "ByBlock") return { kind: "by_block" };
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  const index = finite(value.Index);
  if (index !== undefined) return isByte(index) && index > 0 ? { kind: "index", index } : undefined;
  if (!isJsonObject(value.Rgb)) return undefined;
  const [r, g, b] = [finite(value.Rgb.r), finite(value.Rgb.g), finite(value.Rgb.b)];
  if (r === undefined || g === undefined || b === undefined) return undefined;
  return [r, g, b].every(isByte) ? { kind: "rgb", r, g, b } : undefined;
}

function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 255;
}
