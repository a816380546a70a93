/** Taking pictures of sessions: views, tiles, comparisons; all of it stored (bridge.md 7, 8). */

import type { EditorSession, Waiting } from "../editor/types.ts";
import type { Json, JsonObject } from "../host/json.ts";
import type { Bounds4 } from "../image/matrix.ts";
import type { PixelWork } from "../image/pixels.ts";
import type { CaptureWish } from "./capture_arguments.ts";
import type { CaptureFolder } from "./capture_file.ts";
import { compare } from "./comparison.ts";
import type { Deliverable } from "./delivery.ts";
import type { Gallery, Picture } from "./gallery.ts";
import { type Shot, type ShotOutcome, takeShot } from "./shot.ts";
import { cellBounds, Sight, wholeNumber } from "./sight.ts";
import { cutToWindow } from "./tile_cut.ts";
import { uriOf } from "./uris.ts";

/** A picture that was taken, stored and described. */
export interface Photo extends Picture {
  /** What the client is to see: the picture itself, or what a comparison made of it. */
  readonly shown: Deliverable;
}

/** How photographing ended. */
export type PhotoOutcome =
  | { readonly kind: "photo"; readonly photo: Photo }
  | { readonly kind: "refused"; readonly reply: JsonObject }
  | { readonly kind: "drawing"; readonly requestId: string; readonly later: LatePhoto };

/** A picture that the editor still owes; like `LateShot`. */
export interface LatePhoto {
  develop(reply: JsonObject): Promise<PhotoOutcome>;
  drop(): void;
}

/** The cameras of one connection, one per session. */
export class Cameras {
  readonly #sights = new Map<string, Sight>();

  constructor(
    readonly gallery: Gallery,
    readonly folder: CaptureFolder,
    readonly pixels: PixelWork,
  ) {}

  /** What captures remember of the session. */
  sight(sessionId: string): Sight {
    let sight = this.#sights.get(sessionId);
    if (sight === undefined) {
      sight = new Sight(sessionId);
      this.#sights.set(sessionId, sight);
    }
    return sight;
  }

