/** The arguments of `ocs_capture` (bridge.md 2). */

import { ToolError } from "../host/faults.ts";
import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import {
  boolean,
  handles,
  inputSchema,
  integer,
  object,
  oneOf,
  optional,
  requestId,
  SESSION_ID,
  shown,
  type WorldWindow,
  worldWindow,
} from "./arguments.ts";
import { DELIVERIES, type Delivery } from "./delivery.ts";
import type { TileAddress } from "./gallery.ts";
import { isInGrid, MAX_TILE_LEVEL } from "./uris.ts";

/** The tool's name. */
export const CAPTURE = "ocs_capture";

/** The values of `diff_mode`. */
export const DIFF_MODES = ["highlight", "crop", "metadata_only"] as const;

/** One of them. */
export type DiffMode = typeof DIFF_MODES[number];

/** Longest edge of a picture in pixels, when nothing is said: of a view, and of a tile. */
export const DEFAULT_DIMENSION = { view: 1600, tile: 512 } as const;

/** The checked arguments. */
export interface CaptureWish {
  readonly sessionId: string;
  readonly requestId: string | undefined;
  readonly scope: "viewport" | "window" | undefined;
  readonly maxDimension: number;
  readonly delivery: Delivery;
  readonly diff: boolean;
  readonly diffMode: DiffMode;
  readonly resetBaseline: boolean;
  readonly view: "current" | "extents" | "selection" | "region" | undefined;
  readonly bounds: WorldWindow | undefined;
  readonly focusHandles: readonly string[];
  readonly highlightHandles: readonly string[];
  readonly annotate: boolean | undefined;
  readonly tile: TileAddress | undefined;
  readonly manifest: boolean;
}

const HANDLES: JsonObject = { type: "array", items: { type: "string" } };

const REQUEST_ID = optional("request_id", requestId, undefined, {
  type: "string",
  minLength: 1,
  maxLength: 128,
  description: "Id of this capture; a fresh one each time.",
});
const SCOPE = optional("scope", oneOf(["viewport", "window"]), undefined, {
  enum: ["viewport", "window"],
  default: "viewport",
  description: "The drawing's view, or the whole editor window.",
});
const MAX_DIMENSION = optional("max_dimension", integer(256, 4096), undefined, {
  type: "integer",
  minimum: 256,
  maximum: 4096,
  default: DEFAULT_DIMENSION.view,
  description: `Longest edge in pixels; ${DEFAULT_DIMENSION.tile} for a tile unless given.`,
});
const DELIVERY = optional("delivery", oneOf(DELIVERIES), "inline", {
  enum: DELIVERIES,
  default: "inline",
  description: "The picture itself, a cad:// link to it, or both.",
});
const DIFF = optional("diff", boolean, false, {
  type: "boolean",
  default: false,
  description: "Compare with the previous capture that had diff, and become the next baseline.",
});
const DIFF_MODE = optional("diff_mode", oneOf(DIFF_MODES), "highlight", {
  enum: DIFF_MODES,
  default: "highlight",
  description: "Changes in green on grey, only the changed part, or figures alone.",
});
const RESET = optional("reset_diff_baseline", boolean, false, {
  type: "boolean",
  default: false,
  description: "Forget the baseline first.",
});
const VIEW = optional("view", oneOf(["current", "extents", "selection", "region"]), undefined, {
  enum: ["current", "extents", "selection", "region"],
  default: "current",
  description: "What to zoom to first; region needs bounds.",
});
const BOUNDS = optional("bounds", worldWindow, undefined, {
  type: "array",
  items: { type: "number" },
  minItems: 4,
  maxItems: 4,
  description: "World window [x0, y0, x1, y1] in drawing units; with tile or pyramid_manifest: " +
    "what the grid covers.",
});
const FOCUS = optional("focus_handles", handles, [], {
  ...HANDLES,
  description: "Zoom to these entities.",
});
const HIGHLIGHT = optional("highlight_handles", handles, [], {
  ...HANDLES,
  description: "Select these entities so that they stand out.",
});
const ANNOTATE = optional("annotate", boolean, undefined, {
  type: "boolean",
  default: false,
  description: "Draw numbered badges; `annotations` says which entity each is.",
});
const TILE = optional("tile", object, undefined, {
  type: "object",
  properties: {
    level: { type: "integer", minimum: 0, maximum: MAX_TILE_LEVEL },
    x: { type: "integer", minimum: 0 },
    y: { type: "integer", minimum: 0 },
  },
  required: ["level", "x", "y"],
  description: "One cell of the 2^level by 2^level grid; x from the left, y from the top.",
});
const MANIFEST = optional("pyramid_manifest", boolean, false, {
  type: "boolean",
  default: false,
  description: "Also describe the grid of tiles.",
});

