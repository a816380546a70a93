/** From arguments to exit code: parses, then hands over to the command (bridge.md 14). */

import { readEnvironment } from "./environment.ts";
import type { CommandName, Options } from "./options.ts";
import { parseCommandLine } from "./parse.ts";
import { writeError, writeOut } from "./output.ts";
import { staged } from "./staged.ts";

/** Exit codes: done, failed, wrong usage. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** Runs one command line to its end; resolves to the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const env = readEnvironment();
  const asked = parseCommandLine(args, env);
  switch (asked.kind) {
    case "usage":
      writeError(`ocs-bridge: ${asked.message}\n`);
      return EXIT.usage;
    case "help": {
      const { helpText, helpJson } = await import("./help.ts");
      writeOut(asked.json ? helpJson(asked.command) : helpText(asked.command));
      return EXIT.done;
    }
    case "command": {
      const misspelt = await misspeltIn(asked.options);
      if (misspelt === undefined) return await dispatch(asked.command, asked.words, asked.options);
      writeError(`ocs-bridge: ${misspelt}\n`);
      return EXIT.usage;
    }
  }

  async function dispatch(
    command: CommandName,
    words: readonly string[],
    options: Options,
  ): Promise<number> {
    switch (command) {
      case "serve":
      case "sessions":
      case "call":
      case "doctor":
        return await staged(command, words, options, env);
      case "desk":
        return await (await import("./desk.ts")).desk(options, env);
      case "schema":
        return await (await import("./schema.ts")).schema(options);
      case "version":
        return await (await import("./version.ts")).version(options);
      case "help":
        return EXIT.done;
    }
  }
}

/** The operation table is loaded only for those who use the lists: the start is in a hurry. */
async function misspeltIn(options: Options): Promise<string | undefined> {
  const { allowOps = [], denyOps, slow, freeze } = options;
  if ([allowOps, denyOps, slow, freeze].every((names) => names.length === 0)) return undefined;
  return (await import("./operation_names.ts")).misspeltOperation(options);
}
