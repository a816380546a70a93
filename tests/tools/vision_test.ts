/** Tests of diff, tiles and manifest through `ocs_capture` (bridge.md 7.2, 7.3). */

import { assertEquals, assertRejects } from "@std/assert";
import { ToolError } from "../../src/host/faults.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { decodePng, encodePng } from "../../src/image/png.ts";
import type { Raster } from "../../src/image/raster.ts";
import { sha256 } from "../../src/tools/shot.ts";
import { films, report, spotted } from "./fake_camera.ts";
import { answer, bench, call, FakeEditor, imageOf, objectAt, textJson } from "./fake_editor.ts";

const ARGS = { ocs_session_id: "s1" };
const DIFF = { ...ARGS, diff: true };

function filmed(...pictures: Parameters<typeof films>[2]) {
  const made = bench();
  films(made.editor.the("s1"), made.disk, pictures);
  return made;
}

async function hashOf(raster: Raster): Promise<string> {
  return await sha256(await encodePng(raster));
}

async function captured(made: ReturnType<typeof bench>, args: JsonObject): Promise<JsonObject> {
  return textJson(await answer(made.face, "ocs_capture", args));
}

Deno.test("the first diff capture is the baseline", async () => {
  const made = filmed(spotted(64, 48, []));
  const diff = objectAt(await captured(made, DIFF), "diff");
  const { message, ...rest } = diff;
  assertEquals(typeof message, "string");
  assertEquals(rest, {
    is_baseline: true,
    changed: false,
    change_percentage: 0,
    changed_pixels: 0,
    mode: "highlight",
  });
});

Deno.test("the second tells what changed, in pixels and in drawing units, and marks it", async () => {
  const before = spotted(100, 100, []);
  const after = spotted(100, 100, [[50, 40], [51, 40]]);
  const made = filmed(before, after);
  await captured(made, DIFF);
  const result = await answer(made.face, "ocs_capture", DIFF);
  const json = textJson(result);
  const { picture_uri, ...figures } = objectAt(json, "diff");
  // Padded by 16: x 34..68, y 24..57. Half a unit per pixel, y up from the lower left corner.
  assertEquals(figures, {
    is_baseline: false,
    baseline_hash: await hashOf(before),
    changed: true,
    change_percentage: 0.02,
    changed_pixels: 2,
    dirty_pixel_bounds: [34, 24, 68, 57],
    dirty_world_bounds: [17, 21.5, 34, 38],
    patch_resolution: [34, 33],
    mode: "highlight",
  });
  assertEquals(json.hash, await hashOf(after));
  const image = imageOf(result);
  const marked = await decodePng(image);
  const pixel = (x: number, y: number) => [
    ...marked.data.subarray((y * 100 + x) * 4, (y * 100 + x) * 4 + 4),
  ];
  assertEquals(pixel(50, 40), [0, 255, 128, 255]);
  assertEquals(pixel(0, 0), [89, 89, 89, 200]);
  const [stored] = await made.face.readResource(String(picture_uri), call());
  assertEquals(stored && "blob" in stored && stored.blob, image.toBase64());
});

Deno.test("the new capture becomes the baseline, also when nothing changed", async () => {
  const [a, b] = [spotted(40, 40, []), spotted(40, 40, [[3, 3]])];
  const made = filmed(a, b, b);
  await captured(made, DIFF);
  await captured(made, DIFF);
  const { diff } = await captured(made, { ...DIFF, diff_mode: "metadata_only" });
  assertEquals(diff, {
    is_baseline: false,
    baseline_hash: await hashOf(b),
    changed: false,
    change_percentage: 0,
    changed_pixels: 0,
    dirty_pixel_bounds: null,
    dirty_world_bounds: null,
    patch_resolution: null,
    mode: "metadata_only",
  });
});

