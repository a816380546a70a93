/** Puts the bridge together in the worker: the editor's side, then the face over it. */

import { createEditorSide } from "../editor/side.ts";
import type { EditorSide } from "../editor/types.ts";
import type { BridgeIdentity } from "../host/build.ts";
import { joinPath } from "../host/config_dir.ts";
import { createLog, type Log } from "../host/log.ts";
import { processLister } from "../host/processes.ts";
import { pixelThread } from "../image/pixel_thread.ts";
import type { ServerFace } from "../mcp/face.ts";
import { createFace } from "../tools/face.ts";
import type { Listing } from "../tools/tool_list.ts";
import { placeLine } from "./find_editor.ts";
import type { Order } from "./order.ts";
import { policyOf } from "./policy.ts";

/** The parts that a command works with. */
export interface Bridge {
  readonly identity: BridgeIdentity;
  readonly editor: EditorSide;
  readonly face: ServerFace;
  readonly log: Log;
}

/**
 * Nothing is written or connected to yet; what is read are captures that a killed bridge left.
 * `listing` is what was built of the tools before, if it was.
 */
export async function openBridge(
  order: Order,
  identity: BridgeIdentity,
  listing?: Listing,
): Promise<Bridge> {
  const { options, places } = order;
  const log = createLog(options.log);
  if (places.pngWasm !== undefined) await providePngCodec(places.pngWasm);
  const directory = directoryOf(order);
  const listProcesses = processLister(places.lister);
  const editor = createEditorSide({
    directory,
    editor: programOf(order),
    editorPlaces: places.editor.tried.map(placeLine),
    editorEnv: editorEnv(order),
    environment: order.environment,
    log,
    listProcesses,
  });
  const face = createFace({
    editor,
    identity,
    policy: policyOf(order),
    ...(listing === undefined ? {} : { listing }),
    schemaStyle: options.schema,
    capturesDirectory: joinPath(Deno.build.os, directory, "captures"),
    log,
    listProcesses,
    pixels: pixelThread({ log }),
  });
  return { identity, editor, face, log };
}

/**
 * The automation directory. Without one the name says why: no right goes with it, so every look
 * into it fails, and the answer "no session in ..." tells the person what is missing and the way out.
 */
export function directoryOf({ places }: Pick<Order, "places">): string {
  const missing = places.missingVariable ?? "its variable";
  return places.automationDir ??
    `no configuration directory (${missing} is not set; name one with --config-dir)`;
}

function programOf({ places }: Order): { command: string; found: string } | undefined {
  const { path, tried } = places.editor;
  if (path === undefined) return undefined;
  return { command: path, found: tried.find((place) => place.path === path)?.source ?? "search" };
}

/**
 * What the launched editor gets on top of our environment. The configuration directory goes along
 * when it was named to us, since a desk that is launched has to keep its descriptor where we look.
 */
function editorEnv({ options, places }: Order): Readonly<Record<string, string>> {
  const named = options.configDir !== undefined && places.configDir !== undefined;
  return { ...(named && { OCS_CONFIG_DIR: places.configDir }), ...options.editorEnv };
}

async function providePngCodec(path: string): Promise<void> {
  const { providePngWasm } = await import("../image/png_wasm.ts");
  providePngWasm(path);
}