  /** The session is gone: its baseline, its grid and its tiles are void (bridge.md 4.5). */
  forgetSession(sessionId: string): void {
    if (this.#sights.delete(sessionId)) this.gallery.dropTiles(sessionId);
  }

  /** Sessions that something is remembered of. */
  sessionIds(): readonly string[] {
    return [...this.#sights.keys()];
  }

  /** Takes one picture. Rejects like `EditorSession.execute`, and with ToolError. */
  async photograph(
    session: EditorSession,
    wish: CaptureWish,
    waiting: Waiting,
  ): Promise<PhotoOutcome> {
    const sight = this.sight(session.sessionId);
    const document = wholeNumber(session.lastState()?.document_id);
    if (wish.resetBaseline) sight.baseline = undefined;
    if (wish.tile !== undefined || (wish.manifest && wish.bounds !== undefined)) {
      if (sight.pin(wish.bounds, document)) this.gallery.dropTiles(session.sessionId);
    }
    const window = wish.tile === undefined
      ? undefined
      : cellBounds(sight.base(wish.bounds, document), wish.tile);
    const requestId = wish.requestId ?? crypto.randomUUID().replaceAll("-", "");
    const request = requestOf(wish, window);
    const outcome = await takeShot(session, this.folder, request, requestId, waiting);
    return await this.#developed(session.sessionId, wish, window, outcome, waiting);
  }

  async #developed(
    sessionId: string,
    wish: CaptureWish,
    window: Bounds4 | undefined,
    outcome: ShotOutcome,
    waiting: Waiting,
  ): Promise<PhotoOutcome> {
    switch (outcome.kind) {
      case "refused":
        return outcome;
      case "drawing": {
        const { requestId, later } = outcome;
        return {
          kind: "drawing",
          requestId,
          later: {
            develop: async (reply) =>
              await this.#developed(sessionId, wish, window, await later.develop(reply), waiting),
            drop: () => later.drop(),
          },
        };
      }
      case "taken": {
        const shot = window === undefined
          ? outcome.shot
          : await cutToWindow(outcome.shot, window, this.pixels);
        return { kind: "photo", photo: await this.#photo(sessionId, wish, window, shot, waiting) };
      }
    }
  }

  async #photo(
    sessionId: string,
    wish: CaptureWish,
    window: Bounds4 | undefined,
    shot: Shot,
    waiting: Waiting,
  ): Promise<Photo> {
    const sight = this.sight(sessionId);
    if (wish.tile === undefined) sight.saw(shot.reported);
    const document = wholeNumber(shot.reported.document_id);
    if (wish.manifest && sight.pin(undefined, document)) this.gallery.dropTiles(sessionId);
    if (wish.diff) waiting.phase("comparing with the previous capture");
    const compared = wish.diff
      ? await this.#compared(sight, wish, shot, waiting.signal)
      : undefined;
    waiting.signal.throwIfAborted();

    const uri = wish.tile === undefined
      ? uriOf.snapshot(sessionId, shot.hash)
      : uriOf.tile(sessionId, wish.tile);
    const marked = compared?.picture;
    const markedUri = marked && uriOf.snapshot(sessionId, marked.hash);
    // Tiles are stored apart: they would push the snapshots out.
    const hasLatest = wish.tile === undefined || this.gallery.latest(sessionId) !== undefined;
    const metadata: JsonObject = {
      ...shot.reported,
      uri,
      ...(hasLatest && { latest_uri: uriOf.latest(sessionId) }),
      hash: shot.hash,
      bytes: shot.png.length,
      ...(wish.requestId !== undefined && { request_id: wish.requestId }),
      ...(compared !== undefined && {
        diff: { ...compared.diff, ...(markedUri !== undefined && { picture_uri: markedUri }) },
      }),
      ...(wish.tile !== undefined && window !== undefined && {
        pyramid: pyramidOf(wish.tile, window, sight.base(wish.bounds, document), uri),
      }),
      ...(wish.manifest && { pyramid_manifest: { ...sight.manifest(document) } }),
    };
    const picture: Picture = { hash: shot.hash, png: shot.png, metadata };
    if (marked !== undefined) {
      this.gallery.addSnapshot(sessionId, { ...marked, kind: "diff", metadata });
    }
    if (wish.tile === undefined) {
      this.gallery.addSnapshot(sessionId, { ...picture, kind: "capture" });
    } else {
      this.gallery.addTile(sessionId, { ...picture, ...wish.tile, of: drawingOf(shot.reported) });
    }
    const shown: Deliverable = marked !== undefined && markedUri !== undefined
      ? { png: marked.png, uri: markedUri, name: `diff-${marked.hash.slice(0, 12)}.png` }
      : { png: shot.png, uri, name: nameOf(wish, shot.hash) };
    return { ...picture, shown };
  }

  #compared(sight: Sight, wish: CaptureWish, shot: Shot, signal: AbortSignal) {
    return sight.inTurn(async () => {
      const comparison = await compare(sight.baseline, shot, wish.diffMode, this.pixels, signal);
      sight.baseline = comparison.baseline;
      return comparison;
    });
  }
}

/** Which drawing a picture shows: it is stale once the document or its revision is another. */
export function drawingOf(stateOrReport: JsonObject): string {
  return `${wholeNumber(stateOrReport.document_id)}/${wholeNumber(stateOrReport.revision)}`;
}

function requestOf(wish: CaptureWish, window: Bounds4 | undefined): JsonObject {
  const where: JsonObject = window !== undefined ? { view: "region", bounds: [...window] } : {
    ...(wish.view !== undefined && { view: wish.view }),
    ...(wish.bounds !== undefined && { bounds: [...wish.bounds] }),
    ...(wish.focusHandles.length > 0 && { focus_handles: wish.focusHandles }),
  };
  return {
    scope: wish.scope ?? "viewport",
    max_dimension: wish.maxDimension,
    ...where,
    ...(wish.highlightHandles.length > 0 && { highlight_handles: wish.highlightHandles }),
    ...(wish.annotate !== undefined && { annotate: wish.annotate }),
  };
}

function pyramidOf(
  { level, x, y }: { readonly level: number; readonly x: number; readonly y: number },
  window: Bounds4,
  base: Bounds4,
  uri: string,
): { readonly [key: string]: Json } {
  const cells = 2 ** level;
  return {
    level,
    x,
    y,
    grid: [cells, cells],
    world_bounds: [...window],
    base_bounds: [...base],
    uri,
  };
}

function nameOf(wish: CaptureWish, hash: string): string {
  if (wish.tile === undefined) return `snapshot-${hash.slice(0, 12)}.png`;
  const { level, x, y } = wish.tile;
  return `tile-${level}-${x}-${y}.png`;
}
