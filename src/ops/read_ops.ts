/** Rows of the table: the reads of `ocs_read` (gui-protocol.md section 4). */

import type { Param, ReadSpec } from "./spec.ts";
import { WHERE_OPS } from "./where_ops.ts";

const OFFSET: Param = { name: "offset", type: "integer", default: 0, min: 0, text: "skip so many" };
const LIMIT: Param = { name: "limit", type: "integer", default: 1000, min: 0, cap: 10000 };
const HANDLES: Param = { name: "handles", type: "array", array_of: "handle" };
const HANDLE: Param = { name: "handle", type: "handle" };

const WHERE: Param = {
  name: "where",
  type: "array",
  array_of: "object",
  item: [
    { name: "path", type: "string", required: true, text: 'JSON Pointer into properties, or ""' },
    {
      name: "op",
      type: "enum_ci",
      values: WHERE_OPS,
      default: "eq",
    },
    { name: "value", type: "any" },
  ],
  text: "property filters, all must match",
};

const TEXT_FILTERS: readonly Param[] = [
  { name: "match_case", type: "boolean", default: false },
  { name: "whole_word", type: "boolean", default: false },
  { name: "ignore_accents", type: "boolean", text: "default: the opposite of match_case" },
  {
    name: "scope",
    type: "enum",
    values: ["all", "active_space", "model_space", "blocks"],
    default: "all",
  },
  { name: "layer", type: "string", text: "in any case" },
  HANDLE,
  HANDLES,
  { name: "type", type: "string", text: "entity type, UI or DXF name" },
  { name: "types", type: "array", array_of: "string", text: "several entity types" },
  { name: "bounds", type: "window", text: "what overlaps it" },
];

