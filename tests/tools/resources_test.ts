/** Tests of the `cad://` resources. */

import { assertEquals, assertRejects } from "@std/assert";
import { InfrastructureError } from "../../src/host/faults.ts";
import { decodePng, encodePng } from "../../src/image/png.ts";
import { ResourceNotFound } from "../../src/mcp/faults.ts";
import type { ResourceContents } from "../../src/mcp/face.ts";
import { sha256 } from "../../src/tools/shot.ts";
import { films, report, spotted } from "./fake_camera.ts";
import { answer, bench, call, FakeEditor, textJson } from "./fake_editor.ts";

const ARGS = { ocs_session_id: "s1" };

function filmed(...pictures: Parameters<typeof films>[2]) {
  const made = bench();
  films(made.editor.the("s1"), made.disk, pictures);
  return made;
}

/** Distinct small pictures. */
function series(count: number) {
  return Array.from(
    { length: count },
    (_, index) => spotted(10, 10, [[index % 10, index / 10 | 0]]),
  );
}

function blobOf([contents]: readonly ResourceContents[]): string {
  if (contents === undefined || !("blob" in contents)) throw new Error("no blob");
  return contents.blob;
}

function jsonOf([contents]: readonly ResourceContents[]): unknown {
  if (contents === undefined || !("text" in contents)) throw new Error("no text");
  return JSON.parse(contents.text);
}

Deno.test("without any session the list is empty and reading finds nothing", async () => {
  const { face, editor } = bench({}, new FakeEditor());
  assertEquals(await face.listResources(call()), []);
  for (const path of ["viewport.png", "state.json", "pyramid/manifest.json", "tile/0/0/0.png"]) {
    const uri = `cad://session/s1/${path}`;
    const error = await assertRejects(() => face.readResource(uri, call()), ResourceNotFound);
    assertEquals(error.uri, uri);
  }
  assertEquals(editor.launches, []);
});

Deno.test("a live session lists its view, its state and its grid", async () => {
  const { face } = bench({}, new FakeEditor("s2", "s1"));
  const uris = (await face.listResources(call())).map(({ uri }) => uri);
  assertEquals(uris, [
    "cad://session/s1/viewport.png",
    "cad://session/s1/state.json",
    "cad://session/s1/pyramid/manifest.json",
    "cad://session/s2/viewport.png",
    "cad://session/s2/state.json",
    "cad://session/s2/pyramid/manifest.json",
  ]);
});

Deno.test("captures and tiles are listed with their metadata, in the order they were taken", async () => {
  const [a, b] = series(2);
  if (a === undefined || b === undefined) throw new Error("no pictures");
  const { face } = filmed(a, b, { raster: a, reported: report(a, 0, 0, 10) });
  await answer(face, "ocs_capture", ARGS);
  await answer(face, "ocs_capture", ARGS);
  const tile = { level: 0, x: 0, y: 0 };
  await answer(face, "ocs_capture", { ...ARGS, tile, bounds: [0, 0, 100, 100] });
  const [hashA, hashB] = [await sha256(await encodePng(a)), await sha256(await encodePng(b))];
  const first = await face.listResources(call());
  assertEquals(first.slice(3).map(({ uri }) => uri), [
    "cad://session/s1/snapshot/latest.png",
    `cad://session/s1/snapshot/${hashA}.png`,
    `cad://session/s1/snapshot/${hashA}.json`,
    `cad://session/s1/snapshot/${hashB}.png`,
    `cad://session/s1/snapshot/${hashB}.json`,
    "cad://session/s1/tile/0/0/0.png",
    "cad://session/s1/tile/0/0/0.json",
  ]);
  assertEquals(await face.listResources(call()), first);
});

Deno.test("every link of a capture can be read", async () => {
  const [a] = series(1);
  if (a === undefined) throw new Error("no picture");
  const { face } = filmed(a);
  const json = textJson(await answer(face, "ocs_capture", ARGS));
  const png = (await encodePng(a)).toBase64();
  assertEquals(blobOf(await face.readResource(String(json.uri), call())), png);
  assertEquals(blobOf(await face.readResource(String(json.latest_uri), call())), png);
  const metadata = await face.readResource(String(json.uri).replace(".png", ".json"), call());
  const { inline_bytes: _, ...stored } = json;
  assertEquals(jsonOf(metadata), stored);
});

