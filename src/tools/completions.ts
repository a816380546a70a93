/** Values for the variables of the resource templates (mcp-stdio.md 3.7). */

import type { CallContext, Completion } from "../mcp/face.ts";
import { ErrorCode, ProtocolFault } from "../mcp/faults.ts";
import type { Workshop } from "./tool.ts";
import { MAX_TILE_LEVEL, TEMPLATES } from "./uris.ts";

/** A completion never carries more values than this. */
const LIMIT = 100;

/**
 * Values that start with what was typed. `context` holds the variables chosen before. Raises
 * ProtocolFault -32602 for a reference that is none of our templates; a variable that the template
 * does not have gets no values.
 */
export async function complete(
  uri: string,
  argument: { readonly name: string; readonly value: string },
  context: Readonly<Record<string, string>>,
  workshop: Workshop,
  call: CallContext,
): Promise<Completion> {
  if (!TEMPLATES.some((template) => template.uriTemplate === uri)) {
    throw new ProtocolFault(
      ErrorCode.invalidParams,
      `Unknown resource template; there are ${
        TEMPLATES.map((template) => template.uriTemplate).join(" and ")
      }`,
    );
  }
  if (!uri.includes(`{${argument.name}}`)) return { values: [], total: 0, hasMore: false };
  const all = await candidates(argument.name, context, workshop, call);
  const matching = all.filter((value) => value.startsWith(argument.value));
  return {
    values: matching.slice(0, LIMIT),
    total: matching.length,
    hasMore: matching.length > LIMIT,
  };
}

async function candidates(
  name: string,
  context: Readonly<Record<string, string>>,
  { editor, cameras: { gallery } }: Workshop,
  call: CallContext,
): Promise<readonly string[]> {
  switch (name) {
    case "id": {
      const { live } = await editor.discover(call.signal);
      const ids = [...live.map((session) => session.sessionId), ...gallery.sessionIds()];
      return [...new Set(ids)].sort();
    }
    case "hash": {
      const sessions = context.id === undefined ? gallery.sessionIds() : [context.id];
      // The newest first: it is the likeliest to be meant.
      const hashes = sessions.flatMap((id) => gallery.snapshots(id)).map(({ hash }) => hash);
      return [...new Set(hashes.reverse())];
    }
    case "level":
      return upTo(MAX_TILE_LEVEL + 1);
    case "x":
    case "y":
      return upTo(cellsOf(context.level));
    default:
      return [];
  }
}

/** Cells along one side of the level's grid; of the deepest one when no level was chosen. */
function cellsOf(level: string | undefined): number {
  const chosen = level !== undefined && /^\d$/.test(level) ? Number(level) : MAX_TILE_LEVEL;
  return 2 ** Math.min(chosen, MAX_TILE_LEVEL);
}

function upTo(count: number): readonly string[] {
  return Array.from({ length: count }, (_, value) => String(value));
}
