/** Rows of the table: images, export, plotting, sheets, variables (gui-protocol.md 5.7). */

import type { OpSpec, Param } from "./spec.ts";

const AREA: Omit<Param, "default"> = {
  name: "area",
  type: "enum_ci",
  values: ["extents", "display", "limits", "layout", "window"],
};

const ORIENTATION: Param = {
  name: "orientation",
  type: "enum_ci",
  values: ["Portrait", "Landscape"],
};

const SCALE: Param = { name: "scale", type: "string", text: "such as 1:50; turns fit off" };

const PLOT_STYLE: Param = {
  name: "plot_style",
  type: "string",
  path: "read",
  path_or_name: true,
  text: "CTB name or path",
};

/** Bringing pictures in, bringing drawings out, sheets and variables. */
export const SHEET_OPS: readonly OpSpec[] = [
  {
    op: "embed_image",
    text: "Place a picture: by at and width, by calibrate, or by two point pairs.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "path", type: "string", required: true, path: "read", text: "picture file" },
      { name: "at", type: "point", text: "lower left corner in the drawing" },
      { name: "width", type: "number", unit: "drawing units" },
      { name: "linked", type: "boolean", text: "refer to the file instead of embedding it" },
      {
        name: "calibrate",
        type: "object",
        text: "{point_a, point_b, distance, align_to?}: two picture pixels and their distance",
      },
      { name: "layer", type: "string", text: "made when missing" },
      { name: "lock_layer", type: "boolean" },
      {
        name: "source_points",
        type: "array",
        array_of: "point",
        text: "two picture pixels, y down from the top left",
      },
      { name: "target_points", type: "array", array_of: "point", text: "where the two belong" },
    ],
    example: { op: "embed_image", path: "/drawings/scan.png", at: [0, 0], width: 420 },
  },
  {
    op: "wblock",
    text: "Write a block, or the entities of handles, to a drawing file of its own.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "path", type: "string", required: true, path: "write", text: "dwg, dxf or dwt" },
      { name: "handles", type: "handles" },
      { name: "block", type: "string", text: "block name; wins over handles" },
      { name: "template", type: "string", path: "read", text: "drawing to start from" },
      { name: "normalize", type: "boolean" },
    ],
    example: { op: "wblock", path: "/drawings/door.dxf", block: "DOOR" },
  },
  {
    op: "plot",
    text: "Plot the model or sheets to PDF.",
    kind: "mutation",
    batchable: true,
    params: [
      {
        name: "path",
        type: "string",
        required: true,
        path: "write",
        text: "must end in .pdf",
      },
      { name: "layout", type: "string", default: "Model", text: "a layout's name, or all" },
      { ...AREA, default: "extents" },
      { name: "window", type: "window" },
      { name: "paper", type: "string", text: "paper name such as A1" },
      ORIENTATION,
      { name: "fit", type: "boolean", text: "used only without scale" },
      SCALE,
      { name: "center", type: "boolean", default: true },
      { name: "offset_x", type: "number", unit: "mm" },
      { name: "offset_y", type: "number", unit: "mm" },
      { name: "upside_down", type: "boolean" },
      PLOT_STYLE,
      { name: "transparency", type: "boolean" },
      { name: "lineweights", type: "boolean" },
      { name: "merge_lines", type: "boolean" },
      { name: "stamp", type: "boolean" },
      { name: "per_page", type: "boolean", text: "one file per layout, <stem>-<Layout>.pdf" },
    ],
    rules: [{ when: { area: "window" }, requires: ["window"] }],
    example: { op: "plot", path: "/drawings/plan.pdf", scale: "1:50" },
  },
  {
    op: "layout_create",
    text: "Make a sheet.",
    kind: "mutation",
    batchable: true,
    params: [{ name: "name", type: "string", required: true }],
    example: { op: "layout_create", name: "A1-01" },
  },
  {
    op: "page_setup_set",
    text: "Change the stored page setup of a layout.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "layout", type: "string", required: true },
      { name: "paper", type: "string", text: "paper name such as A1" },
      ORIENTATION,
      { name: "fit", type: "boolean" },
      { ...SCALE, text: "such as 1:50" },
      { name: "center", type: "boolean" },
      { name: "offset_x", type: "number", unit: "mm" },
      { name: "offset_y", type: "number", unit: "mm" },
      { ...PLOT_STYLE, text: "CTB name or path; empty turns styles off" },
      AREA,
      { name: "window", type: "window" },
    ],
    rules: [{ when: { area: "window" }, requires: ["window"] }],
    example: { op: "page_setup_set", layout: "A1-01", paper: "A1", orientation: "Landscape" },
  },
  {
    op: "sysvar",
    text: "Read or set system variables; give get, set or both.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "get", type: "array", array_of: "string", text: "names" },
      { name: "set", type: "object", text: "{name: value}; applied one after the other" },
    ],
    example: { op: "sysvar", get: ["clayer", "ltscale"] },
  },
];
