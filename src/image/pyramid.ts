/** The tile pyramid over a drawing: which window a tile shows, and the manifest (bridge.md 7.3). */

import { ToolError } from "../host/faults.ts";
import type { Bounds4 } from "./matrix.ts";

/** The deepest level: a grid of 16 x 16. */
export const MAX_LEVEL = 4;
/** A tile's longest edge in pixels, unless the caller gives another. */
export const TILE_SIZE = 512;
/** No tile of any level is narrower than this, in drawing units. */
export const SMALLEST_SPAN = 1e-4;
/** The base's smallest span, so that the deepest level's tiles keep to theirs. */
const SMALLEST_BASE = SMALLEST_SPAN * 2 ** MAX_LEVEL;
/** The base where neither bounds, nor a manifest, nor a capture say one. */
export const DEFAULT_BASE: Bounds4 = [-100, -100, 100, 100];

/** A tile's address: `x` counts from the left, `y` from the top. */
export interface TileAddress {
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

/** The manifest of bridge.md 7.3, as it is sent. */
export interface PyramidManifest {
  readonly crs: "CAD_WCS";
  readonly unit: string;
  readonly world_bounds: Bounds4;
  readonly max_level: number;
  readonly tile_size: number;
  readonly tile_uri_template: string;
  readonly levels: readonly {
    readonly level: number;
    readonly grid: readonly [number, number];
    readonly tile_world_span: readonly [number, number];
    readonly tiles_count: number;
  }[];
}

/**
 * The drawing's window that a pyramid stands on: corners put in order, a base so small that the
 * deepest level's tiles would be narrower than 1e-4 widened around its middle. Throws a {@link ToolError} when the bounds are not finite.
 */
export function baseBounds(bounds: Bounds4): Bounds4 {
  if (!bounds.every(Number.isFinite)) {
    throw new ToolError(
      `The bounds [${bounds.join(", ")}] are not four finite numbers. Give ` +
        "[minx, miny, maxx, maxy] in drawing units.",
    );
  }
  const [minx, maxx] = widened(bounds[0], bounds[2]);
  const [miny, maxy] = widened(bounds[1], bounds[3]);
  return [minx, miny, maxx, maxy];
}

/**
 * The window that a tile shows. Neighbours share their edges to the last bit, and the outer tiles
 * end exactly at the base. Throws a {@link ToolError} that names the grid for an address outside it.
 */
export function tileBounds(base: Bounds4, tile: TileAddress): Bounds4 {
  checkAddress(tile);
  const [minx, miny, maxx, maxy] = baseBounds(base);
  const count = 2 ** tile.level;
  return [
    edge(minx, maxx, tile.x, count),
    edge(maxy, miny, tile.y + 1, count),
    edge(minx, maxx, tile.x + 1, count),
    edge(maxy, miny, tile.y, count),
  ];
}

/** Throws a {@link ToolError} that names the grid when there is no such tile. */
export function checkAddress({ level, x, y }: TileAddress): void {
  if (!(Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL)) {
    throw new ToolError(
      `There is no tile level ${level}: levels run from 0 (one tile) to ${MAX_LEVEL} ` +
        `(a ${2 ** MAX_LEVEL} x ${2 ** MAX_LEVEL} grid).`,
    );
  }
  const count = 2 ** level;
  const within = (value: number) => Number.isInteger(value) && value >= 0 && value < count;
  if (within(x) && within(y)) return;
  throw new ToolError(
    `There is no tile (${x}, ${y}) at level ${level}: its grid is ${count} x ${count}, so x (from ` +
      `the left) and y (from the top) run from 0 to ${count - 1}.`,
  );
}

/** The manifest over the given base; `uriTemplate` holds `{level}`, `{x}` and `{y}`. */
export function pyramidManifest(
  base: Bounds4,
  unit: string,
  uriTemplate: string,
): PyramidManifest {
  const world = baseBounds(base);
  const levels = Array.from({ length: MAX_LEVEL + 1 }, (_, level) => {
    const count = 2 ** level;
    return {
      level,
      grid: [count, count] as const,
      tile_world_span: [
        Math.max(SMALLEST_SPAN, (world[2] - world[0]) / count),
        Math.max(SMALLEST_SPAN, (world[3] - world[1]) / count),
      ] as const,
      tiles_count: count * count,
    };
  });
  return {
    crs: "CAD_WCS",
    unit,
    world_bounds: world,
    max_level: MAX_LEVEL,
    tile_size: TILE_SIZE,
    tile_uri_template: uriTemplate,
    levels,
  };
}

/** The grid line `index` of `count` between two values; the last is `to` itself, not about it. */
function edge(from: number, to: number, index: number, count: number): number {
  return index === count ? to : from + (to - from) * (index / count);
}

function widened(a: number, b: number): readonly [number, number] {
  const low = Math.min(a, b), high = Math.max(a, b);
  if (high - low >= SMALLEST_BASE) return [low, high];
  const middle = (low + high) / 2;
  return [middle - SMALLEST_BASE / 2, middle + SMALLEST_BASE / 2];
}
