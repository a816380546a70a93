/** The names an entity goes by: in the user interface and in DXF files (gui-protocol.md 8.3). */

import type { Geometry } from "./entity.ts";

const NAMES: Readonly<Record<Geometry["kind"], { readonly ui: string; readonly dxf: string }>> = {
  Line: { ui: "Line", dxf: "LINE" },
  Circle: { ui: "Circle", dxf: "CIRCLE" },
  Arc: { ui: "Arc", dxf: "ARC" },
  LwPolyline: { ui: "Polyline", dxf: "LWPOLYLINE" },
  Point: { ui: "Point", dxf: "POINT" },
  Text: { ui: "Text", dxf: "TEXT" },
  MText: { ui: "MText", dxf: "MTEXT" },
  Insert: { ui: "Block Reference", dxf: "INSERT" },
  Solid: { ui: "Solid", dxf: "SOLID" },
  Hatch: { ui: "Hatch", dxf: "HATCH" },
};

/** The name that `query` and `entities` show. */
export function uiName(geometry: Geometry): string {
  return NAMES[geometry.kind].ui;
}

/** Whether a `type` filter means this entity: its UI or DXF name in any case. */
export function isOfType(geometry: Geometry, type: string): boolean {
  const wanted = type.toLowerCase();
  const { ui, dxf } = NAMES[geometry.kind];
  return ui.toLowerCase() === wanted || dxf.toLowerCase() === wanted;
}

const UNITS = [
  "Unitless",
  "Inches",
  "Feet",
  "Miles",
  "Millimeters",
  "Centimeters",
  "Meters",
  "Kilometers",
  "Microinches",
  "Mils",
  "Yards",
  "Angstroms",
  "Nanometers",
  "Microns",
  "Decimeters",
  "Decameters",
  "Hectometers",
  "Gigameters",
  "Astronomical Units",
  "Light Years",
  "Parsecs",
] as const;

/** The name of an INSUNITS value; unknown ones count as none. */
export function unitName(insertionUnits: number): string {
  return UNITS[insertionUnits] ?? "Unitless";
}
