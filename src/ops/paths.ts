/** Which files a request names, for keeping them inside the workspace (bridge.md 11). */

import type { JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import { executeOp } from "./table.ts";
import { isList } from "./values.ts";

/** A file that a request reads or writes. */
export interface PathArgument {
  readonly op: string;
  readonly parameter: string;
  /** Where it stands in the request, such as `path` or `steps[2].path`. */
  readonly name: string;
  readonly path: string;
  readonly mode: "read" | "write";
  /** Index of the batch step that names it. */
  readonly step?: number;
}

/**
 * The files that a validated request names, steps of a batch included. A plot with one file per
 * page also writes `<stem>-<Layout>.pdf` beside its path: that file is listed where the layout is
 * known; with `all` the path itself stands for its folder. Text of commands (`run`, `input`) is
 * not looked into.
 */
export function pathArguments(request: JsonObject): readonly PathArgument[] {
  if (request.op !== "batch") return ofRequest(request);
  const steps = isList(request.steps) ? request.steps : [];
  return steps.flatMap((step, index) =>
    isJsonObject(step)
      ? ofRequest(step).map((found) => ({
        ...found,
        name: `steps[${index}].${found.name}`,
        step: index,
      }))
      : []
  );
}

function ofRequest(request: JsonObject): readonly PathArgument[] {
  const row = typeof request.op === "string" ? executeOp(request.op) : undefined;
  if (row === undefined) return [];
  const found: PathArgument[] = [];
  for (const param of row.params) {
    const value = request[param.name];
    if (param.path === undefined || typeof value !== "string") continue;
    if (param.path_or_name && !/[\\/]/.test(value)) continue;
    const argument = { op: row.op, parameter: param.name, name: param.name, mode: param.path };
    found.push({ ...argument, path: value });
    const page = row.op === "plot" && param.name === "path" ? pageFile(value, request) : undefined;
    if (page !== undefined) found.push({ ...argument, path: page });
  }
  return found;
}

/** The file of the one page that a per-page plot writes (gui-protocol.md 5.7). */
function pageFile(path: string, request: JsonObject): string | undefined {
  if (request.per_page !== true) return undefined;
  const layout = typeof request.layout === "string" ? request.layout : "Model";
  if (layout.toLowerCase() === "all") return undefined;
  const stem = path.replace(/\.pdf$/i, "");
  return `${stem}-${layout.replace(/[^\p{L}\p{N}_-]/gu, "_")}.pdf`;
}
