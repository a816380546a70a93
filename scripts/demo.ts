/**
 * The main job, shown: a client starts the bridge, draws a floor plan in the desk, looks at it,
 * moves a wall and is told what moved. Pictures go to `demo/`.
 */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { isJsonObject, type JsonObject } from "../src/host/json.ts";
import { SOURCE } from "../tests/support/bridge_program.ts";
import { startDeskProgram } from "../tests/support/desk_program.ts";
import { refuseUnknown } from "./arguments.ts";
import { FLOOR_PLAN, MOVED_WALL } from "./floor_plan.ts";
import { Transcript } from "./transcript.ts";

const MOVE_MM = 600;
const OUTPUT = new URL("../demo/", import.meta.url);

refuseUnknown("demo", "no arguments");
const directory = await Deno.makeTempDir({ prefix: "ocs-demo-" });
const transcript = new Transcript();
try {
  await demo();
} finally {
  await Deno.remove(directory, { recursive: true });
}
transcript.total();
Deno.exit(0);

async function demo(): Promise<void> {
  await Deno.mkdir(OUTPUT, { recursive: true });
  await using desk = await transcript.step(
    "Start a desk, the stand-in editor",
    () => startDeskProgram({ configDir: directory }),
    (started) =>
      `session ${started.sessionId.slice(0, 8)}… on 127.0.0.1:${started.descriptor.port}`,
  );
  const transport = new StdioClientTransport({
    command: SOURCE.command,
    args: [...SOURCE.args, "--config-dir", directory],
    env: { ...SOURCE.env },
    stderr: "inherit",
  });
  const client = new Client({ name: "ocs-demo", version: "1.0.0" }, { capabilities: {} });
  try {
    await transcript.step(
      "Start the bridge as a client does",
      () => client.connect(transport),
      () => `it answers as ${client.getServerVersion()?.title ?? "?"}`,
    );
    await draw(client, desk.sessionId);
  } finally {
    await client.close();
  }
}

async function draw(client: Client, expectedSession: string): Promise<void> {
  const session = await transcript.step("ocs_sessions: find it", async () => {
    const { result } = await call(client, "ocs_sessions", { launch_if_none: false });
    const found = Array.isArray(result) ? result.find(isJsonObject)?.session_id : undefined;
    if (found !== expectedSession) throw new Error(`Expected the desk's session, got ${found}.`);
    return expectedSession;
  }, (id) => `1 session, ${id.slice(0, 8)}…`);

  const execute = (id: string, request: JsonObject) =>
    call(client, "ocs_execute", {
      ocs_session_id: session,
      request: { ...request, request_id: `demo-${id}` },
    });

  await transcript.step(
    "ocs_execute new: open a drawing",
    () => execute("new", { op: "new" }),
    (answer) => `document ${text(field(answer, "state"), "document_id")}`,
  );
  const created = await transcript.step(
    "ocs_execute entities_create: draw the plan",
    () => execute("draw", { op: "entities_create", entities: [MOVED_WALL, ...FLOOR_PLAN] }),
    (answer) => {
      const result = field(answer, "result");
      return `${text(result, "created")} entities on ${list(result, "layers_created").join(", ")}`;
    },
  );
  const movedWall = list(field(created, "result"), "handles")[0];
  await transcript.step(
    "ocs_read entities: read it back",
    () => call(client, "ocs_read", { ocs_session_id: session, op: "entities" }),
    (answer) => JSON.stringify(field(answer, "by_type")).replaceAll('"', "").replaceAll(",", ", "),
  );
  const look = (extra: JsonObject) =>
    picture(client, { ocs_session_id: session, diff: true, ...extra });
  await transcript.step(
    "ocs_capture: take a picture",
    () => look({ view: "extents" }),
    async ({ png, metadata }) => {
      await Deno.writeFile(new URL("plan.png", OUTPUT), png);
      return `${text(metadata, "width")}×${text(metadata, "height")} → demo/plan.png`;
    },
  );
  await transcript.step(
    `ocs_execute entities_transform: move a wall by ${MOVE_MM} mm`,
    () =>
      execute("move", {
        op: "entities_transform",
        action: "move",
        handles: [movedWall ?? ""],
        vector: [MOVE_MM, 0, 0],
      }),
    (answer) => `${text(field(answer, "result"), "affected")} entity, handle ${movedWall}`,
  );
  await transcript.step(
    "ocs_capture diff: what moved?",
    () => look({ diff_mode: "highlight" }),
    async ({ png, metadata }) => {
      await Deno.writeFile(new URL("diff.png", OUTPUT), png);
      return moved(field(metadata, "diff"));
    },
  );
  await transcript.step(
    "resources/read: one tile of the pyramid",
    async () => {
      const uri = `cad://session/${session}/tile/2/2/1.png`;
      const [contents] = (await client.readResource({ uri })).contents;
      if (contents === undefined || !("blob" in contents)) throw new Error(`No picture at ${uri}.`);
      return { uri, png: Uint8Array.fromBase64(contents.blob) };
    },
    async ({ uri, png }) => {
      await Deno.writeFile(new URL("tile.png", OUTPUT), png);
      return `${uri.slice(uri.indexOf("tile/"))}, ${png.length} bytes → demo/tile.png`;
    },
  );
}

/** What a diff says, in drawing units. */
function moved(diff: JsonObject): string {
  const bounds = diff.dirty_world_bounds;
  const world = isJsonObject(bounds) ? [bounds.min, bounds.max].flat() : bounds;
  const numbers = Array.isArray(world) ? world.map((n) => Math.round(Number(n))) : [];
  if (diff.changed !== true || numbers.length !== 4) {
    throw new Error(`The moved wall was not seen: ${JSON.stringify(diff)}`);
  }
  const [x0, y0, x1, y1] = numbers;
  return `${diff.changed_pixels} pixels changed, within x ${x0}..${x1} mm, y ${y0}..${y1} mm → demo/diff.png`;
}

async function picture(
  client: Client,
  args: JsonObject,
): Promise<{ png: Uint8Array<ArrayBuffer>; metadata: JsonObject }> {
  const { content, structuredContent } = await client.callTool({
    name: "ocs_capture",
    arguments: { ...args },
  });
  const image = content.find((block) => block.type === "image");
  if (image === undefined || !isJsonObject(structuredContent)) {
    throw new Error(`ocs_capture answered no picture: ${JSON.stringify(content)}`);
  }
  return { png: Uint8Array.fromBase64(image.data), metadata: structuredContent };
}

async function call(client: Client, name: string, args: JsonObject): Promise<JsonObject> {
  const answer = await client.callTool({ name, arguments: { ...args } });
  if (answer.isError || !isJsonObject(answer.structuredContent)) {
    throw new Error(`${name} failed: ${JSON.stringify(answer.content)}`);
  }
  return answer.structuredContent;
}

function field(answer: JsonObject, key: string): JsonObject {
  const value = answer[key];
  if (!isJsonObject(value)) throw new Error(`No ${key} in ${JSON.stringify(answer)}`);
  return value;
}

function text(answer: JsonObject, key: string): string {
  const value = answer[key];
  if (value === undefined) throw new Error(`No ${key} in ${JSON.stringify(answer)}`);
  return String(value);
}

function list(answer: JsonObject, key: string): readonly string[] {
  const value = answer[key];
  if (!Array.isArray(value)) throw new Error(`No list ${key} in ${JSON.stringify(answer)}`);
  return value.map(String);
}