Deno.test("a capture without diff leaves the baseline alone; a reset drops it", async () => {
  const [a, b] = [spotted(40, 40, []), spotted(40, 40, [[3, 3]])];
  const made = filmed(a, b, b, b);
  await captured(made, DIFF);
  assertEquals("diff" in await captured(made, ARGS), false);
  const third = await captured(made, DIFF);
  assertEquals(objectAt(third, "diff").baseline_hash, await hashOf(a));
  const fourth = await captured(made, { ...DIFF, reset_diff_baseline: true });
  assertEquals(objectAt(fourth, "diff").is_baseline, true);
});

Deno.test("crop delivers the changed part, and the whole capture when nothing changed", async () => {
  const [a, b] = [spotted(100, 100, []), spotted(100, 100, [[50, 50]])];
  const made = filmed(a, b, b);
  const crop = { ...DIFF, diff_mode: "crop" };
  await captured(made, crop);
  const changed = await answer(made.face, "ocs_capture", crop);
  const unchanged = await answer(made.face, "ocs_capture", crop);
  const sizes = [];
  for (const result of [changed, unchanged]) {
    const { width, height } = await decodePng(imageOf(result));
    sizes.push([width, height]);
  }
  assertEquals(sizes, [[33, 33], [100, 100]]);
});

Deno.test("another size is a change as a whole without a place in the drawing", async () => {
  const made = filmed(spotted(40, 40, []), spotted(20, 10, []));
  await captured(made, DIFF);
  const diff = objectAt(await captured(made, { ...DIFF, diff_mode: "metadata_only" }), "diff");
  assertEquals(diff.changed_pixels, 200);
  assertEquals(diff.change_percentage, 100);
  assertEquals(diff.dirty_pixel_bounds, [0, 0, 20, 10]);
  assertEquals(diff.dirty_world_bounds, null);
});

Deno.test("a baseline does not outlive its session", async () => {
  const made = filmed(spotted(40, 40, []));
  await captured(made, DIFF);
  const { editor, disk } = made;
  editor.change((sessions) => sessions.delete("s1"));
  editor.change((sessions) => sessions.set("s1", new FakeEditor("s1").the("s1")));
  films(editor.the("s1"), disk, [spotted(40, 40, [])]);
  const diff = objectAt(await captured(made, DIFF), "diff");
  assertEquals(diff.is_baseline, true);
});

Deno.test("a tile is cut to exactly its window, and everything reported moves with it", async () => {
  // The editor fits the tile's 20 x 20 window into a picture of 80 x 40 pixels: 40 x 20 units.
  const raster = spotted(80, 40, [[20, 0], [59, 39], [19, 0], [60, 39], [40, 20]]);
  const reported = {
    ...report(raster, -10, 0),
    annotations: [
      { tag: 1, handle: "8A", screen_pixel: [40, 20], screen_bounds: [38, 18, 42, 22] },
      { tag: 2, handle: "8B", screen_pixel: [10, 20], screen_bounds: [8, 18, 12, 22] },
    ],
  };
  const made = filmed({ raster, reported });
  const result = await answer(made.face, "ocs_capture", {
    ...ARGS,
    bounds: [0, -20, 40, 20],
    tile: { level: 1, x: 0, y: 0 },
  });
  const { path: _, request_id: __, ...request } = made.editor.the("s1").asked[0]?.request ?? {};
  assertEquals(request, {
    op: "capture",
    scope: "viewport",
    max_dimension: 512,
    view: "region",
    bounds: [0, 0, 20, 20],
  });
  const json = textJson(result);
  assertEquals([json.width, json.height], [40, 40]);
  assertEquals(json.pixel_to_world_matrix, [0.5, 0, 0, -0.5, 0, 20]);
  assertEquals(json.world_to_pixel_matrix, [2, 0, 0, -2, 0, 40]);
  assertEquals(json.viewport_world_bounds, { min: [0, 0], max: [20, 20] });
  assertEquals(json.annotations, [
    { tag: 1, handle: "8A", screen_pixel: [20, 20], screen_bounds: [18, 18, 22, 22] },
  ]);
  assertEquals(json.pyramid, {
    level: 1,
    x: 0,
    y: 0,
    grid: [2, 2],
    world_bounds: [0, 0, 20, 20],
    base_bounds: [0, -20, 40, 20],
    uri: "cad://session/s1/tile/1/0/0.png",
  });
  assertEquals(json.uri, "cad://session/s1/tile/1/0/0.png");
  assertEquals("latest_uri" in json, false);
  const cut = await decodePng(imageOf(result));
  const dark = [];
  for (let at = 0; at < cut.data.length; at += 4) {
    if (cut.data[at] === 0) dark.push([at / 4 % cut.width, Math.floor(at / 4 / cut.width)]);
  }
  assertEquals(dark, [[0, 0], [20, 20], [39, 39]]);
});

