/** The texts of `--help`, made from the tables of commands and options. */

import { PERSON_FORMAT } from "../desk/person.ts";
import { type CommandName, COMMANDS, type OptionRow, OPTIONS } from "./options.ts";

/** The help of the whole program, or of one command. Ends with a newline. */
export function helpText(command?: CommandName): string {
  return command === undefined ? overview() : commandHelp(command);
}

function overview(): string {
  const width = Math.max(...COMMANDS.map((one) => one.name.length));
  return [
    "ocs-bridge connects AI clients that speak MCP with a running OpenCADStudio editor.",
    "",
    "Usage: ocs-bridge [COMMAND] [OPTIONS]",
    "",
    "Commands:",
    ...COMMANDS.map((one) => `  ${one.name.padEnd(width)}  ${one.sentence}`),
    "",
    "Without a command it serves. Options of serve:",
    ...optionLines("serve"),
    "",
    'Exit codes: 0 done, 1 failed, 2 wrong usage. "ocs-bridge help COMMAND" says more.',
    "",
  ].join("\n");
}

function commandHelp(command: CommandName): string {
  const row = COMMANDS.find((one) => one.name === command);
  return [
    `Usage: ocs-bridge ${row?.usage ?? command}`,
    "",
    row?.sentence ?? "",
    "",
    "Options:",
    ...optionLines(command),
    "",
    ...(MORE[command] ?? []),
  ].join("\n");
}

/** What a command's help says below its options. */
const MORE: Partial<Readonly<Record<CommandName, readonly string[]>>> = {
  desk: [PERSON_FORMAT, ""],
  call: [
    "JSON is one object, the tool's arguments as a client would send them. Such as:",
    "  ocs-bridge call ocs_sessions",
    `  ocs-bridge call ocs_read '{"ocs_session_id": "…", "op": "entities"}'`,
    `  ocs-bridge call ocs_execute '{"ocs_session_id": "…", "request": {"op": "undo", "request_id": "u1"}}'`,
    '"ocs-bridge schema" shows what each tool takes, "ocs-bridge sessions" the session ids.',
    "",
  ],
};

function optionLines(command: CommandName): readonly string[] {
  const rows: readonly OptionRow[] = OPTIONS.filter((row: OptionRow) =>
    row.commands.includes(command)
  );
  const width = Math.max(...rows.map((row) => spelling(row).length));
  return rows.map((row) => `  ${spelling(row).padEnd(width)}  ${row.sentence}${tail(row)}`);
}

/** An option as it is typed: `--log LEVEL`. */
export function spelling(row: OptionRow): string {
  return row.value === undefined ? `--${row.name}` : `--${row.name} ${row.value}`;
}

function tail(row: OptionRow): string {
  const parts = [
    ...(row.fallback === undefined ? [] : [`default: ${row.fallback}`]),
    ...(row.env === undefined ? [] : [`env: ${row.env}`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

/** The same facts as one JSON value, on one line. */
export function helpJson(command?: CommandName): string {
  const commands = COMMANDS.filter((one) => command === undefined || one.name === command);
  const options = OPTIONS.filter((row: OptionRow) =>
    command === undefined || row.commands.includes(command)
  );
  return `${JSON.stringify({ commands, options })}\n`;
}
