/** The command line: what is accepted, what is refused, and with which words. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { type Invocation, parseCommandLine } from "../../src/cli/parse.ts";
import { COMMANDS, OPTIONS } from "../../src/cli/options.ts";
import type { OptionRow } from "../../src/cli/options.ts";

const none = () => undefined;

function parse(line: string, env: Readonly<Record<string, string>> = {}): Invocation {
  return parseCommandLine(line === "" ? [] : line.split(" "), (name) => env[name]);
}

function options(line: string, env: Readonly<Record<string, string>> = {}) {
  const asked = parse(line, env);
  if (asked.kind !== "command") throw new Error(`not a command: ${JSON.stringify(asked)}`);
  return asked.options;
}

function command(line: string): string {
  const asked = parse(line);
  return asked.kind === "command" ? asked.command : asked.kind;
}

function usage(line: string, env: Readonly<Record<string, string>> = {}): string {
  const asked = parse(line, env);
  if (asked.kind !== "usage") throw new Error(`accepted: ${JSON.stringify(asked)}`);
  return asked.message;
}

Deno.test("without a word it serves, as it does with --mcp", () => {
  assertEquals(command(""), "serve");
  assertEquals(command("--mcp"), "serve");
  assertEquals(command("serve --log debug"), "serve");
});

Deno.test("--new-instance alone runs the desk, so that the program can be launched as an editor", () => {
  assertEquals(command("--new-instance"), "desk");
  assertEquals(command("desk --new-instance"), "desk");
});

Deno.test("--version and version are the same", () => {
  assertEquals(command("--version"), "version");
  assertEquals(command("-V"), "version");
  assertEquals(command("version"), "version");
});

Deno.test("an unknown command names the nearest", () => {
  assertEquals(usage("sesions"), 'Unknown command "sesions". Did you mean "sessions"?');
  assertMatch(usage("frobnicate"), /^Unknown command "frobnicate"\. There are serve, desk, /);
});

Deno.test("an unknown option names the nearest and hides its value", () => {
  assertEquals(
    usage("--confg-dir=/secret"),
    'Unknown option "--confg-dir". Did you mean --config-dir?',
  );
  assertStringIncludes(usage("--zzzzzzzzzzzz"), 'See "ocs-bridge help".');
  assertStringIncludes(usage("-x"), 'Unknown option "-x".');
});

Deno.test("an option of another command is refused", () => {
  assertEquals(
    usage("serve --person p.json"),
    '--person does not go with serve. See "ocs-bridge help serve".',
  );
});

Deno.test("words that a command does not take are refused", () => {
  assertEquals(usage("doctor now"), 'doctor takes no "now". See "ocs-bridge help doctor".');
  assertStringIncludes(usage("call"), "call needs the name of a tool.");
  assertStringIncludes(usage("call a b c"), "call takes a tool and one JSON object, not 3 words.");
});

Deno.test("a value that is missing is asked for", () => {
  assertEquals(usage("--config-dir"), "--config-dir needs a value: --config-dir DIR.");
});

Deno.test("options come before the environment, the environment before the default", () => {
  const env = { OCS_CONFIG_DIR: "/env", OCS_LOG: "info", OCS_READ_ONLY: "1" };
  assertEquals(options("").log, "warn");
  assertEquals(options("", env).configDir, "/env");
  assertEquals(options("", env).log, "info");
  assertEquals(options("", env).readOnly, true);
  assertEquals(options("--config-dir /arg --log error", env).configDir, "/arg");
  assertEquals(options("--config-dir /arg --log error", env).log, "error");
});

Deno.test("an empty variable counts as not set", () => {
  assertEquals(options("", { OCS_CONFIG_DIR: "", OCS_LOG: "" }).configDir, undefined);
});

Deno.test("values out of a list are checked, also from the environment", () => {
  assertEquals(usage("--log loud"), '--log is one of error, warn, info, debug, not "loud".');
  assertEquals(usage("", { OCS_SCHEMA: "round" }), 'OCS_SCHEMA is one of full, flat, not "round".');
  assertStringIncludes(usage("", { OCS_READ_ONLY: "maybe" }), "OCS_READ_ONLY is on (1) or off (0)");
});

Deno.test("a switch takes yes and no after an equals sign, as its variable does", () => {
  assertEquals(options("--read-only=no").readOnly, false);
  assertEquals(options("--read-only=yes").readOnly, true);
  assertEquals(options("--read-only=no", { OCS_READ_ONLY: "0" }).readOnly, false);
  assertEquals(usage("--read-only=maybe"), '--read-only is on (1) or off (0), not "maybe".');
});

Deno.test("an empty argument in a command's place asks for the missing value", () => {
  const asked = parseCommandLine(["", "sessions"], none);
  assertStringIncludes(asked.kind === "usage" ? asked.message : "", "is a value missing?");
});

Deno.test("lists are split at commas, repeated options are collected", () => {
  assertEquals(options("--deny-ops save,,plot, --allow-ops query").denyOps, ["save", "plot"]);
  assertEquals(options("--deny-ops save --allow-ops query").allowOps, ["query"]);
  assertEquals(options("--deny-ops save,plot --deny-ops undo").denyOps, ["save", "plot", "undo"]);
  assertEquals(options("--workspace /a --workspace=/b").workspaces, ["/a", "/b"]);
});

Deno.test("--editor-env takes NAME=VALUE, with anything behind the first equals sign", () => {
  assertEquals(options("--editor-env A=b=c --editor-env=D=").editorEnv, { A: "b=c", D: "" });
  assertStringIncludes(usage("--editor-env A"), '--editor-env takes NAME=VALUE, not "A".');
});

Deno.test("an argument that looks like a number stays text", () => {
  const asked = parseCommandLine(["call", "ocs_read", "12"], none);
  assertEquals(asked.kind === "command" && asked.words, ["ocs_read", "12"]);
});

Deno.test("help takes one command", () => {
  assertEquals(usage("help desk call"), 'help takes one command, not "call" too.');
});

Deno.test("help is given for the program and for each command", () => {
  assertEquals(parse("--help"), { kind: "help", json: false });
  assertEquals(parse("help"), { kind: "help", json: false });
  assertEquals(parse("-h"), parse("--help"));
  for (const { name } of COMMANDS.filter((one) => one.name !== "help")) {
    assertEquals(parse(`${name} --help`), { kind: "help", command: name, json: false });
    assertEquals(parse(`help ${name}`), { kind: "help", command: name, json: false });
  }
});

Deno.test("no two options share a name or a variable", () => {
  const rows: readonly OptionRow[] = OPTIONS;
  const names = rows.map((row) => row.name);
  const variables = rows.flatMap((row) => row.env ?? []);
  assertEquals(new Set(names).size, names.length);
  assertEquals(new Set(variables).size, variables.length);
});

Deno.test("every command line is a command, help, or a usage error of one line", () => {
  const words = [
    ...COMMANDS.map((one) => one.name),
    ...OPTIONS.map((one: OptionRow) => `--${one.name}`),
    "a=b",
    "debug",
  ];
  const word = fc.oneof(fc.constantFrom(...words), fc.string());
  fc.assert(fc.property(fc.array(word, { maxLength: 6 }), (args) => {
    const asked = parseCommandLine(args, none);
    if (asked.kind === "usage") assertMatch(asked.message, /^[A-Za-z-][\s\S]*\.$|\?$/);
  }));
});
