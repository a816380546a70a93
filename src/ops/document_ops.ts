/** Rows of the table: documents, files, history of edits, the session (gui-protocol.md 5.2). */

import type { OpSpec, Param } from "./spec.ts";

const TARGET_FORMAT: Param = {
  name: "target_format",
  type: "enum",
  values: ["dwg", "dxf"],
  text: "default: the path's extension, else the source's format",
};

const TARGET_VERSION: Param = {
  name: "target_version",
  type: "enum",
  values: [
    "R14",
    "2000",
    "2004",
    "2007",
    "2010",
    "2013",
    "2018",
    "AC1014",
    "AC1015",
    "AC1018",
    "AC1021",
    "AC1024",
    "AC1027",
    "AC1032",
  ],
  text: "default: the document's version",
};

const ALLOW_LOSSY: Param = {
  name: "allow_lossy",
  type: "boolean",
  text: "accept that the target cannot hold everything",
};

/** Opening, switching, saving, closing, undoing. */
export const DOCUMENT_OPS: readonly OpSpec[] = [
  {
    op: "new",
    text: "Open an empty drawing in a new tab, or replace the active one by a template's content.",
    kind: "mutation",
    batchable: true,
    params: [
      {
        name: "template",
        type: "string",
        path: "read",
        text: "dwg, dxf or dwt file; replaces the active tab's drawing in place",
      },
    ],
    example: { op: "new" },
  },
  {
    op: "open",
    text: "Open a drawing file.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "path", type: "string", required: true, path: "read", text: "dwg or dxf file" },
    ],
    example: { op: "open", path: "/drawings/plan.dxf" },
  },
  {
    op: "activate",
    text: "Make an open document the active one.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "document_id", type: "integer", required: true, min: 0, text: "document to show" },
    ],
    example: { op: "activate", document_id: 2 },
  },
  {
    op: "switch_document",
    text: "The same as activate.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "document_id", type: "integer", required: true, min: 0, text: "document to show" },
    ],
    example: { op: "switch_document", document_id: 2 },
  },
  {
    op: "close",
    text: "Close a document; unsaved changes are refused unless discard is true.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "discard", type: "boolean", text: "throw unsaved changes away" },
    ],
    example: { op: "close" },
  },
  {
    op: "save",
    text: "Save the active document, to its own file or to path.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "path", type: "string", path: "write", text: "default: the current path" },
      TARGET_FORMAT,
      TARGET_VERSION,
      ALLOW_LOSSY,
    ],
    example: { op: "save" },
  },
  {
    op: "save_verified",
    text: "Save to an explicit path, read the file back and compare.",
    kind: "mutation",
    batchable: false,
    params: [
      {
        name: "path",
        type: "string",
        required: true,
        path: "write",
        text: "absolute, .dwg or .dxf",
      },
      TARGET_FORMAT,
      TARGET_VERSION,
      ALLOW_LOSSY,
      { name: "overwrite", type: "boolean", text: "replace an existing file" },
    ],
    example: { op: "save_verified", path: "/drawings/plan.dxf" },
  },
  {
    op: "file_identity",
    text: "Read the drawing's lasting identity, making one where there is none.",
    kind: "mutation",
    batchable: true,
    params: [
      { name: "renew", type: "boolean", text: "make a new identity" },
    ],
    example: { op: "file_identity" },
  },
  {
    op: "undo",
    text: "Take the last edit back.",
    kind: "mutation",
    batchable: true,
    params: [],
    example: { op: "undo" },
  },
  {
    op: "redo",
    text: "Do the last undone edit again.",
    kind: "mutation",
    batchable: true,
    params: [],
    example: { op: "redo" },
  },
  {
    op: "stop",
    text: "Switch automation off; only a person at the editor can switch it on again.",
    kind: "mutation",
    batchable: false,
    params: [],
    example: { op: "stop" },
  },
];
