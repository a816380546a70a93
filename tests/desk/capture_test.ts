/** `capture`: views, matrices, annotations and the picture itself (gui-protocol.md section 7). */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  fitExtents,
  fitWindow,
  shrunk,
  worldBounds,
  worldToScreen,
} from "../../src/desk/camera.ts";
import { drawPicture } from "../../src/desk/picture.ts";
import type { JsonObject } from "../../src/host/json.ts";
import type { CapturePlan } from "../../src/desk/pending.ts";
import { Driver, listOf, numbersOf, objectOf, objectsOf, VIEWPORT } from "./driver.ts";

/** Sends a capture and answers its plan. */
function plan(desk: Driver, parameters: JsonObject = {}): CapturePlan {
  const request_id = `c-${desk.state.eventCursor}`;
  const reply = desk.send("capture", { request_id, path: "/p.png", ...parameters });
  assertEquals(reply.status, "accepted", JSON.stringify(reply));
  const [effect] = desk.effects;
  if (effect?.kind !== "draw") throw new Error("No picture is to be drawn.");
  assertEquals(desk.read("operation", { request_id }).status, "running");
  desk.finishPicture(request_id);
  const settled = desk.read("operation", { request_id });
  assertEquals([settled.status, settled.result], ["completed", effect.plan.result]);
  return effect.plan;
}

Deno.test("the matrices of the protocol's own example", () => {
  const desk = new Driver();
  desk.done("new");
  const { result } = plan(desk, { bounds: [0, 0, 80, 60] });
  assertEquals([result.width, result.height], [800, 600]);
  assertEquals(result.pixel_to_world_matrix, [0.1, 0, 0, -0.1, 0, 60]);
  assertEquals(numbersOf(result.world_to_pixel_matrix).map((n) => Math.round(n * 1e9) / 1e9), [
    10,
    0,
    0,
    -10,
    0,
    600,
  ]);
  assertEquals(result.viewport_world_bounds, { min: [0, 0], max: [80, 60] });
  const spatial = objectOf(result._spatial);
  assertEquals(spatial.pixel_to_world_matrix, result.pixel_to_world_matrix);
  assertEquals([spatial.crs, spatial.unit], ["CAD_WCS", "Millimeters"]);
  assertEquals(spatial.target_plane, { normal: [0, 0, -1], origin: [40, 30, 0] });
});

Deno.test("pixels to world and back to pixels is where one began", () => {
  const size = fc.record({
    width: fc.integer({ min: 100, max: 5000 }),
    height: fc.integer({ min: 100, max: 5000 }),
  });
  const coordinate = fc.double({ min: -1e4, max: 1e4, noNaN: true });
  fc.assert(fc.property(coordinate, coordinate, fc.integer({ min: 256, max: 4096 }), size, (
    x,
    y,
    max_dimension,
    { width, height },
  ) => {
    const desk = new Driver();
    desk.done("new");
    const bounds = [x, y, x + width, y + height];
    const { result } = plan(desk, { bounds, max_dimension });
    const at = (matrix: readonly number[], px: number, py: number) => {
      const [a = 0, b = 0, c = 0, d = 0, tx = 0, ty = 0] = matrix;
      return [a * px + b * py + tx, c * px + d * py + ty] as const;
    };
    const toWorld = numbersOf(result.pixel_to_world_matrix);
    const toPixel = numbersOf(result.world_to_pixel_matrix);
    for (const [px, py] of [[0, 0], [100, 0], [0, 100], [333, 222]] as const) {
      const [qx, qy] = at(toPixel, ...at(toWorld, px, py));
      assertAlmostEquals(qx, px, 1e-5);
      assertAlmostEquals(qy, py, 1e-5);
    }
    const shown = objectOf(result.viewport_world_bounds);
    const [minX = NaN, minY = NaN] = numbersOf(shown.min);
    const [maxX = NaN, maxY = NaN] = numbersOf(shown.max);
    const slack = 1e-6;
    assert(minX <= x + slack && minY <= y + slack, "the window is shown whole");
    assert(maxX >= x + width - slack && maxY >= y + height - slack);
    assertAlmostEquals((minX + maxX) / 2, x + width / 2, 1e-6, "and centred");
    const fits = Math.min(maxX - minX - width, maxY - minY - height);
    assertAlmostEquals(fits, 0, 1e-6, "and as large as it will go");
  }));
});

