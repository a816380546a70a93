import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { decodePng } from "../../src/image/png.ts";
import type { Raster } from "../../src/image/raster.ts";
import { type Program, testEachProgram } from "../support/bridge_program.ts";
import { type DeskProgram, startDeskProgram } from "../support/desk_program.ts";
import { arrayIn, objectIn, present } from "../support/expect.ts";
import { Agent, bridgeAt, modern } from "./stage.ts";

/** One world unit is ten pixels of the desk's 1600 x 1000 window then. */
const WINDOW = [0, 0, 160, 100];

/** 2 wide and 60 long: x 29..31, y 20..80, which is pixels 290..310 and 200..800. */
const WALL: JsonObject = {
  type: "LwPolyline",
  layer: "WALLS",
  color: 7,
  vertices: [[30, 20], [30, 80]],
  constant_width: 2,
};

interface Scene extends AsyncDisposable {
  readonly desk: DeskProgram;
  readonly agent: Agent;
}

/** A desk in a process of its own and a bridge on it; the session is the one the client found. */
async function scene(program: Program): Promise<Scene> {
  const desk = await startDeskProgram({ program });
  try {
    const bridge = await bridgeAt(program, desk.configDir);
    const found = objectIn(
      (await bridge.callTool("ocs_sessions", { launch_if_none: false })).structuredContent,
    );
    const [state] = arrayIn(found.result, "the sessions").map((one) => objectIn(one));
    const agent = new Agent(bridge, String(present(state, "a session").session_id));
    return {
      desk,
      agent,
      async [Symbol.asyncDispose]() {
        await bridge[Symbol.asyncDispose]();
        await desk[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await desk[Symbol.asyncDispose]();
    throw error;
  }
}

testEachProgram("a client finds the session, draws and reads back", async (program) => {
  await using stage = await scene(program);
  const { agent, desk } = stage;
  assertEquals(agent.sessionId, desk.sessionId);

  const handles = await agent.draw([
    WALL,
    { type: "Circle", layer: "ROUND", center: [80, 50], radius: 12.5 },
    { type: "Text", layer: "TEXT", value: "Küche", position: [100, 20], height: 4 },
  ]);
  assertEquals(handles.length, 3);
  const entities = await agent.read("entities");
  assertEquals(entities.total, 3);
  assertEquals(entities.by_type, { Circle: 1, Polyline: 1, Text: 1 });
  const query = await agent.read("query", { handles });
  const [wall, circle, text] = arrayIn(query.entities, "entities").map((one) => objectIn(one));
  assertEquals(wall, {
    handle: handles[0],
    type: "Polyline",
    layer: "WALLS",
    vertices: [[30, 20], [30, 80]],
  });
  assertEquals([circle?.center, circle?.radius], [[80, 50, 0], 12.5]);
  assertEquals(text?.value, "Küche");
  const { bridge } = await agent.read("hello");
  assertEquals(objectIn(bridge, "bridge").name, "ocs-bridge");
});

testEachProgram(
  "a capture is a picture with everything said about it, and no file",
  async (program) => {
    await using stage = await scene(program);
    const { agent, desk } = stage;
    const [wall = ""] = await agent.draw([WALL]);

    const { png, metadata, content } = await agent.capture({
      view: "region",
      bounds: WINDOW,
      request_id: "look-1",
      delivery: "both",
    });
    const raster = await decodePng(present(png, "an image block"));
    assertEquals([raster.width, raster.height], [1600, 1000]);
    assertEquals(count(raster, [255, 255, 255]), 20 * 600);
    assertEquals(content.map((block) => block.type), ["text", "image", "resource_link"]);
    assertEquals(JSON.parse(String(content[0]?.text)), metadata);

    const { hash, annotations, viewport_world_bounds, _spatial, camera, ...rest } = metadata;
    assertMatch(String(hash), /^[0-9a-f]{64}$/);
    assertEquals(
      hash,
      new Uint8Array(
        await crypto.subtle.digest("SHA-256", present(png, "an image block")),
      ).toHex(),
    );
    assertEquals(viewport_world_bounds, { min: [0, 0], max: [160, 100] });
    assertEquals(objectIn(camera, "camera").target, [80, 50, 0]);
    const [mark] = arrayIn(annotations, "annotations").map((one) => objectIn(one));
    assertEquals([mark?.tag, mark?.handle, mark?.layer], [1, wall, "WALLS"]);
    // The wall is 2 wide, which is 10 pixels to either side of its line, and ends flat.
    assertEquals([mark?.screen_pixel, mark?.screen_bounds], [[300, 500], [290, 200, 310, 800]]);
    const spatial = objectIn(_spatial, "_spatial");
    assertEquals([spatial.crs, spatial.pixel_resolution], ["CAD_WCS", [1600, 1000]]);
    assertEquals(spatial.annotations, annotations);
    assertEquals(rest.visible_entities, annotations);
    assertAlmost(rest.pixel_to_world_matrix, [0.1, 0, 0, -0.1, 0, 100]);
    assertAlmost(rest.world_to_pixel_matrix, [10, 0, 0, -10, 0, 1000]);
    const base = `cad://session/${agent.sessionId}/snapshot`;
    const { visible_entities, pixel_to_world_matrix, world_to_pixel_matrix, ...plain } = rest;
    assert(visible_entities && pixel_to_world_matrix && world_to_pixel_matrix);
    const { document_id, revision, camera_revision, inline_bytes, ...figures } = plain;
    for (const value of [document_id, revision, camera_revision]) {
      assertEquals(typeof value, "number");
    }
    assertEquals(inline_bytes, String(content[1]?.data).length);
    assertEquals(figures, {
      scope: "viewport",
      width: 1600,
      height: 1000,
      scale_factor: 1,
      waited_for_frame: true,
      annotated: false,
      uri: `${base}/${hash}.png`,
      latest_uri: `${base}/latest.png`,
      bytes: png?.length,
      request_id: "look-1",
    });
    assertEquals([...Deno.readDirSync(`${desk.automationDir}/captures`)], []);
  },
);

testEachProgram(
  "a moved wall is told in pixels and in drawing units, and marked",
  async (program) => {
    await using stage = await scene(program);
    const { agent } = stage;
    const [wall = ""] = await agent.draw([
      WALL,
      { type: "Circle", center: [120, 50], radius: 20 },
    ]);
    const look = (more: JsonObject = {}) =>
      agent.capture({ view: "region", bounds: WINDOW, diff: true, ...more });

    const first = await look();
    const { message, ...baseline } = objectIn(first.metadata.diff, "diff");
    assertEquals(typeof message, "string");
    assertEquals(baseline, {
      is_baseline: true,
      changed: false,
      change_percentage: 0,
      changed_pixels: 0,
      mode: "highlight",
    });
    const move = { op: "entities_transform", action: "move", handles: [wall], vector: [10, 0, 0] };
    await agent.execute(move);
    const second = await look();

    // 20 x 600 pixels of wall vanish and as many appear; the box is padded by 16 pixels.
    const { dirty_world_bounds, picture_uri, ...figures } = objectIn(second.metadata.diff, "diff");
    assertEquals(figures, {
      is_baseline: false,
      baseline_hash: first.metadata.hash,
      changed: true,
      changed_pixels: 2 * 20 * 600,
      change_percentage: 1.5,
      dirty_pixel_bounds: [290 - 16, 200 - 16, 410 + 16, 800 + 16],
      patch_resolution: [152, 632],
      mode: "highlight",
    });
    assertAlmost(dirty_world_bounds, [27.4, 18.4, 42.6, 81.6]);
    const marked = await decodePng(present(second.png, "the marked picture"));
    assertEquals(count(marked, [0, 255, 128]), 2 * 20 * 600);
    assertEquals(boxOf(marked, [0, 255, 128]), [290, 200, 410, 800]);
    const read = await agent.bridge.result("resources/read", { uri: String(picture_uri) });
    assertEquals(blobIn(read), present(second.png, "the marked picture"));

    // Undone, it is where it was: the same change again, and only its own part of the picture.
    await agent.execute({ op: "undo" });
    const third = await look({ diff_mode: "crop" });
    const crop = await decodePng(present(third.png, "the changed part"));
    assertEquals([crop.width, crop.height], [152, 632]);
    assertEquals(boxOf(crop, [255, 255, 255]), [16, 16, 36, 616]);
    const fourth = await look({ diff_mode: "metadata_only" });
    const still = objectIn(fourth.metadata.diff, "diff");
    assertEquals([still.changed, still.changed_pixels, still.dirty_pixel_bounds], [false, 0, null]);
    const fifth = await look({ reset_diff_baseline: true });
    assertEquals(objectIn(fifth.metadata.diff, "diff").is_baseline, true);
  },
);

/** The base of the tiles: square, unlike the desk's window, so that pictures have to be cut. */
const BASE = [0, 0, 100, 100];

/** Sixteen hues of the colour index, one for each cell of a 4 x 4 grid, by rows from the top. */
const CELLS = Array.from({ length: 16 }, (_, index) => ({
  x: index % 4,
  y: Math.floor(index / 4),
  color: 10 + 10 * index,
}));

/** A filled square in the cell, 1.25 units from its edges: 16 of the tile's 320 pixels. */
function markOf({ x, y, color }: typeof CELLS[number]): JsonObject {
  const [left, right] = [x * 25 + 1.25, x * 25 + 23.75];
  const [top, bottom] = [100 - y * 25 - 1.25, 100 - y * 25 - 23.75];
  const boundary = [[left, bottom], [right, bottom], [right, top], [left, top]];
  return { type: "Hatch", solid: true, color, boundary };
}

testEachProgram("each tile of a 4 x 4 grid holds its own mark and no other", async (program) => {
  await using stage = await scene(program);
  const { agent } = stage;
  await agent.draw(CELLS.map(markOf));
  const { metadata } = await agent.capture({ pyramid_manifest: true, bounds: BASE });
  const manifest = objectIn(metadata.pyramid_manifest, "the manifest");
  assertEquals(manifest.world_bounds, BASE);
  const level2 = arrayIn(manifest.levels, "levels").map((one) => objectIn(one))[2];
  assertEquals(level2, { level: 2, grid: [4, 4], tile_world_span: [25, 25], tiles_count: 16 });

  const template = String(manifest.tile_uri_template);
  const seen = new Set<string>();
  for (const { x, y } of CELLS) {
    const uri = template.replace("{level}", "2").replace("{x}", `${x}`).replace("{y}", `${y}`);
    const tile = await decodePng(blobIn(await agent.bridge.result("resources/read", { uri })));
    assertEquals([tile.width, tile.height], [320, 320]);
    // The ground around the mark, and within it one colour that no other tile has.
    const inside = pixel(tile, 160, 160);
    assertEquals(count(tile, inside), 288 * 288, `tile ${x},${y}`);
    assertEquals(boxOf(tile, inside), [16, 16, 304, 304], `tile ${x},${y}`);
    assertEquals(count(tile, GROUND), 320 * 320 - 288 * 288, `tile ${x},${y}`);
    seen.add(inside.join());
  }
  assertEquals(seen.size, 16);

  const { metadata: tool } = await agent.capture({ tile: { level: 2, x: 1, y: 2 } });
  const pyramid = objectIn(tool.pyramid, "pyramid");
  assertEquals([pyramid.grid, pyramid.world_bounds], [[4, 4], [25, 25, 50, 50]]);
  assertAlmost(tool.pixel_to_world_matrix, [25 / 320, 0, 0, -25 / 320, 25, 50]);
  const outside = await agent.refusal("ocs_capture", { tile: { level: 2, x: 4, y: 0 } });
  assertMatch(outside, /4 x 4/);
});

testEachProgram("resources are listed, read and completed in both eras", async (program) => {
  await using stage = await scene(program);
  const { agent } = stage;
  const { bridge, sessionId } = agent;
  await agent.draw([WALL]);
  const { metadata, png } = await agent.capture({ view: "extents" });
  const base = `cad://session/${sessionId}`;
  const stored = [`${base}/snapshot/latest.png`, metadata.uri, `${base}/snapshot/latest.png`];

  for (const [era, envelope] of [["legacy", {}], ["modern", modern()]] as const) {
    const list = await bridge.result("resources/list", envelope);
    assertEquals([list.ttlMs, list.cacheScope], [60_000, "public"]);
    assertEquals(list.resultType, era === "modern" ? "complete" : undefined);
    const uris = arrayIn(list.resources, "resources").map((one) => objectIn(one).uri);
    assertEquals(
      uris.slice(0, 4),
      ["viewport.png", "state.json", "pyramid/manifest.json", "snapshot/latest.png"]
        .map((path) => `${base}/${path}`),
    );
    assertEquals(uris.slice(4, 6), [metadata.uri, `${base}/snapshot/${metadata.hash}.json`]);
    for (const uri of stored) {
      const read = await bridge.result("resources/read", { ...envelope, uri });
      assertEquals([read.ttlMs, read.cacheScope], [60_000, "private"]);
      assertEquals(blobIn(read), present(png, "the picture"));
    }
    const described = await readJson({
      ...envelope,
      uri: `${base}/snapshot/${metadata.hash}.json`,
    });
    assertEquals([described.hash, described.width], [metadata.hash, 1600]);
    const state = await readJson({ ...envelope, uri: `${base}/state.json` });
    assertEquals([state.session_id, state.protocol], [sessionId, 1]);
    const manifest = await readJson({ ...envelope, uri: `${base}/pyramid/manifest.json` });
    assertEquals([manifest.crs, manifest.max_level], ["CAD_WCS", 4]);
    const view = await bridge.result("resources/read", {
      ...envelope,
      uri: `${base}/viewport.png`,
    });
    assertEquals((await decodePng(blobIn(view))).width, 1600);

    const missing = await bridge.request("resources/read", { ...envelope, uri: `${base}/nothing` });
    const error = objectIn(missing.error, "the error");
    assertEquals(error.code, era === "modern" ? -32602 : -32002);
    assertEquals(error.data, { uri: `${base}/nothing` });

    const templates = await bridge.result("resources/templates/list", envelope);
    const [tile, snapshot] = arrayIn(templates.resourceTemplates, "templates")
      .map((one) => String(objectIn(one).uriTemplate));
    assertEquals(await complete(tile, "id", sessionId.slice(0, 6), envelope), [sessionId]);
    assertEquals(await complete(tile, "level", "", envelope), ["0", "1", "2", "3", "4", "5", "6"]);
    const hashes = await complete(snapshot, "hash", String(metadata.hash).slice(0, 8), envelope);
    assertEquals(hashes, [metadata.hash]);
  }

  async function readJson(params: JsonObject): Promise<JsonObject> {
    const read = await bridge.result("resources/read", params);
    const [item] = arrayIn(read.contents, "contents").map((one) => objectIn(one));
    assertEquals(item?.mimeType, "application/json");
    return objectIn(JSON.parse(String(item?.text)));
  }

  async function complete(
    uri: string | undefined,
    name: string,
    value: string,
    envelope: JsonObject,
  ): Promise<unknown> {
    const ref = { type: "ref/resource", uri };
    const params = { ...envelope, ref, argument: { name, value } };
    const { completion } = await bridge.result("completion/complete", params);
    return objectIn(completion, "completion").values;
  }
});

/** The desk's ground. */
const GROUND = [0x1e, 0x22, 0x27];

function pixel({ data, width }: Raster, x: number, y: number): readonly number[] {
  const at = (y * width + x) * 4;
  return [...data.subarray(at, at + 3)];
}

/** Every pixel of exactly that colour, as positions. */
function* find(raster: Raster, [r, g, b]: readonly number[]): Generator<readonly [number, number]> {
  const { data, width } = raster;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] !== r || data[at + 1] !== g || data[at + 2] !== b) continue;
    yield [(at / 4) % width, Math.floor(at / 4 / width)];
  }
}

function count(raster: Raster, color: readonly number[]): number {
  let found = 0;
  for (const _at of find(raster, color)) found++;
  return found;
}

/** Left, top, and the first column and row that hold nothing of the colour any more. */
function boxOf(raster: Raster, color: readonly number[]): readonly number[] {
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (const [x, y] of find(raster, color)) {
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
  }
  return [left, top, right + 1, bottom + 1];
}

function blobIn(read: JsonObject): Uint8Array<ArrayBuffer> {
  const item = objectIn(arrayIn(read.contents, "contents")[0]);
  assertEquals(item.mimeType, "image/png");
  return Uint8Array.fromBase64(String(item.blob));
}

function assertAlmost(actual: unknown, expected: readonly number[]): void {
  const numbers = arrayIn(actual, "a list of numbers").map(Number);
  assertEquals(numbers.length, expected.length);
  expected.forEach((value, index) => assertAlmostEquals(numbers[index] ?? NaN, value, 1e-9));
}
