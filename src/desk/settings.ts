/** The desk's settings as a person types them on the command line. */

import type { Size } from "./camera.ts";

/** The smallest and the largest edge of the drawing window, in pixels. */
const EDGE = { least: 16, most: 8192 } as const;

/**
 * Items `OP=MS` as a table: how long an operation of that name takes, in milliseconds. Of several
 * items for one name the last counts. Raises an Error that names the item it does not understand,
 * or whose name is none of `known`: a misspelt one would hold nothing up.
 */
export function parseDelays(
  items: readonly string[],
  known: readonly string[],
): ReadonlyMap<string, number> {
  return new Map(items.map((item) => {
    const [, op = "", ms = ""] = /^([a-z_]+)=(\d{1,9})$/.exec(item) ?? [];
    if (op === "") {
      throw new Error(`'${item}' is not OP=MILLISECONDS, such as entities_create=5000.`);
    }
    if (!known.includes(op)) {
      throw new Error(`'${item}' names no operation that it works on: ${known.join(", ")}.`);
    }
    return [op, Number(ms)];
  }));
}

/** A size `WxH` in pixels. Raises an Error that says what a size looks like. */
export function parseWindow(text: string): Size {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  const size = { width: Number(width), height: Number(height) };
  const fits = (edge: number) => edge >= EDGE.least && edge <= EDGE.most;
  if (!fits(size.width) || !fits(size.height)) {
    throw new Error(
      `'${text}' is not WIDTHxHEIGHT in pixels, such as 1600x1000, ${EDGE.least} to ${EDGE.most}.`,
    );
  }
  return size;
}