Deno.test("a link to a picture too large for a message gives it scaled down", async () => {
  // Nothing makes noise small: 2000 x 1400 pixels of it are some 8.4 MB, 11.2 MB in base64.
  const width = 2000, height = 1400;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < data.length; at += 65_536) {
    crypto.getRandomValues(data.subarray(at, at + 65_536));
  }
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  const { face } = filmed({ width, height, data });
  const result = await answer(face, "ocs_capture", ARGS);
  assertEquals(result.content.map(({ type }) => type), ["text", "resource_link"]);
  const json = textJson(result);
  assertEquals(json.inline_bytes, 0);
  assertEquals(/scaled down to fit a message/.test(String(json.delivery_note)), true);
  const blob = blobOf(await face.readResource(String(json.uri), call()));
  assertEquals(blob.length < 10 * 1024 * 1024, true);
  const picture = await decodePng(Uint8Array.fromBase64(blob));
  assertEquals([picture.width, picture.height], [1000, 700]);
});

Deno.test("viewport.png is a live capture at 1600 and becomes the newest snapshot", async () => {
  const { face, editor, disk } = filmed(...series(2));
  const first = blobOf(await face.readResource("cad://session/s1/viewport.png", call()));
  const second = blobOf(await face.readResource("cad://session/s1/viewport.png", call()));
  assertEquals(first === second, false);
  assertEquals(editor.the("s1").of("execute")[0]?.max_dimension, 1600);
  const latest = await face.readResource("cad://session/s1/snapshot/latest.png", call());
  assertEquals(blobOf(latest), second);
  assertEquals(disk.files.size, 0);
});

Deno.test("the 33rd snapshot pushes out the oldest, and a repeated one counts as new", async () => {
  const pictures = series(33);
  const { face } = filmed(...pictures.slice(0, 32), ...pictures.slice(0, 1), ...pictures.slice(32));
  const uris: string[] = [];
  for (let take = 0; take < 34; take++) {
    uris.push(String(textJson(await answer(face, "ocs_capture", ARGS)).uri));
  }
  assertEquals(uris[0], uris[32]);
  const kept = (await face.listResources(call())).map(({ uri }) => uri)
    .filter((uri) => /snapshot\/[0-9a-f]{64}\.png$/.test(uri));
  assertEquals(kept, [...uris.slice(2, 32), uris[32], uris[33]]);
  await assertRejects(() => face.readResource(String(uris[1]), call()), ResourceNotFound);
});

Deno.test("the 65th tile pushes out the oldest, snapshots stay", async () => {
  const view = spotted(64, 64, [[1, 1]]);
  const { face } = filmed({ raster: view, reported: report(view, 0, 0, 1) });
  await answer(face, "ocs_capture", ARGS);
  const tile = (index: number) => ({ level: 4, x: index % 16, y: Math.floor(index / 16) });
  for (let index = 0; index < 65; index++) {
    await answer(face, "ocs_capture", { ...ARGS, tile: tile(index) });
  }
  const list = (await face.listResources(call())).map(({ uri }) => uri);
  const tiles = list.filter((uri) => /tile\/.*\.png$/.test(uri));
  assertEquals(tiles.length, 64);
  assertEquals(tiles[0], "cad://session/s1/tile/4/1/0.png");
  assertEquals(list.filter((uri) => /snapshot\/[0-9a-f]{64}\.png$/.test(uri)).length, 1);
});

Deno.test("a tile is captured when absent, then kept until the drawing changes", async () => {
  const view = spotted(64, 64, []);
  const { face, editor } = filmed({ raster: view, reported: report(view, 0, 0, 1) });
  const session = editor.the("s1");
  session.onRead = () => session.state ?? {};
  await answer(face, "ocs_capture", ARGS);
  const uri = "cad://session/s1/tile/1/1/0.png";
  const { width, height } = await decodePng(
    Uint8Array.fromBase64(blobOf(await face.readResource(uri, call()))),
  );
  assertEquals([width, height], [32, 32]);
  assertEquals(session.of("execute").at(-1)?.bounds, [32, 32, 64, 64]);
  const metadata = await face.readResource(uri.replace(".png", ".json"), call());
  assertEquals(JSON.stringify(jsonOf(metadata)).includes('"level":1'), true);
  assertEquals(session.of("execute").length, 2);
  session.state = { session_id: "s1", document_id: 1, revision: 5 };
  await face.readResource(uri, call());
  assertEquals(session.of("execute").length, 3);
});

