/** The whole desk: descriptor, socket, drawing and picture. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type Desk, type DeskOptions, startDesk } from "../../src/desk/desk.ts";
import { removeDescriptor, writeDescriptor } from "../../src/desk/descriptor.ts";
import { emptyDrawing } from "../../src/desk/drawing.ts";
import { decodePng } from "../../src/image/png.ts";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { objectOf, objectsOf, stringsOf } from "./driver.ts";
import { ask } from "./wire.ts";

type Asking = (request: JsonObject) => Promise<JsonObject>;

async function withDesk(
  run: (desk: Desk, ask: Asking, directory: string) => Promise<void>,
  options: Partial<DeskOptions> = {},
): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    const desk = await startDesk({
      directory,
      executable: "/opt/desk",
      version: "1.2.3",
      ...options,
    });
    try {
      const descriptor = await readDescriptor(desk);
      await run(
        desk,
        (request) => ask(desk.port, String(descriptor.token), request),
        directory,
      );
    } finally {
      await desk.stop();
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function readDescriptor(desk: Desk): Promise<JsonObject> {
  const value: unknown = JSON.parse(await Deno.readTextFile(desk.descriptorPath));
  if (!isJsonObject(value)) throw new Error("The descriptor is not an object.");
  return value;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("the descriptor says where the desk is, and goes when it ends", async () => {
  let path = "";
  await withDesk(async (desk, _ask, directory) => {
    path = desk.descriptorPath;
    assertEquals(path, `${directory}/automation/${desk.sessionId}.json`);
    const { token, ...rest } = await readDescriptor(desk);
    assertEquals(rest, {
      protocol: 1,
      session_id: desk.sessionId,
      pid: Deno.pid,
      port: desk.port,
      executable: "/opt/desk",
    });
    assertMatch(desk.sessionId, /^[0-9a-f]{32}$/);
    assertMatch(String(token), /^[0-9a-f]{64}$/);
    assert(!(await Deno.readTextFile(path)).endsWith("\n"));
    await desk.stop();
    assertEquals(await exists(path), false);
    await desk.finished;
  });
});

Deno.test({
  name: "the automation directory is closed to others each time, and so is the descriptor",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const directory = await Deno.makeTempDir();
    await Deno.mkdir(`${directory}/automation`);
    await Deno.chmod(`${directory}/automation`, 0o755);
    await withDesk(async (desk) => {
      const folder = await Deno.stat(`${directory}/automation`);
      const file = await Deno.stat(desk.descriptorPath);
      assertEquals([(folder.mode ?? 0) & 0o777, (file.mode ?? 0) & 0o777], [0o700, 0o600]);
    }, { directory });
    await Deno.remove(directory, { recursive: true });
  },
});

Deno.test("a descriptor is never written over another, and may be gone already", async () => {
  const directory = await Deno.makeTempDir();
  const descriptor = { sessionId: "ab", pid: 1, port: 2, token: "t", executable: "/x" };
  const path = await writeDescriptor(directory, descriptor);
  await assertRejects(
    () => writeDescriptor(directory, descriptor),
    Deno.errors.AlreadyExists,
  );
  await removeDescriptor(path);
  await removeDescriptor(path);
  assertEquals(await exists(path), false);
  await Deno.remove(directory, { recursive: true });
});

Deno.test("a desk that cannot write its descriptor does not start", async () => {
  const file = await Deno.makeTempFile();
  await assertRejects(() => startDesk({ directory: file, executable: "/x", version: "1" }));
  await Deno.remove(file);
});

Deno.test("state and hello show the whole state, with every field of the protocol", async () => {
  await withDesk(async (desk, ask) => {
    const state = await ask({ op: "state" });
    assertEquals(await ask({ op: "hello", session_id: desk.sessionId, protocol: 1 }), state);
    assertEquals(Object.keys(state), [
      ...["ok", "protocol", "session_id", "version", "mode", "enabled", "read_only"],
      ...["missing_fonts", "document_id", "revision", "geometry_revision", "camera_revision"],
      ...["hand_seed", "plugins", "documents", "selection", "command", "modal", "layout", "ucs"],
      ...["cursor", "viewport_size", "camera", "mtext_editor", "text_editor", "event_cursor"],
      ...["operation", "capabilities"],
    ]);
    assertEquals(
      [state.session_id, state.version, state.read_only, state.viewport_size, state.hand_seed],
      [desk.sessionId, "1.2.3", true, [1600, 1000], "2A"],
    );
  }, { readOnly: true });
});

Deno.test("a drawing can be there from the start", async () => {
  await withDesk(async (_desk, ask) => {
    const state = await ask({ op: "state" });
    assertEquals(objectsOf(state.documents).map((d) => [d.id, d.title, d.start]), [
      [1, "Start", true],
      [2, "Drawing1", false],
    ]);
    assertEquals(state.document_id, 2);
  }, { drawing: emptyDrawing() });
});

Deno.test("draw, read back, take a picture: the PNG is there before the capture settles", async () => {
  await withDesk(async (_desk, ask, directory) => {
    await ask({ op: "new", request_id: "1" });
    const made = await ask({
      op: "entities_create",
      request_id: "2",
      document_id: 2,
      entities: [
        { type: "Hatch", boundary: [[0, 0], [80, 0], [80, 60], [0, 60]], solid: true, color: 1 },
      ],
    });
    assertEquals(stringsOf(objectOf(made.result).handles), ["2A"]);
    const path = `${directory}/picture.png`;
    const capture = {
      op: "capture",
      request_id: "3",
      document_id: 2,
      path,
      bounds: [0, 0, 80, 60],
      max_dimension: 400,
      annotate: true,
    };
    assertEquals((await ask(capture)).status, "accepted");
    let reply = await ask({ op: "operation", request_id: "3" });
    while (reply.status === "running") reply = await ask({ op: "operation", request_id: "3" });
    assertEquals(reply.status, "completed", JSON.stringify(reply.error));
    const picture = await decodePng(await Deno.readFile(path));
    assertEquals([picture.width, picture.height], [400, 300]);
    assertEquals([...picture.data.slice(0, 4)], [255, 0, 0, 255], "the red fill covers the corner");
  }, { viewport: { width: 800, height: 600 } });
});

Deno.test("an unwritable path fails the capture and frees the slot", async () => {
  await withDesk(async (_desk, ask, directory) => {
    await ask({ op: "new", request_id: "1" });
    const path = `${directory}/no/such/folder/x.png`;
    await ask({ op: "capture", request_id: "2", document_id: 2, path });
    let reply = await ask({ op: "operation", request_id: "2" });
    while (reply.status === "running") reply = await ask({ op: "operation", request_id: "2" });
    assertEquals([reply.ok, reply.status, reply.code], [false, "failed", undefined]);
    assert(String(reply.error).includes(path), String(reply.error));
    assertEquals((await ask({ op: "new", request_id: "3" })).status, "completed");
  });
});

Deno.test("1 and 1.0 are different payloads on the wire", async () => {
  await withDesk(async (desk, ask) => {
    await ask({ op: "new", request_id: "1" });
    const { token } = await readDescriptor(desk);
    const send = async (height: string) => {
      using connection = await Deno.connect({ hostname: "127.0.0.1", port: desk.port });
      const line =
        `{"token":"${token}","op":"select","request_id":"s","document_id":2,"x":${height}}\n`;
      await connection.write(new TextEncoder().encode(line));
      return await new Response(connection.readable).text();
    };
    assertEquals(JSON.parse(await send("1")).status, "completed");
    assertEquals(JSON.parse(await send("1.0")).code, "request_id_reused");
    assertEquals(JSON.parse(await send("1")).status, "completed");
  });
});