Deno.test("the base of tiles: bounds, then the grid in use, then the last view, then a fixed one", async () => {
  const view = spotted(200, 200, []);
  const made = filmed({ raster: view, reported: report(view, -100, -100, 1) });
  const windows = () =>
    made.editor.the("s1").of("execute").flatMap(({ bounds }) =>
      bounds === undefined ? [] : [bounds]
    );
  const tile = { level: 0, x: 0, y: 0 };
  await captured(made, { ...ARGS, tile });
  films(made.editor.the("s1"), made.disk, [{ raster: view, reported: report(view, 0, 0, 1) }]);
  await captured(made, ARGS);
  await captured(made, { ...ARGS, tile });
  await captured(made, { ...ARGS, tile, bounds: [0, 0, 50, 50] });
  await captured(made, ARGS);
  await captured(made, { ...ARGS, tile });
  assertEquals(windows(), [
    [-100, -100, 100, 100],
    [0, 0, 200, 200],
    [0, 0, 50, 50],
    [0, 0, 50, 50],
  ]);
});

Deno.test("levels 5 and 6 divide the cells of level 4", async () => {
  const view = spotted(64, 64, []);
  const made = filmed({ raster: view, reported: report(view, 0, 0, 1) });
  await captured(made, { ...ARGS, bounds: [0, 0, 64, 64], tile: { level: 6, x: 63, y: 0 } });
  assertEquals(made.editor.the("s1").of("execute")[0]?.bounds, [63, 63, 64, 64]);
});

Deno.test("the manifest describes five levels over the view", async () => {
  const view = spotted(80, 40, []);
  const made = filmed({ raster: view, reported: report(view, 0, 0, 1) });
  const json = await captured(made, { ...ARGS, pyramid_manifest: true });
  const { levels, ...rest } = objectAt(json, "pyramid_manifest");
  assertEquals(rest, {
    crs: "CAD_WCS",
    unit: "Millimeters",
    world_bounds: [0, 0, 80, 40],
    max_level: 4,
    tile_size: 512,
    tile_uri_template: "cad://session/s1/tile/{level}/{x}/{y}.png",
  });
  const list = Array.isArray(levels) ? levels : [];
  assertEquals(list.length, 5);
  assertEquals(list[2], {
    level: 2,
    grid: [4, 4],
    tile_world_span: [20, 10],
    tiles_count: 16,
  });
});

Deno.test("a tile needs to know where the editor's picture lies", async () => {
  const view = spotted(64, 64, []);
  const made = filmed({ raster: view, reported: { scope: "window", width: 64, height: 64 } });
  const tile = { level: 0, x: 0, y: 0 };
  const error = await assertRejects(
    () => made.face.callTool("ocs_capture", { ...ARGS, tile }, call()),
    ToolError,
  );
  assertEquals(
    error.message,
    "The editor did not say where its picture lies in the drawing, so no tile can be cut out. " +
      "Make the drawing's view visible in the editor, then capture again.",
  );
  assertEquals(made.disk.files.size, 0);
});
