/** The `cad://` resources: listing and reading them (bridge.md 8). */

import type { EditorSession } from "../editor/types.ts";
import { ToolError } from "../host/faults.ts";
import type { Json, JsonObject } from "../host/json.ts";
import type { CallContext, ResourceContents, ResourceEntry } from "../mcp/face.ts";
import { ResourceNotFound } from "../mcp/faults.ts";
import { captureWish } from "./capture_arguments.ts";
import { drawingOf, type Photo } from "./cameras.ts";
import type { Picture, TileAddress } from "./gallery.ts";
import { MESSAGE_LIMIT_BYTES } from "./message_size.ts";
import { wholeNumber } from "./sight.ts";
import { waitingOf, type Workshop } from "./tool.ts";
import { parseUri, type PictureForm, uriOf } from "./uris.ts";

/** A picture of more bytes is scaled down when it is read, so that every link can be. */
const MAX_BLOB_PNG = MESSAGE_LIMIT_BYTES / 4 * 3;

/** Every resource there is now, in stable order: by session, then fixed ones, then by age. */
export async function listResources(
  workshop: Workshop,
  call: CallContext,
): Promise<readonly ResourceEntry[]> {
  const { live } = await workshop.editor.discover(call.signal);
  const liveIds = new Set(live.map((session) => session.sessionId));
  const ids = [...new Set([...liveIds, ...workshop.cameras.gallery.sessionIds()])].sort();
  return ids.flatMap((id) => [
    ...(liveIds.has(id) ? liveEntries(id) : []),
    ...storedEntries(workshop, id),
  ]);
}

function liveEntries(id: string): readonly ResourceEntry[] {
  return [
    {
      uri: uriOf.viewport(id),
      name: "viewport.png",
      title: "The view now",
      description: "Taken when it is read.",
      mimeType: "image/png",
    },
    {
      uri: uriOf.state(id),
      name: "state.json",
      title: "Session state",
      description: "The last state seen.",
      mimeType: "application/json",
    },
    {
      uri: uriOf.manifest(id),
      name: "manifest.json",
      title: "Tile grid",
      description: "What the tiles of this drawing cover.",
      mimeType: "application/json",
    },
  ];
}

function storedEntries({ cameras: { gallery } }: Workshop, id: string): readonly ResourceEntry[] {
  const latest = gallery.latest(id);
  return [
    ...(latest === undefined ? [] : [{
      uri: uriOf.latest(id),
      name: "latest.png",
      title: "Newest capture",
      mimeType: "image/png",
      size: latest.png.length,
    }]),
    ...gallery.snapshots(id).flatMap((snapshot) =>
      pair(
        (form) => uriOf.snapshot(id, snapshot.hash, form),
        `snapshot-${snapshot.hash.slice(0, 12)}`,
        snapshot.kind === "diff" ? "Marked changes" : "Capture",
        snapshot,
      )
    ),
    ...gallery.tiles(id).flatMap((tile) =>
      pair(
        (form) => uriOf.tile(id, tile, form),
        `tile-${tile.level}-${tile.x}-${tile.y}`,
        "Tile",
        tile,
      )
    ),
  ];
}

/** The picture and its metadata. */
function pair(
  uri: (form: PictureForm) => string,
  name: string,
  title: string,
  picture: Picture,
): readonly ResourceEntry[] {
  return [
    {
      uri: uri("png"),
      name: `${name}.png`,
      title,
      mimeType: "image/png",
      size: picture.png.length,
    },
    {
      uri: uri("json"),
      name: `${name}.json`,
      title: `${title}: metadata`,
      mimeType: "application/json",
    },
  ];
}

/** Reads one. Raises ResourceNotFound for what does not exist, InfrastructureError for what broke. */
export async function readResource(
  uri: string,
  workshop: Workshop,
  call: CallContext,
): Promise<readonly ResourceContents[]> {
  const address = parseUri(uri);
  if (address === undefined) throw new ResourceNotFound(uri);
  const { sessionId } = address;
  const { gallery, pixels } = workshop.cameras;
  const stored = async (picture: Picture | undefined, form: PictureForm) => {
    if (picture === undefined) throw new ResourceNotFound(uri);
    if (form === "json") return [jsonContents(uri, picture.metadata)];
    const png = await pixels.shrink({ png: picture.png, maxBytes: MAX_BLOB_PNG });
    return [{ uri, mimeType: "image/png", blob: png.toBase64() }];
  };
  switch (address.kind) {
    case "snapshot":
      return await stored(gallery.snapshot(sessionId, address.hash), address.form);
    case "latest":
      return await stored(gallery.latest(sessionId), "png");
    case "viewport": {
      const session = await liveSession(uri, sessionId, workshop, call);
      return await stored(await photograph(session, {}, workshop, call), "png");
    }
    case "tile": {
      const session = await liveSession(uri, sessionId, workshop, call);
      return await stored(await currentTile(session, address.tile, workshop, call), address.form);
    }
    case "manifest": {
      const session = await liveSession(uri, sessionId, workshop, call);
      const document = wholeNumber(session.lastState()?.document_id);
      return [jsonContents(uri, { ...workshop.cameras.sight(sessionId).manifest(document) })];
    }
    case "state": {
      const session = await liveSession(uri, sessionId, workshop, call);
      const state = session.lastState() ?? await session.read("state", {}, waitingOf(call));
      return [jsonContents(uri, state)];
    }
  }
}

/** The session, looked for but never launched; ResourceNotFound when there is none of that id. */
async function liveSession(
  uri: string,
  sessionId: string,
  { editor }: Workshop,
  call: CallContext,
): Promise<EditorSession> {
  const known = editor.known().find((session) => session.sessionId === sessionId);
  if (known !== undefined) return known;
  const { live } = await editor.discover(call.signal);
  if (!live.some((session) => session.sessionId === sessionId)) throw new ResourceNotFound(uri);
  return await editor.session(sessionId, waitingOf(call));
}

/** The stored tile as long as it shows the drawing as it is; else a new one (bridge.md 8). */
async function currentTile(
  session: EditorSession,
  tile: TileAddress,
  workshop: Workshop,
  call: CallContext,
): Promise<Picture> {
  const stored = workshop.cameras.gallery.tile(session.sessionId, tile);
  if (stored !== undefined) {
    const state = await session.read("state", {}, waitingOf(call));
    if (stored.of === drawingOf(state)) return stored;
  }
  return await photograph(session, { tile: { ...tile } }, workshop, call);
}

async function photograph(
  session: EditorSession,
  args: JsonObject,
  { cameras }: Workshop,
  call: CallContext,
): Promise<Photo> {
  const wish = captureWish({ ...args, ocs_session_id: session.sessionId });
  const outcome = await cameras.photograph(session, wish, waitingOf(call));
  switch (outcome.kind) {
    case "photo":
      return outcome.photo;
    case "drawing":
      outcome.later.drop();
      throw new ToolError("The editor drew no picture in time. Read the resource again.");
    case "refused": {
      const { code, error } = outcome.reply;
      const seen = [code, error].filter((part) => typeof part === "string").join(": ");
      throw new ToolError(`The editor took no picture (${seen}). Read the resource again later.`);
    }
  }
}

function jsonContents(uri: string, value: Json): ResourceContents {
  return { uri, mimeType: "application/json", text: JSON.stringify(value) };
}
