/** Tests of `ocs_capture`: taking, delivering, storing. */

import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { ToolError } from "../../src/host/faults.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { encodePng } from "../../src/image/png.ts";
import { sha256 } from "../../src/tools/shot.ts";
import { films, report, spotted } from "./fake_camera.ts";
import { answer, bench, call, CAPTURES, textJson } from "./fake_editor.ts";

const PLAIN = spotted(8, 6, [[1, 1]]);

function filmed(...pictures: Parameters<typeof films>[2]) {
  const made = bench();
  films(made.editor.the("s1"), made.disk, pictures.length > 0 ? pictures : [PLAIN]);
  return made;
}

const ARGS = { ocs_session_id: "s1" };

Deno.test("a capture gives the picture inline and says where it lies", async () => {
  const { face, editor, disk } = filmed();
  const result = await answer(face, "ocs_capture", { ...ARGS, request_id: "look-1" });
  const png = await encodePng(PLAIN);
  const hash = await sha256(png);
  assertEquals(result.content[1], {
    type: "image",
    data: png.toBase64(),
    mimeType: "image/png",
  });
  assertEquals(result.content.length, 2);
  assertEquals(result.structuredContent, {
    ...report(PLAIN),
    uri: `cad://session/s1/snapshot/${hash}.png`,
    latest_uri: "cad://session/s1/snapshot/latest.png",
    hash,
    bytes: png.length,
    request_id: "look-1",
    inline_bytes: png.toBase64().length,
  });
  assertEquals(textJson(result), result.structuredContent);
  const [asked] = editor.the("s1").asked;
  const { path, ...request } = asked?.request ?? {};
  assertEquals(request, {
    op: "capture",
    request_id: "look-1",
    scope: "viewport",
    max_dimension: 1600,
  });
  assertEquals(asked?.options, { kind: "capture", waitMs: 30_000 });
  assert(new RegExp(`^${CAPTURES}/4711-[0-9a-f-]{36}/picture\\.png$`).test(String(path)));
  assertEquals(disk.folders, [CAPTURES]);
  assertEquals(disk.files.size, 0);
});

Deno.test("view, bounds, handles, scope and annotate go to the editor as given", async () => {
  const { face, editor } = filmed();
  await answer(face, "ocs_capture", {
    ...ARGS,
    scope: "window",
    max_dimension: 256,
    view: "region",
    bounds: [10, 20, 0, 5],
    focus_handles: ["8A", "0x8b"],
    highlight_handles: ["8A"],
    annotate: true,
  });
  const { path: _, request_id: id, ...request } = editor.the("s1").asked[0]?.request ?? {};
  assert(/^[0-9a-f]{32}$/.test(String(id)));
  assertEquals(request, {
    op: "capture",
    scope: "window",
    max_dimension: 256,
    view: "region",
    bounds: [0, 5, 10, 20],
    focus_handles: ["8A", "0x8b"],
    highlight_handles: ["8A"],
    annotate: true,
  });
});

Deno.test("delivery resource gives a link only, both gives both", async () => {
  const { face } = filmed();
  const png = await encodePng(PLAIN);
  const hash = await sha256(png);
  const link = {
    type: "resource_link" as const,
    uri: `cad://session/s1/snapshot/${hash}.png`,
    name: `snapshot-${hash.slice(0, 12)}.png`,
    mimeType: "image/png",
    size: png.length,
  };
  const linked = await answer(face, "ocs_capture", { ...ARGS, delivery: "resource" });
  assertEquals(linked.content.slice(1), [link]);
  assertEquals("inline_bytes" in textJson(linked), false);
  const both = await answer(face, "ocs_capture", { ...ARGS, delivery: "both" });
  assertEquals(both.content.slice(1), [
    { type: "image", data: png.toBase64(), mimeType: "image/png" },
    link,
  ]);
});