Deno.test("a picture is shrunk to its longest edge and never enlarged", () => {
  assertEquals(shrunk({ width: 1600, height: 1000 }, 800), { width: 800, height: 500 });
  assertEquals(shrunk({ width: 1600, height: 1000 }, 4096), { width: 1600, height: 1000 });
  assertEquals(shrunk({ width: 300, height: 900 }, 256), { width: 85, height: 256 });
  const desk = new Driver();
  desk.done("new");
  const size = (max_dimension: unknown) => {
    const { result } = plan(desk, JSON.parse(JSON.stringify({ max_dimension })));
    return [result.width, result.height];
  };
  assertEquals(size(400), [400, 300]);
  assertEquals(size(1), [256, 192], "clamped to 256");
  assertEquals(size(99999), [800, 600]);
  assertEquals(size("400"), [800, 600]);
});

Deno.test("extents are fitted with a small margin, an empty drawing shows a sheet", () => {
  const view = fitExtents(VIEWPORT, { min: [0, 0, 0], max: [80, 30, 0] });
  assertEquals(view.center, [40, 15]);
  assertAlmostEquals(view.unitsPerPixel, 0.1 / 0.95);
  const empty = worldBounds(fitExtents(VIEWPORT, undefined), VIEWPORT);
  assert(empty.min[0] <= 0 && empty.max[0] >= 420 && empty.min[1] <= 0 && empty.max[1] >= 297);
  assert(fitWindow(VIEWPORT, [5, 5], [5, 5]).unitsPerPixel > 0, "a point is shown, not divided by");
});

Deno.test("a drawing point goes to its pixel of the viewport", () => {
  const view = { center: [40, 30], unitsPerPixel: 0.1 } as const;
  assertEquals(worldToScreen(view, VIEWPORT, [40, 30]), [400, 300]);
  assertEquals(worldToScreen(view, VIEWPORT, [0, 60]), [0, 0]);
});

Deno.test("focus wins over bounds and bounds over view; camera and selection stay", () => {
  const desk = new Driver();
  const [, far = ""] = desk.draw(
    { type: "Line", start: [0, 0], end: [10, 0] },
    { type: "Circle", center: [100, 100], radius: 10 },
  );
  const center = (parameters: JsonObject) => plan(desk, parameters).view.center;
  const all = { view: "extents", bounds: [0, 0, 8, 6], focus_handles: [far] };
  assertEquals(center(all), [100, 100]);
  assertEquals(center({ ...all, focus_handles: null }), [4, 3]);
  assertEquals(center({ view: "extents" }), [55, 55]);
  assertEquals(center({ view: "current" }), [55, 55], "stays as it was");
  desk.done("select", { clear: true });
  assertEquals(center({ view: "selection" }), [55, 55], "nothing is selected");
  assertEquals(center({ view: "selection", highlight_handles: [far, "FFFF", 7] }), [100, 100]);
  assertEquals(desk.read("state").selection, [far]);
  assertEquals(listOf(objectOf(desk.read("state").camera).target), [100, 100, 0]);
});

Deno.test("a capture's camera revision is that of the view it shows", () => {
  const desk = new Driver();
  desk.done("new");
  const first = plan(desk, { bounds: [0, 0, 8, 6] }).result.camera_revision;
  const second = plan(desk, { bounds: [0, 0, 8, 6] }).result.camera_revision;
  const third = plan(desk, { bounds: [0, 0, 80, 60] }).result.camera_revision;
  assertEquals([first, second, third], [1, 1, 2]);
  assertEquals(desk.read("state").camera_revision, 2);
});

Deno.test("visible entities: selected first, then the larger; hidden ones and others left out", () => {
  const desk = new Driver();
  const [small = "", large = "", chosen = ""] = desk.draw(
    { type: "Circle", center: [20, 20], radius: 1 },
    { type: "Circle", center: [40, 30], radius: 10 },
    { type: "Line", start: [10, 50], end: [30, 50] },
    ...[[81, 30], [-1, 30], [40, 61], [40, -1]].map((center) => ({
      type: "Circle",
      center,
      radius: 5,
    })),
    { type: "Circle", center: [50, 50], radius: 5, layer: "HIDDEN" },
  );
  desk.done("set_properties", {
    collection: "layers",
    name: "HIDDEN",
    updates: [{ path: "/is_frozen", value: true }],
  });
  const { result, badges } = plan(desk, {
    bounds: [0, 0, 80, 60],
    highlight_handles: [chosen],
    annotate: true,
  });
  const entities = objectsOf(result.visible_entities);
  assertEquals(entities.map((e) => [e.tag, e.handle, e.selected]), [
    [1, chosen, true],
    [2, large, false],
    [3, small, false],
  ]);
  assertEquals(entities[1], {
    tag: 2,
    handle: large,
    type: "Circle",
    layer: "0",
    screen_pixel: [400, 300],
    screen_bounds: [300, 200, 500, 400],
    world_center: [40, 30, 0],
    selected: false,
  });
  assertEquals(result.annotations, result.visible_entities);
  assertEquals(badges.map(({ x, y }) => [x, y]), [[200, 100], [400, 300], [200, 400]]);
  assertEquals(plan(desk).badges, [], "no badges unless asked for");
});

