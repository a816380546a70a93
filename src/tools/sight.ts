/** What captures remember of a session: its grid, its last view, its baseline (bridge.md 7). */

import type { JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import type { DiffBaseline } from "../image/diff_capture.ts";
import type { Bounds4 } from "../image/matrix.ts";
import {
  baseBounds,
  DEFAULT_BASE,
  MAX_LEVEL,
  type PyramidManifest,
  pyramidManifest,
  SMALLEST_SPAN,
  tileBounds,
} from "../image/pyramid.ts";
import type { TileAddress } from "./gallery.ts";
import { numbers } from "./shot.ts";
import { uriOf } from "./uris.ts";

/** A window of one document. */
interface Place {
  readonly bounds: Bounds4;
  readonly unit: string;
  /** The editor's document id; undefined when nobody said. */
  readonly document: number | undefined;
}

/** The unit as long as no capture named one. */
const NO_UNIT = "Unitless";

/** The memory of one session. */
export class Sight {
  readonly #sessionId: string;
  #grid: Place | undefined;
  #view: Place | undefined;
  /** What the next comparison starts from. */
  baseline: DiffBaseline | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** A capture of the view was taken: its world bounds may serve as a base later. */
  saw(reported: JsonObject): void {
    const place = placeOf(reported);
    if (place !== undefined) this.#view = place;
  }

  /**
   * The window that tiles divide (bridge.md 7.3): `bounds` if given, else the grid in use, else
   * the last view, else a fixed one. What belongs to another document does not count.
   */
  base(bounds: Bounds4 | undefined, document: number | undefined): Bounds4 {
    return baseBounds(
      bounds ?? this.#current(this.#grid, document)?.bounds ??
        this.#current(this.#view, document)?.bounds ?? DEFAULT_BASE,
    );
  }

  /**
   * Makes the base the session's grid, so that tile addresses keep their meaning; whether it is
   * another grid than before. The fixed base is not kept: a later view knows better.
   */
  pin(bounds: Bounds4 | undefined, document: number | undefined): boolean {
    const known = bounds !== undefined ||
      this.#current(this.#grid, document) !== undefined ||
      this.#current(this.#view, document) !== undefined;
    const before = this.#grid;
    const base = this.base(bounds, document);
    const same = this.#current(before, document) === before &&
      (before?.bounds ?? DEFAULT_BASE).every((value, index) => value === base[index]);
    this.#grid = known ? { bounds: base, unit: this.#unit(document), document } : undefined;
    return !same;
  }

  /** The manifest over the base. */
  manifest(document: number | undefined): PyramidManifest {
    return pyramidManifest(
      this.base(undefined, document),
      this.#unit(document),
      uriOf.tileTemplate(this.#sessionId),
    );
  }

  /** Runs one comparison at a time, so that each has the one before as its baseline. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    // A comparison that failed must not stop those after it.
    this.#turn = result.catch(() => {});
    return result;
  }

  #current(place: Place | undefined, document: number | undefined): Place | undefined {
    const foreign = place?.document !== undefined && document !== undefined &&
      place.document !== document;
    return foreign ? undefined : place;
  }

  #unit(document: number | undefined): string {
    return this.#current(this.#view, document)?.unit ??
      this.#current(this.#grid, document)?.unit ?? NO_UNIT;
  }
}

/** The window of one cell. The levels below the manifest's deepest divide its cells further. */
export function cellBounds(base: Bounds4, { level, x, y }: TileAddress): Bounds4 {
  if (level <= MAX_LEVEL) return tileBounds(base, { level, x, y });
  const parts = 2 ** (level - MAX_LEVEL);
  const [minx, miny, maxx, maxy] = tileBounds(base, {
    level: MAX_LEVEL,
    x: Math.floor(x / parts),
    y: Math.floor(y / parts),
  });
  const [left, right] = part(minx, maxx, x % parts, parts);
  // Rows count from the top.
  const [bottom, top] = part(miny, maxy, parts - 1 - y % parts, parts);
  return [left, bottom, right, top];
}

/** One of `count` equal parts of a stretch, widened around its middle to the smallest span. */
function part(from: number, to: number, index: number, count: number): readonly [number, number] {
  const low = from + (to - from) * (index / count);
  const high = from + (to - from) * ((index + 1) / count);
  const missing = Math.max(0, SMALLEST_SPAN - (high - low)) / 2;
  return [low - missing, high + missing];
}

function placeOf(reported: JsonObject): Place | undefined {
  const bounds = reported.viewport_world_bounds;
  if (!isJsonObject(bounds) || reported.scope === "window") return undefined;
  const [minx, miny] = numbers(bounds.min, 2) ?? [];
  const [maxx, maxy] = numbers(bounds.max, 2) ?? [];
  if (minx === undefined || miny === undefined || maxx === undefined || maxy === undefined) {
    return undefined;
  }
  const spatial = reported._spatial;
  const unit = isJsonObject(spatial) && typeof spatial.unit === "string" ? spatial.unit : NO_UNIT;
  return { bounds: [minx, miny, maxx, maxy], unit, document: wholeNumber(reported.document_id) };
}

/** A document id or a revision, if that is what it is. */
export function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}
