/** Tests of the inline limits (bridge.md 7.4). */

import { assertEquals } from "@std/assert";
import { base64Length, deliver } from "../../src/tools/delivery.ts";

function picture(bytes: number) {
  return { png: new Uint8Array(bytes), uri: "cad://session/s1/snapshot/x.png", name: "x.png" };
}

const MIB = 1024 * 1024;

Deno.test("the length of base64 is known without encoding", () => {
  for (const bytes of [0, 1, 2, 3, 4, 5, 6, 100]) {
    assertEquals(base64Length(bytes), new Uint8Array(bytes).toBase64().length);
  }
});

Deno.test("up to 1 MiB of base64 is delivered without remark", () => {
  const { blocks, notes } = deliver(picture(MIB / 4 * 3), "inline");
  assertEquals(blocks.map(({ type }) => type), ["image"]);
  assertEquals(notes, { inline_bytes: MIB });
});

Deno.test("above 1 MiB the metadata say that it is a burden", () => {
  const { blocks, notes } = deliver(picture(MIB / 4 * 3 + 1), "both");
  assertEquals(blocks.map(({ type }) => type), ["image", "resource_link"]);
  assertEquals(notes, {
    inline_bytes: MIB + 4,
    delivery_note: "This picture is large for a model; a smaller max_dimension or tiles cost less.",
  });
});

Deno.test("8 MiB are still inline, one byte more is a link that says why", () => {
  const most = deliver(picture(6 * MIB), "inline");
  assertEquals(most.blocks.map(({ type }) => type), ["image"]);
  assertEquals(most.notes.inline_bytes, 8 * MIB);
  for (const delivery of ["inline", "both"] as const) {
    const over = deliver(picture(6 * MIB + 1), delivery);
    assertEquals(over.blocks, [{
      type: "resource_link",
      uri: "cad://session/s1/snapshot/x.png",
      name: "x.png",
      mimeType: "image/png",
      size: 6 * MIB + 1,
    }]);
    assertEquals(over.notes, {
      inline_bytes: 0,
      delivery_note: "Inline it would take 8388612 bytes of base64, more than 8388608: delivered " +
        "as a link. Ask for a smaller max_dimension, or walk tiles.",
    });
  }
});
