/** From arguments and environment to one command with its options, or to a usage error. */

import { parseArgs } from "@std/cli/parse-args";
import { LOG_LEVELS } from "../host/log.ts";
import type { Env } from "../host/config_dir.ts";
import { nearest } from "./nearest.ts";
import {
  type CommandName,
  COMMANDS,
  type OptionName,
  type OptionRow,
  OPTIONS,
  type Options,
} from "./options.ts";

/** What the command line asks for. */
export type Invocation =
  | {
    readonly kind: "command";
    readonly command: CommandName;
    readonly words: readonly string[];
    readonly options: Options;
  }
  | { readonly kind: "help"; readonly command?: CommandName; readonly json: boolean }
  | { readonly kind: "usage"; readonly message: string };

const ROWS: readonly OptionRow[] = OPTIONS;
const SWITCHES = ROWS.filter((row) => row.form === "flag").map((row) => row.name);
const VALUED = ROWS.filter((row) => row.form !== "flag").map((row) => row.name);
const SHORT: Readonly<Record<string, OptionName>> = { h: "help" };

/** Raised and caught within this file: the first thing that is wrong with the command line. */
class Misuse extends Error {}

/** Reads the command line; an option that is not given falls back to its variable in `env`. */
export function parseCommandLine(args: readonly string[], env: Env): Invocation {
  try {
    return parse(args, env);
  } catch (error) {
    if (error instanceof Misuse) return { kind: "usage", message: error.message };
    throw error;
  }
}

function parse(args: readonly string[], env: Env): Invocation {
  const given = parseArgs(args.flatMap(plainSwitch), {
    boolean: [...SWITCHES],
    string: ["_", ...VALUED],
    collect: [...VALUED],
    alias: SHORT,
    unknown: (argument: string, key?: string) => {
      if (key === undefined) return true;
      if (key === "version" || key === "V") return true;
      throw new Misuse(unknownOption(argument));
    },
  });
  const words = given._.map(String);
  if (given["version"] === true || given["V"] === true) words.unshift("version");
  const newInstance = given["new-instance"] === true;
  const json = given["json"] === true;
  if (given["help"] === true && words.length === 0) return { kind: "help", json };
  const command = commandOf(words[0] ?? (newInstance ? "desk" : "serve"));
  const rest = words.slice(1);
  if (given["help"] === true) return { kind: "help", command, json };
  if (command === "help") {
    const [about, surplus] = rest;
    if (surplus !== undefined) throw new Misuse(`help takes one command, not "${surplus}" too.`);
    return about === undefined
      ? { kind: "help", json }
      : { kind: "help", command: commandOf(about), json };
  }
  const values = new Map<string, readonly string[]>();
  const spellings = new Map<string, string>();
  for (const row of ROWS) {
    const own = row.form === "flag"
      ? (given[row.name] === true ? ["true"] : [])
      : strings(given[row.name]);
    if (own.length > 0 && !row.commands.includes(command)) {
      throw new Misuse(`--${row.name} does not go with ${command}. ${seeHelp(command)}`);
    }
    if (own.some((value) => value === "")) {
      throw new Misuse(`--${row.name} needs a value: --${row.name} ${row.value ?? ""}.`);
    }
    if (own.length > 0) values.set(row.name, own);
    else if (row.env !== undefined && row.commands.includes(command)) {
      const inherited = env(row.env);
      if (inherited !== undefined && inherited !== "") {
        values.set(row.name, [inherited]);
        spellings.set(row.name, row.env);
      }
    }
  }
  expectWords(command, rest);
  return { kind: "command", command, words: rest, options: readOptions(values, spellings) };
}

/** `--read-only=no` as what it means: the argument parser takes any value of a switch for yes. */
function plainSwitch(argument: string): readonly string[] {
  const [, name = "", value] = /^--([a-z-]+)=(.*)$/s.exec(argument) ?? [];
  const known = SWITCHES.find((one) => one === name);
  if (known === undefined) return [argument];
  return onOrOff(`--${known}`, value) ? [`--${known}`] : [];
}

