/** The official Inspector's command line against the program, in both eras. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import type { Program } from "../../tests/support/bridge_program.ts";
import { objectIn } from "../../tests/support/expect.ts";
import { ROOT, runChild } from "../children.ts";

const PACKAGE = "@modelcontextprotocol/inspector";
const VERSION = "2.12.0";
const HOME = `${ROOT}/.tools/inspector-${VERSION}`;
const CONFIG = `${HOME}/deno.json`;
const ENTRY = `${HOME}/node_modules/${PACKAGE}/clients/launcher/build/index.js`;

/** Installs the Inspector from npm, once; throws with npm's words when it cannot. */
export async function installInspector(): Promise<void> {
  try {
    await Deno.stat(ENTRY);
    return;
  } catch {
    // Not installed yet: the rest of this function does so.
  }
  await Deno.mkdir(HOME, { recursive: true });
  await Deno.writeTextFile(`${HOME}/package.json`, '{ "private": true }\n');
  await Deno.writeTextFile(CONFIG, '{ "nodeModulesDir": "manual" }\n');
  // npm itself runs under Deno, so that no Node needs to be there. Deno cannot install the package
  // by itself: one of its optional dependencies is not in the registry, which npm passes over.
  const { code, output } = await runChild(
    ["run", "--allow-all", "--no-config", "--no-lock", "npm:npm@11.6.2", "install", "--no-audit"]
      .concat(["--no-fund", "--ignore-scripts", "--prefix", HOME, `${PACKAGE}@${VERSION}`]),
    { cwd: HOME, quiet: true },
  );
  if (code !== 0) throw new Error(`npm could not install the Inspector:\n${output.slice(-2_000)}`);
}

/** How to ask. */
export interface InspectorCall {
  readonly program: Program;
  /** The program's own arguments. */
  readonly args: readonly string[];
  readonly era: "legacy" | "modern";
  /** The Inspector's arguments after the era. */
  readonly ask: readonly string[];
}

/** Runs one Inspector command; gives what it printed as JSON. */
export async function inspect(call: InspectorCall): Promise<JsonObject> {
  const { program, args, era, ask } = call;
  const servers = await Deno.makeTempFile({ prefix: "ocs-inspector-", suffix: ".json" });
  const server = { command: program.command, args: [...program.args, ...args], env: program.env };
  await Deno.writeTextFile(servers, JSON.stringify({ mcpServers: { bridge: server } }));
  const { code, stdout, output } = await runChild(
    ["run", "--allow-all", "--no-lock", "--config", CONFIG, ENTRY, "--cli"]
      .concat(["--config", servers, "--server", "bridge", "--protocol-era", era])
      .concat(["--format", "json", "-q", ...ask]),
    { cwd: HOME, quiet: true, env: { HOME, MCP_STORAGE_DIR: `${HOME}/storage` } },
  );
  await Deno.remove(servers);
  assertEquals(code, 0, `The Inspector failed on ${ask.join(" ")}:\n${output.slice(-3_000)}`);
  const printed: unknown = JSON.parse(stdout);
  return objectIn(objectIn(printed).result, "the Inspector's result");
}
