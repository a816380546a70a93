/** The operation table as Markdown, for the documents. */

import { COMMAND_OPS } from "../src/ops/command_ops.ts";
import { DEFINITION_LINES } from "../src/ops/definitions.ts";
import { DOCUMENT_OPS } from "../src/ops/document_ops.ts";
import { ENTITY_OPS } from "../src/ops/entity_ops.ts";
import { rulePhrase, typePhrase } from "../src/ops/phrases.ts";
import { describe } from "../src/ops/shapes.ts";
import { SHEET_OPS } from "../src/ops/sheet_ops.ts";
import type { OpSpec, Param, ReadSpec, Rule } from "../src/ops/spec.ts";
import { READ_OPS } from "../src/ops/table.ts";

const FAMILIES: readonly (readonly [string, readonly OpSpec[]])[] = [
  ["Documents and files", DOCUMENT_OPS],
  ["Commands, picks, selection, properties", COMMAND_OPS],
  ["Entities, blocks, groups, view", ENTITY_OPS],
  ["Images, export, plotting, sheets, variables", SHEET_OPS],
];

/**
 * The reference of every operation and every read, as lists under headings of level four. Lines
 * are long: marks keep `deno fmt` from wrapping them. Ends without a line break.
 */
export function renderOpTable(): string {
  const sections = [
    ...FAMILIES.map(([title, rows]) => section(title, rows.map(opItem))),
    section(
      "Entity definitions of `entities_create`",
      DEFINITION_LINES.map((line) => `- \`${line}\``),
    ),
    section("Reads (`ocs_read`)", READ_OPS.map(readItem)),
  ];
  return [UNWRAPPED, LEGEND, ...sections, WRAPPED].join("\n\n");
}

/** The same under the name that `scripts/docs.ts` asks for. */
export const operationsTable = renderOpTable;

const UNWRAPPED = "<!-- deno-fmt-ignore-start -->";
const WRAPPED = "<!-- deno-fmt-ignore-end -->";

const LEGEND = "A star marks what is required. Every operation also takes `request_id*`, " +
  "`document_id`, `revision`, `geometry_revision`, `camera_revision`, `selection` and `client_id`.";

function section(title: string, items: readonly string[]): string {
  return `#### ${title}\n\n${items.join("\n")}`;
}

function opItem(row: OpSpec): string {
  const tags = [
    row.kind === "pick" ? "Answered by a person." : "",
    row.batchable ? "" : "Not a batch step.",
  ];
  return item(row, row.params, row.rules, tags);
}

function readItem(row: ReadSpec): string {
  return item(row, row.params, row.rules, []);
}

function item(
  row: { readonly op: string; readonly text: string },
  params: readonly Param[],
  rules: readonly Rule[] | undefined,
  tags: readonly string[],
): string {
  const words = [row.text, ...tags].filter((word) => word !== "").join(" ");
  const needs = (rules ?? []).map((rule) => `  - ${rulePhrase(rule)}`);
  return [`- \`${row.op}\`: ${words}`, ...params.map(paramItem), ...needs].join("\n");
}

function paramItem(param: Param): string {
  const words = [
    describe(param),
    param.default === undefined ? "" : `default \`${String(param.default)}\``,
    param.path === undefined ? "" : `a file that is ${param.path === "read" ? "read" : "written"}`,
  ].filter((word) => word !== "").map(plain).join("; ");
  const name = `${param.name}${param.required ? "*" : ""}`;
  return `  - \`${name}\` \`${typePhrase(param)}\`${words === "" ? "" : `: ${words}`}`;
}

/** Signs that Markdown would take for markup. */
function plain(text: string): string {
  return text.replaceAll(/[<>*_[\]]/g, (sign) => `\\${sign}`);
}