/** `spellings` names the variable of what was not given as an option. */
function readOptions(
  values: ReadonlyMap<string, readonly string[]>,
  spellings: ReadonlyMap<string, string>,
): Options {
  const last = (name: OptionName) => values.get(name)?.at(-1);
  const spelt = (name: OptionName) => spellings.get(name) ?? `--${name}`;
  // Given several times they add up: none of what a person refused may get lost.
  const list = (name: OptionName) =>
    values.get(name)?.join(",").split(",").map((part) => part.trim()).filter((part) => part !== "");
  const configDir = last("config-dir");
  const editor = last("editor");
  const person = last("person");
  const window = last("window");
  const allowOps = list("allow-ops");
  return {
    ...(configDir === undefined ? {} : { configDir }),
    ...(editor === undefined ? {} : { editor }),
    ...(person === undefined ? {} : { person }),
    ...(window === undefined ? {} : { window }),
    ...(allowOps === undefined ? {} : { allowOps }),
    slow: values.get("slow") ?? [],
    freeze: values.get("freeze") ?? [],
    editorEnv: variables(values.get("editor-env") ?? []),
    readOnly: onOrOff(spelt("read-only"), last("read-only")),
    denyOps: list("deny-ops") ?? [],
    workspaces: values.get("workspace") ?? [],
    schema: choice(spelt("schema"), last("schema"), ["full", "flat"], "full"),
    log: choice(spelt("log"), last("log"), LOG_LEVELS, "warn"),
    newInstance: onOrOff(spelt("new-instance"), last("new-instance")),
    json: onOrOff(spelt("json"), last("json")),
  };
}

function choice<T extends string>(
  spelling: string,
  value: string | undefined,
  choices: readonly T[],
  fallback: T,
): T {
  if (value === undefined) return fallback;
  const found = choices.find((one) => one === value.toLowerCase());
  if (found !== undefined) return found;
  throw new Misuse(`${spelling} is one of ${choices.join(", ")}, not "${value}".`);
}

function onOrOff(spelling: string, value: string | undefined): boolean {
  if (value === undefined) return false;
  const lower = value.toLowerCase();
  if (["1", "true", "yes", "on"].includes(lower)) return true;
  if (["0", "false", "no", "off"].includes(lower)) return false;
  throw new Misuse(`${spelling} is on (1) or off (0), not "${value}".`);
}

function variables(pairs: readonly string[]): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const pair of pairs) {
    const cut = pair.indexOf("=");
    if (cut < 1) throw new Misuse(`--editor-env takes NAME=VALUE, not "${pair}".`);
    env[pair.slice(0, cut)] = pair.slice(cut + 1);
  }
  return env;
}

function commandOf(word: string): CommandName {
  if (word === "") {
    throw new Misuse("An empty argument stands where a command is expected: is a value missing?");
  }
  const found = COMMANDS.find((command) => command.name === word);
  if (found !== undefined) return found.name;
  const names = COMMANDS.map((command) => command.name);
  const near = nearest(word, names);
  const hint = near === undefined ? `There are ${names.join(", ")}.` : `Did you mean "${near}"?`;
  throw new Misuse(`Unknown command "${word}". ${hint}`);
}

function unknownOption(argument: string): string {
  const bare = argument.replace(/^-+/, "").replace(/=.*$/s, "");
  const near = nearest(bare, ROWS.map((row) => row.name));
  const hint = near === undefined ? 'See "ocs-bridge help".' : `Did you mean --${near}?`;
  return `Unknown option "${argument.replace(/=.*$/s, "")}". ${hint}`;
}

function expectWords(command: CommandName, words: readonly string[]): void {
  if (command === "call") {
    if (words.length === 0) throw new Misuse(`call needs the name of a tool. ${seeHelp(command)}`);
    if (words.length > 2) {
      throw new Misuse(`call takes a tool and one JSON object, not ${words.length} words.`);
    }
  } else if (words.length > 0) {
    throw new Misuse(`${command} takes no "${words[0]}". ${seeHelp(command)}`);
  }
}

function seeHelp(command: CommandName): string {
  return `See "ocs-bridge help ${command}".`;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
