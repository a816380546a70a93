/** Checks the operation names that options take: a misspelt one would protect or delay nothing. */

import { EXECUTE_OPS, READ_OPS } from "../ops/table.ts";
import { nearest } from "./nearest.ts";
import type { Options } from "./options.ts";

/** What is wrong with the names in a safety option or a delay, or undefined; for a usage error. */
export function misspeltOperation(options: Options): string | undefined {
  const { allowOps = [], denyOps, slow, freeze } = options;
  const executed = EXECUTE_OPS.map(({ op }) => op);
  const all = [...executed, ...READ_OPS.map(({ op }) => op)];
  const rows = [
    ["--deny-ops or OCS_DENY_OPS", denyOps, executed, "operation of ocs_execute"],
    ["--allow-ops or OCS_ALLOW_OPS", allowOps, executed, "operation of ocs_execute"],
    ["--slow", delayed(slow), all, "operation"],
    ["--freeze", delayed(freeze), all, "operation"],
  ] as const;
  for (const [option, ops, names, kind] of rows) {
    const wrong = ops.find((op) => !names.includes(op));
    if (wrong === undefined) continue;
    const near = nearest(wrong, names);
    const hint = near === undefined ? `There are ${names.join(", ")}.` : `Did you mean "${near}"?`;
    return `${option} names "${wrong}", which is no ${kind}. ${hint}`;
  }
  return undefined;
}

/** The names in items `OP=MS`; what has another form is for the desk to refuse. */
function delayed(items: readonly string[]): readonly string[] {
  return items.flatMap((item) => /^(.+?)=/s.exec(item)?.[1] ?? []);
}