Deno.test("wrong arguments say what was expected and never reach the editor", async () => {
  const { face, editor } = filmed();
  const cases: readonly (readonly [JsonObject, string])[] = [
    [
      {},
      "Missing ocs_session_id for ocs_capture: the session_id of an entry of ocs_sessions, a non-empty string.",
    ],
    [
      { ...ARGS, max_dimension: 100 },
      "Invalid max_dimension for ocs_capture: expected a whole number from 256 to 4096, got 100.",
    ],
    [
      { ...ARGS, scope: "screen" },
      'Invalid scope for ocs_capture: expected one of viewport, window, got "screen".',
    ],
    [{ ...ARGS, diff: 1 }, "Invalid diff for ocs_capture: expected true or false, got 1."],
    [
      { ...ARGS, bounds: [0, 0, 1] },
      "Invalid bounds for ocs_capture: expected a world window [x0, y0, x1, y1] of four finite " +
      "numbers with some width and height, got [0,0,1].",
    ],
    [
      { ...ARGS, focus_handles: [12] },
      "Invalid focus_handles for ocs_capture: expected a list of handles, hex strings such as " +
      '"8A", got [12].',
    ],
    [
      { ...ARGS, view: "region" },
      'view "region" of ocs_capture needs bounds: a world window [x0, y0, x1, y1].',
    ],
    [
      { ...ARGS, tile: { level: 1, x: 2, y: 0 } },
      "There is no tile (1, 2, 0): level 1 is a grid of 2 x 2, so x and y go from 0 to 1, x from " +
      "the left, y from the top.",
    ],
    [
      { ...ARGS, tile: { level: 2, x: 3, y: -1 } },
      "There is no tile (2, 3, -1): level 2 is a grid of 4 x 4, so x and y go from 0 to 3, x from " +
      "the left, y from the top.",
    ],
    ...[7, -1].map((level) =>
      [
        { ...ARGS, tile: { level, x: 0, y: 0 } },
        `There is no tile level ${level} for ocs_capture: levels go from 0, a single tile, to 6, a ` +
        "grid of 64 x 64.",
      ] as const
    ),
    [
      { ...ARGS, tile: { level: 1, x: 0.5, y: 0 } },
      "Invalid tile for ocs_capture: expected {level: 0 to 6, x, y} of whole numbers, got " +
      '{"level":1,"x":0.5,"y":0}.',
    ],
    [
      { ...ARGS, request_id: "é".repeat(65) },
      "Invalid request_id for ocs_capture: expected a string of 1 to 128 bytes, got ",
    ],
  ];
  for (const [args, words] of cases) {
    const error = await assertRejects(() => face.callTool("ocs_capture", args, call()), ToolError);
    assertStringIncludes(error.message, words);
  }
  assertEquals(editor.touched, 0);
});

Deno.test("a failed capture is an error that can be tried again, and leaves no file", async () => {
  const { face, editor, disk } = filmed();
  editor.the("s1").onExecute = (request) => {
    disk.write(String(request.path), new Uint8Array(9));
    return { ok: false, status: "failed", error: "No frame was drawn", request_id: "c" };
  };
  const result = await answer(face, "ocs_capture", ARGS);
  assertEquals(result.isError, true);
  assertEquals(textJson(result).next, "No picture was taken: call ocs_capture again.");
  assertEquals(disk.files.size, 0);
});

Deno.test("a file that is no PNG is refused and removed", async () => {
  const { face, editor, disk } = filmed();
  editor.the("s1").onExecute = (request) => {
    disk.write(String(request.path), new Uint8Array(9));
    return { ok: true, status: "completed", result: { path: request.path ?? null } };
  };
  const error = await assertRejects(() => face.callTool("ocs_capture", ARGS, call()), ToolError);
  assertEquals(
    error.message,
    "The editor reported a capture but left no readable PNG. Call ocs_capture again.",
  );
  assertEquals(disk.files.size, 0);
});

Deno.test("a cancelled capture rejects, and what is drawn late has no place to go", async () => {
  const { face, editor, disk, clock } = filmed();
  const stop = new AbortController();
  const reached = Promise.withResolvers<string>();
  editor.the("s1").onExecute = (request, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      reached.resolve(String(request.path));
    });
  const going = face.callTool("ocs_capture", ARGS, call({ signal: stop.signal }));
  const path = await reached.promise;
  stop.abort(new DOMException("cancelled", "AbortError"));
  await assertRejects(() => going, DOMException);
  assertThrows(() => disk.write(path, new Uint8Array(9)), Deno.errors.NotFound);
  assertEquals(clock.pending, 0);
});

Deno.test("a capture that the editor does not draw in time is given up", async () => {
  const { face, editor, disk } = filmed();
  editor.the("s1").onExecute = () => ({ ok: true, status: "running", request_id: "c" });
  const error = await assertRejects(() => face.callTool("ocs_capture", ARGS, call()), ToolError);
  assertEquals(
    error.message,
    "The editor drew no picture within 30 s. Its window may be hidden or busy: ask the person to " +
      "bring it to the front, then call ocs_capture again.",
  );
  const path = String(editor.the("s1").asked[0]?.request.path);
  assertThrows(() => disk.write(path, new Uint8Array(9)), Deno.errors.NotFound);
});

Deno.test("closing takes the place away from a capture that is still drawn", async () => {
  const { face, editor, disk, clock } = filmed();
  editor.the("s1").onExecute = () => new Promise(() => {});
  void face.callTool("ocs_capture", ARGS, call());
  await clock.advance(0);
  const path = String(editor.the("s1").asked[0]?.request.path);
  disk.write(path, new Uint8Array(3));
  await face.close("retract");
  assertEquals(disk.files.size, 0);
  assertThrows(() => disk.write(path, new Uint8Array(9)), Deno.errors.NotFound);
  assertEquals(editor.closed, 1);
});

Deno.test("unknown arguments are warnings", async () => {
  const { face } = filmed();
  const json = textJson(await answer(face, "ocs_capture", { ...ARGS, zoom: 3 }));
  assertEquals(json.warnings, ["unknown argument 'zoom' ignored for tool 'ocs_capture'"]);
});

Deno.test("the phase says that a picture is taken", async () => {
  const { face } = filmed();
  const context = call();
  await answer(face, "ocs_capture", ARGS, context);
  assertEquals(context.phases, ["taking the picture"]);
});