Deno.test("the manifest is made when absent, from the last view", async () => {
  const view = spotted(80, 40, []);
  const { face } = filmed({ raster: view, reported: report(view, 0, 0, 1) });
  const uri = "cad://session/s1/pyramid/manifest.json";
  const before = JSON.stringify(jsonOf(await face.readResource(uri, call())));
  assertEquals(before.includes('"world_bounds":[-100,-100,100,100]'), true);
  await answer(face, "ocs_capture", ARGS);
  const after = JSON.stringify(jsonOf(await face.readResource(uri, call())));
  assertEquals(after.includes('"world_bounds":[0,0,80,40]'), true);
});

Deno.test("state.json is the last state seen, read only when there is none", async () => {
  const { face, editor } = bench();
  const session = editor.the("s1");
  assertEquals(jsonOf(await face.readResource("cad://session/s1/state.json", call())), {
    session_id: "s1",
    document_id: 1,
    revision: 4,
  });
  assertEquals(session.of("read"), []);
  session.state = undefined;
  session.onRead = () => ({ ok: true, revision: 9 });
  assertEquals(jsonOf(await face.readResource("cad://session/s1/state.json", call())), {
    ok: true,
    revision: 9,
  });
});

Deno.test("what is no resource of ours is not found", async () => {
  const { face, editor } = bench();
  const hash = "0".repeat(64);
  for (
    const uri of [
      "file:///etc/passwd",
      "cad://session/s1/",
      "cad://session/s1/viewport.jpg",
      "cad://session/s1/snapshot/latest.json",
      "cad://session/s1/snapshot/latest.png",
      `cad://session/s1/snapshot/${hash}.png`,
      "cad://session/s1/snapshot/XYZ.png",
      "cad://session/s1/tile/1/2/0.png",
      "cad://session/s1/tile/7/0/0.png",
      "cad://session/s1/tile/01/0/0.png",
      "cad://session/%E0%A4%A/viewport.png",
      "cad://session/s1/viewport.png?x",
    ]
  ) {
    await assertRejects(() => face.readResource(uri, call()), ResourceNotFound);
  }
  assertEquals(editor.the("s1").asked, []);
});

Deno.test("an editor that fails in the middle is no missing resource", async () => {
  const { face, editor } = bench();
  editor.the("s1").onExecute = () => Promise.reject(new InfrastructureError("The editor is gone"));
  await assertRejects(
    () => face.readResource("cad://session/s1/viewport.png", call()),
    InfrastructureError,
  );
});

Deno.test("the list is said to change when a picture or a session comes or goes", async () => {
  const [a, b] = series(2);
  if (a === undefined || b === undefined) throw new Error("no pictures");
  const { face, editor } = filmed(a, a, b);
  let changes = 0;
  const stop = face.onResourcesChanged(() => changes++);
  await answer(face, "ocs_capture", ARGS);
  assertEquals(changes, 1);
  await answer(face, "ocs_capture", ARGS);
  assertEquals(changes, 1);
  await answer(face, "ocs_capture", ARGS);
  assertEquals(changes, 2);
  editor.change((sessions) => sessions.delete("s1"));
  assertEquals(changes, 3);
  stop();
  editor.change((sessions) => sessions.clear());
  assertEquals(changes, 3);
});

Deno.test("snapshots of a session that went can still be read, its tiles are void", async () => {
  const view = spotted(64, 64, []);
  const { face, editor } = filmed({ raster: view, reported: report(view, 0, 0, 1) });
  const { uri } = textJson(await answer(face, "ocs_capture", ARGS));
  await answer(face, "ocs_capture", { ...ARGS, tile: { level: 0, x: 0, y: 0 } });
  editor.change((sessions) => sessions.delete("s1"));
  assertEquals((await face.listResources(call())).map((entry) => entry.uri), [
    "cad://session/s1/snapshot/latest.png",
    uri,
    String(uri).replace(".png", ".json"),
  ]);
  await face.readResource(String(uri), call());
});

Deno.test("the templates are the tile and the snapshot", () => {
  const { face } = bench();
  assertEquals(face.resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
    "cad://session/{id}/tile/{level}/{x}/{y}.png",
    "cad://session/{id}/snapshot/{hash}.png",
  ]);
});
