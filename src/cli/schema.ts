/** `ocs-bridge schema`: the tools as `tools/list` shows them. */

import { buildTools, listed, opPolicy } from "../tools/tool_list.ts";
import type { Options } from "./options.ts";
import { writeOut } from "./output.ts";

/** Prints `{"tools": [...]}`, indented unless `--json` asks for one line. */
export function schema(options: Options): number {
  const { readOnly, denyOps, allowOps } = options;
  const ops = opPolicy({
    readOnly,
    denyOps,
    workspaces: [],
    ...(allowOps === undefined ? {} : { allowOps }),
  });
  const tools = listed(buildTools({ style: options.schema, ops, readOnly }), readOnly);
  writeOut(`${JSON.stringify({ tools }, null, options.json ? undefined : 2)}\n`);
  return 0;
}