/** In the order of the table in bridge.md 2. */
const CAPTURE_ARGUMENTS = [
  SESSION_ID,
  REQUEST_ID,
  SCOPE,
  MAX_DIMENSION,
  DELIVERY,
  DIFF,
  DIFF_MODE,
  RESET,
  VIEW,
  BOUNDS,
  FOCUS,
  HIGHLIGHT,
  ANNOTATE,
  TILE,
  MANIFEST,
] as const;

/** The tool's input schema. */
export function captureSchema(): JsonObject {
  return inputSchema(CAPTURE_ARGUMENTS);
}

/** Checks everything that can be checked without the editor; raises ToolError. */
export function captureWish(args: JsonObject): CaptureWish {
  const sessionId = SESSION_ID.take(args, CAPTURE);
  const tile = tileAddress(TILE.take(args, CAPTURE));
  const wish: CaptureWish = {
    sessionId,
    requestId: REQUEST_ID.take(args, CAPTURE),
    scope: SCOPE.take(args, CAPTURE),
    maxDimension: MAX_DIMENSION.take(args, CAPTURE) ??
      (tile === undefined ? DEFAULT_DIMENSION.view : DEFAULT_DIMENSION.tile),
    delivery: DELIVERY.take(args, CAPTURE),
    diff: DIFF.take(args, CAPTURE),
    diffMode: DIFF_MODE.take(args, CAPTURE),
    resetBaseline: RESET.take(args, CAPTURE),
    view: VIEW.take(args, CAPTURE),
    bounds: BOUNDS.take(args, CAPTURE),
    focusHandles: FOCUS.take(args, CAPTURE),
    highlightHandles: HIGHLIGHT.take(args, CAPTURE),
    annotate: ANNOTATE.take(args, CAPTURE),
    tile,
    manifest: MANIFEST.take(args, CAPTURE),
  };
  if (tile === undefined && wish.view === "region" && wish.bounds === undefined) {
    throw new ToolError(
      'view "region" of ocs_capture needs bounds: a world window [x0, y0, x1, y1].',
    );
  }
  if (tile !== undefined && wish.scope === "window") {
    throw new ToolError(
      'A tile of ocs_capture shows the drawing: leave scope out, or make it "viewport".',
    );
  }
  if (tile !== undefined && wish.focusHandles.length > 0) {
    throw new ToolError(
      "A tile of ocs_capture has its own world window: use either tile or focus_handles.",
    );
  }
  return wish;
}

function tileAddress(given: JsonObject | undefined): TileAddress | undefined {
  if (!isJsonObject(given)) return undefined;
  const level = wholeNumber(given.level);
  const x = wholeNumber(given.x);
  const y = wholeNumber(given.y);
  if (level === undefined || x === undefined || y === undefined) {
    throw new ToolError(
      `Invalid tile for ${CAPTURE}: expected {level: 0 to ${MAX_TILE_LEVEL}, x, y} of whole ` +
        `numbers, got ${shown(given)}.`,
    );
  }
  if (level < 0 || level > MAX_TILE_LEVEL) {
    const most = 2 ** MAX_TILE_LEVEL;
    throw new ToolError(
      `There is no tile level ${level} for ${CAPTURE}: levels go from 0, a single tile, to ` +
        `${MAX_TILE_LEVEL}, a grid of ${most} x ${most}.`,
    );
  }
  const address = { level, x, y };
  if (isInGrid(address)) return address;
  const cells = 2 ** level;
  throw new ToolError(
    `There is no tile (${level}, ${x}, ${y}): level ${level} is a grid of ${cells} x ${cells}, ` +
      `so x and y go from 0 to ${cells - 1}, x from the left, y from the top.`,
  );
}

function wholeNumber(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}