/** Every read, in the order of ops.json. `tools` and `capture` are answered by the bridge itself. */
export const READ_ROWS: readonly ReadSpec[] = [
  {
    op: "state",
    text: "The session: documents, revisions, selection, waiting command, modal dialog.",
    params: [],
    example: {},
  },
  { op: "hello", text: "The same as state.", params: [], example: {} },
  {
    op: "query",
    text: "Entities of the drawing by type, layer, place or property, with their geometry.",
    params: [
      { name: "type", type: "string", text: "entity type, UI or DXF name" },
      { name: "layer", type: "string", text: "exact name" },
      HANDLES,
      { ...HANDLE, text: "used only without handles" },
      { name: "bounds", type: "window", text: "what overlaps it" },
      WHERE,
      { name: "near", type: "point", text: "planar curves, nearest first" },
      { name: "contains_point", type: "point", text: "closed planar curves around it" },
      {
        name: "intersections",
        type: "array",
        array_of: "handle",
        min: 2,
        max: 2,
        text: "where two curves meet; every other filter is ignored",
      },
      {
        name: "detail",
        type: "enum_ci",
        values: ["summary", "geometry", "full"],
        default: "geometry",
        as_listed: true,
      },
      { name: "fields", type: "array", array_of: "string", text: "keep only these keys" },
      OFFSET,
      LIMIT,
    ],
    example: { layer: "WALLS", detail: "geometry", limit: 100 },
  },
  {
    op: "records",
    text: "Records of a collection with their properties; without collection as capabilities.",
    params: [
      { name: "collection", type: "string", text: "such as entities, layers, header, or all" },
      HANDLE,
      HANDLES,
      { name: "type", type: "string", text: "record type" },
      { name: "name", type: "string", text: "in any case" },
      WHERE,
      { name: "paths", type: "array", array_of: "string", text: "JSON Pointers to answer only" },
      OFFSET,
      LIMIT,
    ],
    example: { collection: "layers", name: "WALLS" },
  },
  {
    op: "record_schema",
    text: "What the fields of a record type are and which can be written.",
    params: [
      { name: "collection", type: "string", text: "such as entities, layers" },
      { name: "type", type: "string", text: "record type; without it the types are listed" },
      { name: "search", type: "string", text: "part of a type's name" },
      { ...HANDLE, text: "the sample record" },
      { name: "name", type: "string", text: "the sample record" },
      OFFSET,
      LIMIT,
    ],
    example: { collection: "entities", type: "Circle" },
  },
  {
    op: "capabilities",
    text: "What this editor can do, and its record collections.",
    params: [],
    example: {},
  },
  { op: "tools", text: "The bridge's tools and instructions.", params: [], example: {} },
  { op: "entities", text: "How many entities there are, by type.", params: [], example: {} },
  { op: "layers", text: "The layers with their flags.", params: [OFFSET, LIMIT], example: {} },
  { op: "header", text: "Current layer, text style, units, scales.", params: [], example: {} },
  { op: "properties", text: "The properties of the selection.", params: [], example: {} },
  {
    op: "measure",
    text: "Bounds, lengths, areas and volumes.",
    params: [{ ...HANDLES, text: "default: the selection" }],
    example: { handles: ["4C"] },
  },
  {
    op: "snap",
    text: "The object snap at a point.",
    params: [
      { name: "point", type: "point", required: true },
      {
        name: "from",
        type: "array",
        array_of: "number",
        text: "base point for perpendicular and tangent",
      },
    ],
    example: { point: [4, 3] },
  },
  { op: "grips", text: "The grips of the selection.", params: [], example: {} },
  {
    op: "get_selection",
    text: "The selected entities with layer, bounds and text.",
    params: [],
    example: {},
  },
  { op: "history", text: "The command line's history.", params: [], example: {} },
  {
    op: "commands",
    text: "The editor's commands, or how one is used.",
    params: [
      { name: "name", type: "string", text: "explain this command" },
      { name: "search", type: "string", text: "part of a command's name" },
      OFFSET,
      { ...LIMIT, default: 200, cap: 1000 },
    ],
    example: { name: "PLINE" },
  },
  {
    op: "events",
    text: "Operations that have settled.",
    params: [
      { name: "after", type: "integer", default: 0, min: 0, text: "newer than this sequence" },
    ],
    example: { after: 9 },
  },
  {
    op: "operation",
    text: "How an operation stands; ask this after a time-out.",
    params: [{ name: "request_id", type: "string", required: true, text: "its request_id" }],
    example: { request_id: "w-17" },
  },
  {
    op: "xdata_get",
    text: "Extended data of entities.",
    params: [
      { name: "handles", type: "handles", required: true },
      { name: "app", type: "string", text: "only this application" },
    ],
    example: { handles: ["4C"], app: "BOM" },
  },
  {
    op: "audit",
    text: "Check the drawing, or what saving it would lose.",
    params: [
      {
        name: "target_format",
        type: "enum_ci",
        values: ["dwg", "dxf"],
        text: "default: the path's extension, else the source's format",
      },
      { name: "target_version", type: "string", text: "such as 2018 or AC1032" },
      { name: "path", type: "string", text: "default: the current path" },
    ],
    example: { target_format: "dxf" },
  },
  {
    op: "text_search",
    text: "Find text in texts, attributes and dimensions.",
    params: [
      { name: "find", type: "string", text: "required, or search" },
      { name: "search", type: "string", text: "the same as find" },
      ...TEXT_FILTERS,
      { ...LIMIT, default: 500, cap: 5000 },
    ],
    rules: [{ any_of: ["find", "search"] }],
    example: { find: "DRAFT" },
  },
  {
    op: "text_audit",
    text: "Check texts: replacements tried out, terms, spelling.",
    params: [
      ...TEXT_FILTERS,
      {
        name: "pairs",
        type: "array",
        array_of: "object",
        item: [{ name: "find", type: "string" }, { name: "replace", type: "string" }],
        text: "replacements to try out",
      },
      {
        name: "dry_run_pairs",
        type: "array",
        array_of: "object",
        item: [{ name: "find", type: "string" }, { name: "replace", type: "string" }],
        text: "the same as pairs",
      },
      { name: "check_terms", type: "array", array_of: "string", text: "terms to look for" },
      { name: "dictionary", type: "array", array_of: "string", text: "words that are right" },
      { name: "system_spellcheck", type: "boolean", default: false },
      { name: "use_system_speller", type: "boolean", text: "the same as system_spellcheck" },
      { name: "system_speller", type: "boolean", text: "the same as system_spellcheck" },
      { name: "language", type: "string" },
      { name: "suggest", type: "boolean", default: true },
      LIMIT,
    ],
    example: { check_terms: ["DRAFT"] },
  },
  {
    op: "capture",
    text: "Refused here: pictures come from ocs_capture.",
    params: [],
    example: {},
  },
];
