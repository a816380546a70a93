/** Tests of the tools over the real editor's side and a desk in this process. */

import { assert, assertEquals } from "@std/assert";
import { startDesk } from "../../src/desk/desk.ts";
import { createEditorSide } from "../../src/editor/side.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/host/json.ts";
import { decodePng } from "../../src/image/png.ts";
import type { Raster } from "../../src/image/raster.ts";
import type { ServerFace, ToolResult } from "../../src/mcp/face.ts";
import { createFace } from "../../src/tools/face.ts";
import { sha256 } from "../../src/tools/shot.ts";
import { answer, call, IDENTITY, imageOf, objectAt, textJson } from "./fake_editor.ts";

interface Scene {
  readonly face: ServerFace;
  readonly id: string;
  readonly captures: string;
  /** Runs an operation that has to succeed. */
  execute(request: JsonObject): Promise<JsonObject>;
  read(op: string, parameters?: JsonObject): Promise<JsonObject>;
  capture(args?: JsonObject): Promise<ToolResult>;
}

async function atDesk(work: (scene: Scene) => Promise<void>): Promise<void> {
  const config = await Deno.realPath(await Deno.makeTempDir());
  const desk = await startDesk({
    directory: config,
    executable: "/nowhere/desk",
    version: "test",
    viewport: { width: 800, height: 500 },
  });
  const directory = `${config}/automation`;
  const captures = `${directory}/captures`;
  const editor = createEditorSide({ directory, editor: undefined, editorPlaces: [] });
  const face = createFace({
    editor,
    identity: IDENTITY,
    policy: { readOnly: false, workspaces: [] },
    schemaStyle: "full",
    capturesDirectory: captures,
  });
  const id = desk.sessionId;
  let requests = 0;
  const tool = async (name: string, args: JsonObject) => {
    const result = await answer(face, name, { ocs_session_id: id, ...args });
    assertEquals(result.isError, undefined, JSON.stringify(result.content));
    return result;
  };
  try {
    await work({
      face,
      id,
      captures,
      execute: async (request) =>
        textJson(
          await tool("ocs_execute", { request: { request_id: `r-${++requests}`, ...request } }),
        ),
      read: async (op, parameters = {}) => textJson(await tool("ocs_read", { op, parameters })),
      capture: (args = {}) => tool("ocs_capture", args),
    });
  } finally {
    await face.close("retract");
    await desk.stop();
    await Deno.remove(config, { recursive: true });
  }
}

function wall(from: readonly number[], to: readonly number[]): JsonObject {
  return { type: "Line", layer: "WALLS", start: from, end: to };
}

function handlesOf(created: JsonObject): readonly string[] {
  const { handles } = objectAt(created, "result");
  return Array.isArray(handles) ? handles.filter((item) => typeof item === "string") : [];
}

function numbersOf(value: Json | undefined): readonly number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "number") : [];
}

async function leftovers(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir(directory)) found.push(name);
  return found;
}

Deno.test("sessions, create, query, capture: the whole way to a desk and back", async () => {
  await atDesk(async ({ face, id, captures, execute, read, capture }) => {
    const sessions = await answer(face, "ocs_sessions", {});
    const { result } = sessions.structuredContent ?? {};
    const entries = Array.isArray(result) ? result.filter(isJsonObject) : [];
    assertEquals(entries.map((entry) => entry.session_id), [id]);
    assertEquals(entries[0]?.bridge, { ...IDENTITY });

    await execute({ op: "new" });
    const created = await execute({
      op: "entities_create",
      entities: [wall([0, 0], [100, 0]), wall([0, 0], [0, 60])],
    });
    const handles = handlesOf(created);
    assertEquals(handles.length, 2);
    const found = await read("query", { type: "Line", layer: "WALLS" });
    assertEquals(found.count, 2);

    const taken = await capture({ view: "extents", max_dimension: 400, annotate: true });
    const picture = await decodePng(imageOf(taken));
    const json = textJson(taken);
    assertEquals([picture.width, picture.height], [json.width, json.height]);
    assertEquals(json.hash, await sha256(imageOf(taken)));
    assertEquals("path" in json, false);
    assertEquals(await leftovers(captures), []);
  });
});

Deno.test("moving a wall shows in a diff: in pixels, and in drawing units around both places", async () => {
  await atDesk(async ({ execute, capture }) => {
    await execute({ op: "new" });
    const created = await execute({
      op: "entities_create",
      entities: [wall([0, 0], [100, 0]), wall([0, 60], [100, 60]), wall([50, 20], [50, 40])],
    });
    const moved = handlesOf(created).slice(2);
    assertEquals(moved.length, 1);
    const first = textJson(await capture({ view: "extents", diff: true }));
    assertEquals(objectAt(first, "diff").is_baseline, true);
    await execute({
      op: "entities_transform",
      action: "move",
      handles: moved,
      vector: [10, 0],
    });
    const second = textJson(await capture({ diff: true }));
    const diff = objectAt(second, "diff");
    assertEquals(diff.changed, true);
    assertEquals(diff.baseline_hash, first.hash);
    // The old place is x 50, the new one x 60, both y 20..40; a padding of 16 px surrounds them.
    const [scale] = numbersOf(second.pixel_to_world_matrix);
    const [minx, miny, maxx, maxy] = numbersOf(diff.dirty_world_bounds);
    const slack = (scale ?? 0) * 20;
    const near = (value: number | undefined, expected: number, sign: number) => {
      const gap = sign * ((value ?? NaN) - expected);
      assert(gap > 0 && gap <= slack, `${value} is not within ${slack} of ${expected}`);
    };
    near(minx, 50, -1);
    near(maxx, 60, 1);
    near(miny, 20, -1);
    near(maxy, 40, 1);
    const third = textJson(await capture({ diff: true }));
    assertEquals(objectAt(third, "diff").changed, false);
  });
});

