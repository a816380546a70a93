/** Writes the generated parts of the documents, or checks with `--check` that they are fresh. */

import { spelling } from "../src/cli/help.ts";
import { COMMANDS, type OptionRow, OPTIONS } from "../src/cli/options.ts";
import { refuseUnknown } from "./arguments.ts";
import { ROOT } from "./children.ts";

const DOCUMENTS = ["README.md", "DEVELOPING.md"];

/** What can stand between `<!-- generated:NAME -->` and `<!-- /generated:NAME -->`. */
const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  options: optionsTable,
  commands: commandsTable,
  operations: async () => (await import("./op_docs.ts")).operationsTable(),
};

/** Replaces every generated part of a document; throws on a part that nothing generates. */
export async function regenerate(
  text: string,
  parts: typeof PARTS = PARTS,
): Promise<string> {
  let fresh = text;
  for (const [, name] of text.matchAll(/<!-- generated:([\w-]+) -->/g)) {
    const make = name === undefined ? undefined : parts[name];
    if (name === undefined || make === undefined) {
      throw new Error(`Nothing generates the part "${name}".`);
    }
    const part = new RegExp(
      `(<!-- generated:${name} -->)[\\s\\S]*?(<!-- /generated:${name} -->)`,
    );
    if (!part.test(fresh)) throw new Error(`The part "${name}" has no end mark.`);
    const content = (await make()).trim();
    fresh = fresh.replace(part, (_, from, to) => `${from}\n\n${content}\n\n${to}`);
  }
  return fresh;
}

/** The options as a table in Markdown. */
export function optionsTable(): string {
  const rows = OPTIONS.map((row: OptionRow) => [
    `\`${spelling(row)}\``,
    row.env === undefined ? "" : `\`${row.env}\``,
    row.fallback ?? "",
    row.sentence,
    row.commands.length === COMMANDS.length ? "all" : row.commands.join(", "),
  ]);
  return table(["Option", "Variable", "Default", "Meaning", "Commands"], rows);
}

/** The commands as a table in Markdown. */
export function commandsTable(): string {
  return table(
    ["Command", "Meaning"],
    COMMANDS.map((command) => [`\`ocs-bridge ${command.usage}\``, command.sentence]),
  );
}

/** Padded the way `deno fmt` pads tables, so that formatting and freshness agree. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) =>
    Math.max(3, ...all.map((row) => (row[column] ?? "").length))
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  const [first, ...rest] = all;
  return [line(first ?? []), rule, ...rest.map(line)].join("\n");
}

async function main(): Promise<number> {
  const check = Deno.args.includes("--check");
  let stale = 0;
  for (const name of DOCUMENTS) {
    const path = `${ROOT}/${name}`;
    const text = await Deno.readTextFile(path);
    const fresh = await regenerate(text);
    if (fresh === text) continue;
    stale++;
    if (check) say(`${name} has a generated part that is not fresh: run "deno task docs".`);
    else await Deno.writeTextFile(path, fresh);
  }
  if (!check) say(`${stale} documents written anew.`);
  return check && stale > 0 ? 1 : 0;
}

function say(line: string): void {
  // deno-lint-ignore no-console
  console.log(line);
}

if (import.meta.main) {
  refuseUnknown("docs", "--check or nothing", (argument) => argument === "--check");
  Deno.exit(await main());
}
