/** The four tools in their order, and what is listed of them (bridge.md 2, 11). */

import type { ResourceTemplate, ToolDefinition } from "../mcp/face.ts";
import type { SchemaStyle } from "../ops/schema.ts";
import type { OpPolicy } from "../ops/spec.ts";
import { captureTool } from "./capture_tool.ts";
import { executeTool } from "./execute_tool.ts";
import { readTool } from "./read_tool.ts";
import { sessionsTool } from "./sessions_tool.ts";
import type { Policy, Tool } from "./tool.ts";
import { TEMPLATES } from "./uris.ts";

/** How the list is written and what it leaves out. */
export interface ListOptions {
  readonly style: SchemaStyle;
  readonly ops: OpPolicy;
  readonly readOnly: boolean;
}

/** As listed without any option. */
export const DEFAULT_LIST: ListOptions = { style: "full", ops: {}, readOnly: false };

/** What a client is shown in lists, and the tools behind it. */
export interface Listing {
  readonly tools: readonly Tool[];
  /** Those of the tools that `tools/list` shows. */
  readonly definitions: readonly ToolDefinition[];
  readonly resourceTemplates: readonly ResourceTemplate[];
}

/** Builds the lists for a policy. This takes a few milliseconds. */
export function listingOf(policy: Policy, style: SchemaStyle): Listing {
  const { readOnly } = policy;
  const tools = buildTools({ style, ops: opPolicy(policy), readOnly });
  return { tools, definitions: listed(tools, readOnly), resourceTemplates: TEMPLATES };
}

/** Builds the four tools. */
export function buildTools({ style, ops }: ListOptions): readonly Tool[] {
  return [sessionsTool(), readTool(style), executeTool(style, ops), captureTool()];
}

/** What `tools/list` shows: read-only mode leaves out what is destructive. */
export function listed(tools: readonly Tool[], readOnly: boolean): readonly ToolDefinition[] {
  return tools
    .map((tool) => tool.definition)
    .filter(({ annotations }) => !readOnly || !annotations.destructiveHint);
}

/** The op policy in the form that the validator takes. */
export function opPolicy({ allowOps, denyOps }: Policy): OpPolicy {
  return {
    ...(allowOps !== undefined && { allow: new Set(allowOps) }),
    ...(denyOps !== undefined && { deny: new Set(denyOps) }),
  };
}
