/** What changed between two pictures, in pixels and in drawing units (bridge.md 7.2). */

import { cropRaster, type PixelBox } from "./crop.ts";
import { type Bounds4, type Matrix6, transformedBounds } from "./matrix.ts";
import type { Raster } from "./raster.ts";

/** What picture a diff gives. */
export type DiffMode = "highlight" | "crop" | "metadata_only";

/** How two pictures are compared. */
export interface DiffOptions {
  readonly mode: DiffMode;
  /** The newer picture's transform; without it there are no world bounds. */
  readonly pixelToWorld?: Matrix6 | undefined;
}

/** The outcome of a comparison. */
export interface VisualDiff {
  readonly changed: boolean;
  readonly changedPixels: number;
  /** Share of the newer picture's pixels, 0..100 with two decimals: one of millions gives 0. */
  readonly changePercentage: number;
  /** The changed pixels' box, 16 pixels wider on each side and clamped; null when none changed. */
  readonly dirtyPixelBounds: PixelBox | null;
  /** The drawing's box around the four corners of `dirtyPixelBounds`. */
  readonly dirtyWorldBounds: Bounds4 | null;
  /** Width and height of `dirtyPixelBounds`. */
  readonly patchResolution: readonly [number, number] | null;
  /** Highlight: the marked picture. Crop: the dirty part. Absent where the capture itself serves. */
  readonly image?: Raster;
}

/** A pixel has changed when its four channels together differ by more than this. */
const THRESHOLD = 20;
const PADDING = 16;
const MARK = packed(0, 255, 128, 255);
const REST_ALPHA = 200;
/** What {@link grey} makes of the word 0. */
const GREY_OF_NOTHING = packed(0, 0, 0, REST_ALPHA);
/** Rows between two turns of the event loop, in pixels: a few milliseconds' work. */
const TURN_PIXELS = 1 << 20;

/** Compares two pictures at once. */
export function visualDiff(before: Raster, after: Raster, options: DiffOptions): VisualDiff {
  const scan = startScan(before, after, options.mode);
  scan.rows(0, after.height);
  return conclude(scan, after, options);
}

/** Compares two pictures and lets the event loop turn after each band of rows. */
export async function visualDiffInTurns(
  before: Raster,
  after: Raster,
  options: DiffOptions,
  turn: () => Promise<void>,
): Promise<VisualDiff> {
  const scan = startScan(before, after, options.mode);
  const band = Math.max(1, Math.floor(TURN_PIXELS / after.width));
  for (let row = 0; row < after.height; row += band) {
    scan.rows(row, Math.min(after.height, row + band));
    await turn();
  }
  return conclude(scan, after, options);
}

/** A comparison under way: what has been found in the rows seen so far. */
interface Scan {
  /** Compares the rows from `first` to before `end`. */
  rows(first: number, end: number): void;
  changedPixels(): number;
  /** The changed pixels' box, not padded; undefined when there are none. */
  box(): PixelBox | undefined;
  readonly sameSize: boolean;
  readonly marked: Uint32Array<ArrayBuffer> | undefined;
}

function startScan(before: Raster, after: Raster, mode: DiffMode): Scan {
  const { width, height } = after;
  const sameSize = before.width === width && before.height === height;
  const marked = mode === "highlight" ? new Uint32Array(width * height) : undefined;
  if (!sameSize) {
    return {
      rows: (first, end) => marked?.fill(MARK, first * width, end * width),
      changedPixels: () => width * height,
      box: () => [0, 0, width, height],
      sameSize,
      marked,
    };
  }
  const old = words(before), now = words(after);
  let count = 0, left = width, top = height, right = -1, bottom = -1;
  return {
    rows(first, end) {
      for (let y = first; y < end; y++) {
        // The hot loop keeps to its own variables: those shared with other functions are slow.
        let found = 0, from = width, to = -1;
        const row = y * width;
        let lastWord = 0, lastGrey = GREY_OF_NOTHING;
        for (let x = 0; x < width; x++) {
          const word = now[row + x] ?? 0;
          const previous = old[row + x] ?? 0;
          if (word !== previous && distance(word, previous) > THRESHOLD) {
            found++;
            if (to < 0) from = x;
            to = x;
            if (marked !== undefined) marked[row + x] = MARK;
          } else if (marked !== undefined) {
            // Drawings are mostly ground: the grey of the last pixel often serves the next.
            if (word !== lastWord) {
              lastWord = word;
              lastGrey = grey(word);
            }
            marked[row + x] = lastGrey;
          }
        }
        if (found === 0) continue;
        count += found;
        left = Math.min(left, from);
        right = Math.max(right, to);
        top = Math.min(top, y);
        bottom = y;
      }
    },
    changedPixels: () => count,
    box: () => count === 0 ? undefined : [left, top, right + 1, bottom + 1],
    sameSize,
    marked,
  };
}

function conclude(scan: Scan, after: Raster, options: DiffOptions): VisualDiff {
  const { width, height } = after;
  const changedPixels = scan.changedPixels();
  const box = scan.box();
  const dirty = box === undefined ? null : padded(box, width, height);
  const matrix = options.pixelToWorld;
  const figures = {
    changed: changedPixels > 0,
    changedPixels,
    changePercentage: Math.round(changedPixels * 10_000 / (width * height)) / 100,
    dirtyPixelBounds: dirty,
    // Pictures of different size do not show the same window: no place can be named.
    dirtyWorldBounds: dirty === null || matrix === undefined || !scan.sameSize
      ? null
      : transformedBounds(matrix, dirty),
    patchResolution: dirty === null ? null : [dirty[2] - dirty[0], dirty[3] - dirty[1]] as const,
  };
  if (scan.marked !== undefined) {
    const data = new Uint8ClampedArray(scan.marked.buffer);
    return { ...figures, image: { width, height, data } };
  }
  if (options.mode === "crop" && dirty !== null) {
    return { ...figures, image: cropRaster(after, dirty) };
  }
  return figures;
}

function padded([left, top, right, bottom]: PixelBox, width: number, height: number): PixelBox {
  return [
    Math.max(0, left - PADDING),
    Math.max(0, top - PADDING),
    Math.min(width, right + PADDING),
    Math.min(height, bottom + PADDING),
  ];
}

/** |dR| + |dG| + |dB| + |dA| of two pixels, whatever the machine's byte order. */
function distance(a: number, b: number): number {
  return Math.abs((a & 255) - (b & 255)) +
    Math.abs((a >>> 8 & 255) - (b >>> 8 & 255)) +
    Math.abs((a >>> 16 & 255) - (b >>> 16 & 255)) +
    Math.abs((a >>> 24) - (b >>> 24));
}

/** A pixel that has not changed: grey at 35 % of its luminance (Rec. 601 weights), see-through. */
function grey(word: number): number {
  // Every platform Deno runs on is little-endian: red is the lowest byte.
  const weighted = 299 * (word & 255) + 587 * (word >>> 8 & 255) + 114 * (word >>> 16 & 255);
  const level = Math.floor((weighted * 35 + 50_000) / 100_000);
  return (REST_ALPHA << 24 | level << 16 | level << 8 | level) >>> 0;
}

function packed(r: number, g: number, b: number, a: number): number {
  return new Uint32Array(new Uint8Array([r, g, b, a]).buffer)[0] ?? 0;
}

/** A picture's pixels as one word each. */
function words({ data }: Raster): Uint32Array<ArrayBuffer> {
  if (data.byteOffset % 4 === 0) {
    return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  }
  return new Uint32Array(data.slice().buffer);
}
