/** Checks the operation names of the safety options: a misspelt one would protect nothing. */

import { EXECUTE_OPS } from "../ops/table.ts";
import { nearest } from "./nearest.ts";
import type { Options } from "./options.ts";

/** What is wrong with a list of operations, named as it was given, or undefined; for a usage error. */
export function misspeltOperation(
  { allowOps = [], denyOps, spelt = {} }: Options,
): string | undefined {
  const names = EXECUTE_OPS.map(({ op }) => op);
  const lists = [
    [spelt.denyOps ?? "--deny-ops", denyOps],
    [spelt.allowOps ?? "--allow-ops", allowOps],
  ] as const;
  for (const [option, ops] of lists) {
    const wrong = ops.find((op) => !names.includes(op));
    if (wrong === undefined) continue;
    const near = nearest(wrong, names);
    const hint = near === undefined ? `There are ${names.join(", ")}.` : `Did you mean "${near}"?`;
    return `${option} names "${wrong}", which is no operation of ocs_execute. ${hint}`;
  }
  return undefined;
}