Deno.test("each tile of a 4 x 4 grid shows the one mark of its cell, and only that", async () => {
  await atDesk(async ({ face, id, captures, execute, capture }) => {
    await execute({ op: "new" });
    // A mark of its own colour in the middle of each cell of [0, 0, 400, 400].
    const marks = Array.from({ length: 16 }, (_, index) => {
      const [cx, cy] = [100 * (index % 4) + 50, 350 - 100 * Math.floor(index / 4)];
      const corners = [[-20, -20], [20, -20], [20, 20], [-20, 20]];
      const boundary = corners.map(([dx, dy]) => [cx + (dx ?? 0), cy + (dy ?? 0)]);
      return { type: "Hatch", solid: true, color: 10 + 10 * index, boundary };
    });
    await execute({ op: "entities_create", entities: marks });
    const bounds = [0, 0, 400, 400];
    const whole = textJson(await capture({ view: "region", bounds, pyramid_manifest: true }));
    assertEquals(objectAt(whole, "pyramid_manifest").world_bounds, bounds);

    const colours = new Set<string>();
    for (let index = 0; index < 16; index++) {
      const [x, y] = [index % 4, Math.floor(index / 4)];
      const taken = await capture({ tile: { level: 2, x, y } });
      const json = textJson(taken);
      const window = [100 * x, 300 - 100 * y, 100 * x + 100, 400 - 100 * y];
      assertEquals(objectAt(json, "pyramid").world_bounds, window);
      const shown = objectAt(json, "viewport_world_bounds");
      const [scale] = numbersOf(json.pixel_to_world_matrix);
      for (const [at, edge] of [...numbersOf(shown.min), ...numbersOf(shown.max)].entries()) {
        assert(Math.abs(edge - (window[at] ?? NaN)) <= (scale ?? 0) / 2 + 1e-9);
      }
      const marksShown = coloursOf(await decodePng(imageOf(taken)));
      assertEquals(marksShown.length, 1, `tile ${x}, ${y} shows ${marksShown}`);
      colours.add(marksShown[0] ?? "");
      assertEquals(json.annotations, json.visible_entities);
    }
    assertEquals(colours.size, 16);

    const uri = `cad://session/${id}/tile/2/3/1.png`;
    const [stored] = await face.readResource(uri, call());
    assert(stored !== undefined && "blob" in stored && stored.blob.length > 0);
    assertEquals(await leftovers(captures), []);
  });
});

Deno.test("a pick that outlasts its wait is a task, and cancelling it retracts the pick", async () => {
  await atDesk(async ({ face, id, execute }) => {
    await execute({ op: "new" });
    const started = await face.callTool(
      "ocs_execute",
      {
        ocs_session_id: id,
        request: { op: "getpoint", request_id: "pick-1", prompt: "corner" },
        wait_seconds: 0,
      },
      call({ tasks: true }),
    );
    if (!("task" in started)) throw new Error("the pick was answered");
    assertEquals((await face.getTask(started.task.taskId, call())).status, "working");
    await face.cancelTask(started.task.taskId, call());
    const state = await answer(face, "ocs_read", { ocs_session_id: id });
    assertEquals(textJson(state).operation, null);
    assertEquals((await face.getTask(started.task.taskId, call())).status, "cancelled");
  });
});

Deno.test("when the desk ends, a working task fails with the reason", async () => {
  const config = await Deno.realPath(await Deno.makeTempDir());
  const desk = await startDesk({ directory: config, executable: "/nowhere", version: "test" });
  const directory = `${config}/automation`;
  const face = createFace({
    editor: createEditorSide({ directory, editor: undefined, editorPlaces: [] }),
    identity: IDENTITY,
    policy: { readOnly: false, workspaces: [] },
    schemaStyle: "full",
    capturesDirectory: `${directory}/captures`,
  });
  try {
    const on = { ocs_session_id: desk.sessionId };
    await answer(face, "ocs_execute", { ...on, request: { op: "new", request_id: "n" } });
    const request = { op: "getpoint", request_id: "pick-1" };
    const started = await face.callTool(
      "ocs_execute",
      { ...on, request, wait_seconds: 0 },
      call({ tasks: true }),
    );
    await desk.stop();
    if (!("task" in started)) throw new Error("the pick was answered");
    const failed = await face.getTask(started.task.taskId, call());
    assertEquals(failed.status, "failed");
    assertEquals(failed.error?.code, -32603);
    assertEquals((await face.listResources(call())).length, 0);
  } finally {
    await face.close("retract");
    await desk.stop();
    await Deno.remove(config, { recursive: true });
  }
});

/** The colours of a picture that cover at least 5 % of it, without its ground. */
function coloursOf({ data }: Raster): readonly string[] {
  const counts = new Map<string, number>();
  for (let at = 0; at < data.length; at += 4) {
    const colour = `${data[at]},${data[at + 1]},${data[at + 2]}`;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const ground = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  return [...counts]
    .filter(([colour, count]) => colour !== ground && count >= data.length / 4 / 20)
    .map(([colour]) => colour);
}
