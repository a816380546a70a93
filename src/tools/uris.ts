/** The `cad://` addresses of bridge.md section 8: written and read in one place. */

import type { ResourceTemplate } from "../mcp/face.ts";
import type { TileAddress } from "./gallery.ts";

/** The deepest level that a tile may have (bridge.md 2, `tile`). */
export const MAX_TILE_LEVEL = 6;

/** What an address names. */
export type ResourceAddress =
  | { readonly kind: "viewport" | "latest" | "manifest" | "state"; readonly sessionId: string }
  | {
    readonly kind: "snapshot";
    readonly sessionId: string;
    readonly hash: string;
    readonly form: PictureForm;
  }
  | {
    readonly kind: "tile";
    readonly sessionId: string;
    readonly tile: TileAddress;
    readonly form: PictureForm;
  };

/** The picture itself, or what was reported about it. */
export type PictureForm = "png" | "json";

/** Writes the addresses of one session. */
export const uriOf = {
  viewport: (sessionId: string) => `${base(sessionId)}/viewport.png`,
  latest: (sessionId: string) => `${base(sessionId)}/snapshot/latest.png`,
  manifest: (sessionId: string) => `${base(sessionId)}/pyramid/manifest.json`,
  state: (sessionId: string) => `${base(sessionId)}/state.json`,
  snapshot: (sessionId: string, hash: string, form: PictureForm = "png") =>
    `${base(sessionId)}/snapshot/${hash}.${form}`,
  tile: (sessionId: string, { level, x, y }: TileAddress, form: PictureForm = "png") =>
    `${base(sessionId)}/tile/${level}/${x}/${y}.${form}`,
  /** With the three variables left open, as the manifest gives it. */
  tileTemplate: (sessionId: string) => `${base(sessionId)}/tile/{level}/{x}/{y}.png`,
} as const;

/** The templates of `resources/templates/list`. */
export const TEMPLATES: readonly ResourceTemplate[] = [
  {
    uriTemplate: "cad://session/{id}/tile/{level}/{x}/{y}.png",
    name: "tile",
    title: "Drawing tile",
    description: "One cell of the 2^level by 2^level grid over the drawing; x from the left, " +
      "y from the top. Captured when it is not stored. With .json: its metadata.",
    mimeType: "image/png",
  },
  {
    uriTemplate: "cad://session/{id}/snapshot/{hash}.png",
    name: "snapshot",
    title: "Stored capture",
    description: "A capture taken earlier, by the SHA-256 of its PNG. With .json: its metadata.",
    mimeType: "image/png",
  },
];

/** What an address names; undefined for a foreign scheme, an unknown path or an impossible tile. */
export function parseUri(uri: string): ResourceAddress | undefined {
  const match = /^cad:\/\/session\/([^/?#]+)\/([^?#]+)$/.exec(uri);
  const sessionId = decoded(match?.[1]);
  const path = match?.[2];
  if (sessionId === undefined || path === undefined) return undefined;
  switch (path) {
    case "viewport.png":
      return { kind: "viewport", sessionId };
    case "snapshot/latest.png":
      return { kind: "latest", sessionId };
    case "pyramid/manifest.json":
      return { kind: "manifest", sessionId };
    case "state.json":
      return { kind: "state", sessionId };
  }
  const [, hash, snapshotForm] = /^snapshot\/([0-9a-f]{64})\.(png|json)$/.exec(path) ?? [];
  if (hash !== undefined) {
    return { kind: "snapshot", sessionId, hash, form: formOf(snapshotForm) };
  }
  const [, level, x, y, tileForm] = TILE_PATH.exec(path) ?? [];
  if (level === undefined || x === undefined || y === undefined) return undefined;
  const tile = { level: Number(level), x: Number(x), y: Number(y) };
  return isInGrid(tile) ? { kind: "tile", sessionId, tile, form: formOf(tileForm) } : undefined;
}

/** Whether there is such a tile: level 0..6, x and y below 2^level. */
export function isInGrid({ level, x, y }: TileAddress): boolean {
  const cells = 2 ** level;
  return level >= 0 && level <= MAX_TILE_LEVEL && x >= 0 && y >= 0 && x < cells && y < cells;
}

const TILE_PATH = /^tile\/(0|[1-9]\d?)\/(0|[1-9]\d?)\/(0|[1-9]\d?)\.(png|json)$/;

function base(sessionId: string): string {
  return `cad://session/${encodeURIComponent(sessionId)}`;
}

function formOf(extension: string | undefined): PictureForm {
  return extension === "json" ? "json" : "png";
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    // A broken percent sequence names nothing.
    return undefined;
  }
}
