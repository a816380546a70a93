/** Tests of completing template variables. */

import { assertEquals, assertRejects } from "@std/assert";
import { encodePng } from "../../src/image/png.ts";
import { ProtocolFault } from "../../src/mcp/faults.ts";
import { sha256 } from "../../src/tools/shot.ts";
import { films, spotted } from "./fake_camera.ts";
import { answer, bench, call, FakeEditor } from "./fake_editor.ts";

const TILE = "cad://session/{id}/tile/{level}/{x}/{y}.png";
const SNAPSHOT = "cad://session/{id}/snapshot/{hash}.png";

async function values(
  face: ReturnType<typeof bench>["face"],
  uri: string,
  name: string,
  value = "",
  context: Record<string, string> = {},
) {
  return (await face.complete(uri, { name, value }, context, call())).values;
}

Deno.test("id completes to the live sessions that start so", async () => {
  const { face } = bench({}, new FakeEditor("b2", "a1", "b1"));
  assertEquals(await values(face, TILE, "id"), ["a1", "b1", "b2"]);
  assertEquals(await values(face, SNAPSHOT, "id", "b"), ["b1", "b2"]);
});

Deno.test("hash completes to what is stored, of the chosen session", async () => {
  const { face, editor, disk } = bench({}, new FakeEditor("s1", "s2"));
  const picture = spotted(5, 5, []);
  films(editor.the("s1"), disk, [picture]);
  await answer(face, "ocs_capture", { ocs_session_id: "s1" });
  const hash = await sha256(await encodePng(picture));
  assertEquals(await values(face, SNAPSHOT, "hash"), [hash]);
  assertEquals(await values(face, SNAPSHOT, "hash", "", { id: "s1" }), [hash]);
  assertEquals(await values(face, SNAPSHOT, "hash", "", { id: "s2" }), []);
  assertEquals(await values(face, SNAPSHOT, "hash", "zz"), []);
});

Deno.test("level completes to 0 to 6, x and y to the cells of the chosen level", async () => {
  const { face } = bench();
  assertEquals(await values(face, TILE, "level"), ["0", "1", "2", "3", "4", "5", "6"]);
  assertEquals(await values(face, TILE, "x", "", { level: "2" }), ["0", "1", "2", "3"]);
  assertEquals(await values(face, TILE, "y", "1", { level: "4" }), [
    "1",
    "10",
    "11",
    "12",
    "13",
    "14",
    "15",
  ]);
  assertEquals((await values(face, TILE, "x")).length, 64);
});

Deno.test("a variable that the template does not have gets no values", async () => {
  const { face } = bench();
  assertEquals(await values(face, SNAPSHOT, "level"), []);
});

Deno.test("an unknown reference is -32602", async () => {
  const { face } = bench();
  const error = await assertRejects(
    () => face.complete("cad://nothing/{id}", { name: "id", value: "" }, {}, call()),
    ProtocolFault,
  );
  assertEquals(error.code, -32602);
});
