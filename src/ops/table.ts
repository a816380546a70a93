/** The operation table as one: every execute op, every read, and the envelope around them. */

import { COMMAND_OPS } from "./command_ops.ts";
import { DOCUMENT_OPS } from "./document_ops.ts";
import { ENTITY_OPS } from "./entity_ops.ts";
import { READ_ROWS } from "./read_ops.ts";
import { SHEET_OPS } from "./sheet_ops.ts";
import type { OpSpec, Param, ReadSpec } from "./spec.ts";

/** Every op of `ocs_execute`, by family. */
export const EXECUTE_OPS: readonly OpSpec[] = [
  ...DOCUMENT_OPS,
  ...COMMAND_OPS,
  ...ENTITY_OPS,
  ...SHEET_OPS,
];

/** Every op of `ocs_read`. */
export const READ_OPS: readonly ReadSpec[] = READ_ROWS;

/** Length limits of `request_id` in UTF-8 bytes (bridge.md 2.3). */
export const REQUEST_ID_BYTES = { min: 1, max: 128 } as const;

const REVISIONS: readonly Param[] = [
  {
    name: "document_id",
    type: "integer",
    min: 0,
    text: "document the request is meant for; default: the active one",
  },
  { name: "revision", type: "integer", min: 0, text: "refuse if the document was edited since" },
  {
    name: "geometry_revision",
    type: "integer",
    min: 0,
    text: "refuse if geometry changed since",
  },
  { name: "camera_revision", type: "integer", min: 0, text: "refuse if the view changed since" },
];

/** The keys that every execute request may carry beside `op` and `request_id` (gui-protocol.md 2.1). */
export const EXECUTE_ENVELOPE: readonly Param[] = [
  ...REVISIONS,
  {
    name: "selection",
    type: "array",
    array_of: "string",
    text: "refuse unless exactly this is selected, in this order",
  },
  { name: "client_id", type: "string", text: "owner of an interactive command" },
];

/** The keys that every read may carry: preconditions, checked by the editor. */
export const READ_ENVELOPE: readonly Param[] = REVISIONS;

/** Keys that are taken out of batch steps: they belong to the batch as a whole (bridge.md 6). */
export const STRIPPED_FROM_STEPS: readonly string[] = [
  "revision",
  "geometry_revision",
  "camera_revision",
  "selection",
  "client_id",
];

const executeByName = new Map(EXECUTE_OPS.map((row) => [row.op, row]));
const readByName = new Map(READ_OPS.map((row) => [row.op, row]));

/** The row of an execute op, undefined when there is none of that name. */
export function executeOp(name: string): OpSpec | undefined {
  return executeByName.get(name);
}

/** The row of a read, undefined when there is none of that name. */
export function readOp(name: string): ReadSpec | undefined {
  return readByName.get(name);
}
