/** Every option as one table: the parser, `--help` and README's table derive from it. */

import { LOG_LEVELS, type LogLevel } from "../host/log.ts";

/** The commands, in the order that help shows them. */
export const COMMANDS = [
  {
    name: "serve",
    usage: "[serve] [OPTIONS]",
    sentence: "Serve one MCP client on stdin and stdout; what a client's config starts.",
  },
  {
    name: "desk",
    usage: "desk [OPTIONS]",
    sentence: "Run the desk, a headless stand-in for the editor, until it is stopped.",
  },
  {
    name: "sessions",
    usage: "sessions [OPTIONS]",
    sentence: "List the live editor sessions; starts nothing.",
  },
  {
    name: "call",
    usage: "call TOOL [JSON] [OPTIONS]",
    sentence: "Call one tool with JSON arguments and print what it answers.",
  },
  {
    name: "doctor",
    usage: "doctor [OPTIONS]",
    sentence: "Say what is found where, what was skipped and why, and which rights are held.",
  },
  {
    name: "schema",
    usage: "schema [OPTIONS]",
    sentence: "Print the tools as a client sees them.",
  },
  { name: "version", usage: "version [OPTIONS]", sentence: "Print the version and the build." },
  { name: "help", usage: "help [COMMAND]", sentence: "Print this, or the help of one command." },
] as const;

/** One of the commands. */
export type CommandName = typeof COMMANDS[number]["name"];

/** How an option takes its value. */
export type OptionForm =
  /** Given or not. */
  | "flag"
  /** One value; the last one given counts. */
  | "text"
  /** One value out of `choices`. */
  | "choice"
  /** One value, several parts separated by commas. */
  | "list"
  /** One value each time, given any number of times. */
  | "many";

/** One option. */
export interface OptionRow {
  readonly name: string;
  readonly form: OptionForm;
  /** Stands for the value in help; absent for flags. */
  readonly value?: string;
  /** The variable that is read where the option is not given. */
  readonly env?: string;
  readonly choices?: readonly string[];
  /** As help shows it; absent where there is none. */
  readonly fallback?: string;
  readonly sentence: string;
  readonly commands: readonly CommandName[];
}

const EDITOR_SIDE: readonly CommandName[] = ["serve", "sessions", "call", "doctor"];
const TOOLS: readonly CommandName[] = ["serve", "call", "schema"];

/** The table. */
export const OPTIONS = [
  {
    name: "config-dir",
    form: "text",
    value: "DIR",
    env: "OCS_CONFIG_DIR",
    fallback: "the system's place",
    sentence:
      "The editor's configuration directory; sessions are found in its `automation` folder.",
    commands: [...EDITOR_SIDE, "desk"],
  },
  {
    name: "editor",
    form: "text",
    value: "PATH",
    env: "OCS_EXECUTABLE",
    fallback: "searched for",
    sentence: "The editor program to start when no session is live.",
    commands: ["serve", "call", "doctor"],
  },
  {
    name: "editor-env",
    form: "many",
    value: "NAME=VALUE",
    sentence: "A variable for the editor that is started; may be given many times.",
    commands: ["serve", "call"],
  },
  {
    name: "read-only",
    form: "flag",
    env: "OCS_READ_ONLY",
    fallback: "off",
    sentence: "Change nothing: `ocs_execute` is gone and no editor is started.",
    commands: TOOLS,
  },
  {
    name: "deny-ops",
    form: "list",
    value: "OP,OP",
    env: "OCS_DENY_OPS",
    sentence: "Operations that are refused.",
    commands: TOOLS,
  },
  {
    name: "allow-ops",
    form: "list",
    value: "OP,OP",
    env: "OCS_ALLOW_OPS",
    fallback: "all",
    sentence: "The only operations that are allowed.",
    commands: TOOLS,
  },
  {
    name: "workspace",
    form: "many",
    value: "DIR",
    fallback: "anywhere",
    sentence: "Drawings are opened and saved only below DIR; may be given many times.",
    commands: ["serve", "call", "doctor"],
  },
  {
    name: "schema",
    form: "choice",
    value: "STYLE",
    env: "OCS_SCHEMA",
    choices: ["full", "flat"],
    fallback: "full",
    sentence: "How the tools' schemas are written: `flat` for clients that cannot read `$ref`.",
    commands: TOOLS,
  },
  {
    name: "log",
    form: "choice",
    value: "LEVEL",
    env: "OCS_LOG",
    choices: LOG_LEVELS,
    fallback: "warn",
    sentence: "How much is logged on stderr: `error`, `warn`, `info` or `debug`.",
    commands: [...EDITOR_SIDE, "desk"],
  },
  {
    name: "person",
    form: "text",
    value: "FILE",
    sentence: "A script of the person at the desk: which pick is answered when, and how.",
    commands: ["desk"],
  },
  {
    name: "slow",
    form: "many",
    value: "OP=MS",
    sentence: "How long the desk takes to settle that operation; may be given many times.",
    commands: ["desk"],
  },
  {
    name: "freeze",
    form: "many",
    value: "OP=MS",
    sentence: "How long the desk stands still before that operation; may be given many times.",
    commands: ["desk"],
  },
  {
    name: "window",
    form: "text",
    value: "WIDTHxHEIGHT",
    fallback: "1600x1000",
    sentence: "The size of the desk's drawing window, in pixels.",
    commands: ["desk"],
  },
  {
    name: "new-instance",
    form: "flag",
    sentence: "Run the desk the way an editor is started, so that it can stand in for one.",
    commands: ["desk"],
  },
  {
    name: "mcp",
    form: "flag",
    sentence: "The same as `serve`; as in configs written for the editor's own bridge.",
    commands: ["serve"],
  },
  {
    name: "json",
    form: "flag",
    sentence: "Print one JSON value instead of text.",
    commands: ["desk", "sessions", "call", "doctor", "schema", "version", "help"],
  },
  {
    name: "help",
    form: "flag",
    sentence: "Print the help of the command.",
    commands: COMMANDS.map((command) => command.name),
  },
] as const satisfies readonly OptionRow[];

/** The name of an option, without its dashes. */
export type OptionName = typeof OPTIONS[number]["name"];

/** How schemas are written for the client (bridge.md 2.4). */
export type SchemaStyle = "full" | "flat";

/** The options as the program uses them. */
export interface Options {
  readonly configDir?: string;
  readonly editor?: string;
  readonly editorEnv: Readonly<Record<string, string>>;
  readonly readOnly: boolean;
  readonly denyOps: readonly string[];
  readonly allowOps?: readonly string[];
  readonly workspaces: readonly string[];
  readonly schema: SchemaStyle;
  readonly log: LogLevel;
  readonly person?: string;
  /** `OP=MS` each, as typed. */
  readonly slow: readonly string[];
  readonly freeze: readonly string[];
  /** `WIDTHxHEIGHT`, as typed. */
  readonly window?: string;
  readonly newInstance: boolean;
  readonly json: boolean;
  /** The variables that the lists of operations come from, where no option was given. */
  readonly spelt?: { readonly denyOps?: string; readonly allowOps?: string };
}