Deno.test("a very small view has no inverse to show, but its entities are where they are", () => {
  const desk = new Driver();
  desk.draw({ type: "Point", location: [1e-4, 1e-4] });
  const { result } = plan(desk, { bounds: [0, 0, 4e-4, 3e-4] });
  assertEquals(result.world_to_pixel_matrix, [0, 0, 0, 0, 0, 0]);
  assertEquals(objectsOf(result.annotations)[0]?.screen_pixel, [200, 400]);
});

Deno.test("at most 64 entities are listed", () => {
  const desk = new Driver();
  desk.draw(...Array.from({ length: 70 }, (_, x) => ({ type: "Point", location: [x, 0] })));
  assertEquals(objectsOf(plan(desk, { view: "extents" }).result.annotations).length, 64);
});

Deno.test("a capture needs a path", () => {
  const desk = new Driver();
  desk.done("new");
  assertEquals(desk.send("capture").code, "invalid_request");
  assertEquals(desk.send("capture", { path: "" }).code, "invalid_request");
});

Deno.test("the matrices hold for the pixels drawn: a filled square is where they say", () => {
  const desk = new Driver();
  desk.draw({ type: "Hatch", boundary: [[20, 20], [30, 20], [30, 30], [20, 30]], solid: true });
  for (const max_dimension of [800, 400, 257]) {
    const taken = plan(desk, { bounds: [0, 0, 80, 60], max_dimension });
    const { width, height, data } = drawPicture(taken);
    const [a = 0, , , d = 0, tx = 0, ty = 0] = numbersOf(taken.result.world_to_pixel_matrix);
    const pixel = (x: number, y: number) => {
      const at = (Math.floor(d * y + ty) * width + Math.floor(a * x + tx)) * 4;
      return [...data.slice(at, at + 4)];
    };
    assertEquals([width, height], [taken.picture.width, taken.picture.height]);
    const ground = pixel(5, 5);
    for (const [x, y] of [[21, 21], [29, 29], [21, 29], [25, 25]] as const) {
      assert(String(pixel(x, y)) !== String(ground), `filled at ${x}, ${y} of ${width}`);
    }
    for (const [x, y] of [[19, 25], [31, 25], [25, 19], [25, 31]] as const) {
      assertEquals(pixel(x, y), ground, `empty at ${x}, ${y} of ${width}`);
    }
  }
});

Deno.test("extents hold what is drawn: wide letters, broken lines, paths with a width", () => {
  const drawings: readonly JsonObject[] = [
    { type: "Text", value: "MMMMMMMMMMMMMMMM", position: [0, 0], height: 10 },
    { type: "MText", value: "A B C D E F G H", position: [0, 0], height: 10, width: 10 },
    { type: "Polyline", vertices: [[0, 0], [100, 0]], constant_width: 90 },
  ];
  for (const drawing of drawings) {
    const desk = new Driver();
    desk.draw(drawing);
    const { data, width, height } = drawPicture(plan(desk, { view: "extents" }));
    const paper = [...data.slice(0, 4)];
    const rims = Array.from({ length: width * height }, (_, at) => at).filter((at) =>
      at % width === 0 || at % width === width - 1 || at < width || at >= width * (height - 1)
    );
    const empty = rims.every((at) => paper.every((value, byte) => data[at * 4 + byte] === value));
    assert(empty, `nothing of the ${drawing.type} is cut off`);
  }
});

Deno.test("a view of what lies farthest out is still told in finite numbers", () => {
  const desk = new Driver();
  desk.draw({ type: "Line", start: [-1.7e308, 0], end: [1.7e308, 1.7e308] });
  const { result } = plan(desk, { view: "extents" });
  const told = JSON.stringify([result._spatial, result.camera, desk.read("state").camera]);
  assert(!told.includes("null"), told);
});
