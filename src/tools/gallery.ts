/** The pictures that resources show: snapshots and tiles, the oldest out first (bridge.md 8). */

import type { JsonObject } from "../host/json.ts";

/** How many snapshots are kept. */
export const SNAPSHOT_LIMIT = 32;

/** How many tiles are kept. */
export const TILE_LIMIT = 64;

/** A stored PNG with what was reported about it. */
export interface Picture {
  /** SHA-256 of the PNG, hex. */
  readonly hash: string;
  readonly png: Uint8Array<ArrayBuffer>;
  readonly metadata: JsonObject;
}

/** A capture of the view, or a picture that marks what changed since another one. */
export interface Snapshot extends Picture {
  readonly kind: "capture" | "diff";
}

/** Where a tile lies: x from the left, y from the top (bridge.md 7.3). */
export interface TileAddress {
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

/** A stored tile. `of` tells which drawing state it shows. */
export interface Tile extends Picture, TileAddress {
  readonly of: string;
}

/** What is stored, over all sessions. */
export class Gallery {
  readonly #snapshots = new Map<string, Snapshot & { readonly sessionId: string }>();
  readonly #tiles = new Map<string, Tile & { readonly sessionId: string }>();
  readonly #changed: () => void;

  /** `changed` is called when the list of stored pictures is another than before. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Stores a snapshot as the newest of its session. */
  addSnapshot(sessionId: string, snapshot: Snapshot): void {
    const key = `${sessionId}/${snapshot.hash}`;
    const isNew = !this.#snapshots.delete(key);
    this.#snapshots.set(key, { ...snapshot, sessionId });
    evict(this.#snapshots, SNAPSHOT_LIMIT);
    if (isNew) this.#changed();
  }

  snapshot(sessionId: string, hash: string): Snapshot | undefined {
    return this.#snapshots.get(`${sessionId}/${hash}`);
  }

  /** The newest capture of the session; pictures of a comparison do not count. */
  latest(sessionId: string): Snapshot | undefined {
    return this.snapshots(sessionId).findLast((snapshot) => snapshot.kind === "capture");
  }

  /** Of one session, the oldest first. */
  snapshots(sessionId: string): readonly Snapshot[] {
    return [...this.#snapshots.values()].filter((stored) => stored.sessionId === sessionId);
  }

  addTile(sessionId: string, tile: Tile): void {
    const key = tileKey(sessionId, tile);
    const isNew = !this.#tiles.delete(key);
    this.#tiles.set(key, { ...tile, sessionId });
    evict(this.#tiles, TILE_LIMIT);
    if (isNew) this.#changed();
  }

  tile(sessionId: string, address: TileAddress): Tile | undefined {
    return this.#tiles.get(tileKey(sessionId, address));
  }

  /** Of one session, the oldest first. */
  tiles(sessionId: string): readonly Tile[] {
    return [...this.#tiles.values()].filter((stored) => stored.sessionId === sessionId);
  }

  /** Forgets the tiles of a session: its grid is another one now. */
  dropTiles(sessionId: string): void {
    const dropped = [...this.#tiles].filter(([, tile]) => tile.sessionId === sessionId);
    for (const [key] of dropped) this.#tiles.delete(key);
    if (dropped.length > 0) this.#changed();
  }

  /** Sessions of which a snapshot or a tile is stored, sorted. */
  sessionIds(): readonly string[] {
    const stored = [...this.#snapshots.values(), ...this.#tiles.values()];
    return [...new Set(stored.map((picture) => picture.sessionId))].sort();
  }
}

function tileKey(sessionId: string, { level, x, y }: TileAddress): string {
  return `${sessionId}/${level}/${x}/${y}`;
}

function evict(stored: Map<string, unknown>, limit: number): void {
  for (const key of stored.keys()) {
    if (stored.size <= limit) return;
    stored.delete(key);
  }
}
