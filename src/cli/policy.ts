/** What the person allows, from the options, in the terms of the tools (bridge.md 11). */

import type { Policy } from "../tools/tool.ts";
import type { Order } from "./order.ts";

/** The policy of one run. */
export function policyOf({ options, places }: Order): Policy {
  return {
    readOnly: options.readOnly,
    denyOps: options.denyOps,
    workspaces: places.workspaces,
    ...(options.allowOps === undefined ? {} : { allowOps: options.allowOps }),
  };
}
