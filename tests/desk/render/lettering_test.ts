import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { glyphOf } from "../../../src/desk/render/glyphs.ts";
import { layOut, textCorners, type TextGeometry } from "../../../src/desk/render/lettering.ts";

function text(value: string, more: Partial<TextGeometry> = {}): TextGeometry {
  return {
    kind: "Text",
    value,
    position: [0, 0, 0],
    height: 9,
    width: 0,
    rotation: 0,
    style: "Standard",
    ...more,
  };
}

/** How many lines a text has, from the height of its box. */
function lineCount(laid: TextGeometry): number {
  const ys = textCorners(laid).map(([, y]) => y);
  return (Math.max(...ys) - Math.min(...ys) - 9) / 15 + 1;
}

Deno.test("Every letter, digit and printable sign has a glyph of its own", () => {
  const unknown = glyphOf("\u{1f600}");
  const signs = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
  const seen = new Map<string, string>();
  for (const sign of [...signs, ..."°±×äöüÄÖÜßéèêçñåØ"]) {
    const glyph = glyphOf(sign);
    assertNotEquals(glyph, unknown, `${sign} has no glyph`);
    const look = JSON.stringify(glyph);
    assertEquals(seen.get(look), undefined, `${sign} looks like another`);
    seen.set(look, sign);
  }
  assertEquals(unknown.strokes.length, 1);
});

Deno.test("Capitals stand on the baseline and are as high as the text", () => {
  const ys = layOut(text("HEX")).strokes.flat().map(([, y]) => y);
  assertEquals([Math.min(...ys), Math.max(...ys)], [0, 9]);
});

Deno.test("MText hangs from its top left corner", () => {
  const ys = layOut(text("HEX", { kind: "MText", position: [0, 100, 0] })).strokes.flat()
    .map(([, y]) => y);
  assertEquals([Math.min(...ys), Math.max(...ys)], [91, 100]);
});

Deno.test("A turned text runs in its direction", () => {
  for (const [, y] of layOut(text("HH", { rotation: Math.PI / 2 })).strokes.flat()) {
    assert(y >= -1e-9);
  }
  const xs = layOut(text("HH", { rotation: Math.PI / 2 })).strokes.flat().map(([x]) => x);
  assertAlmostEquals(Math.min(...xs), -9, 1e-9);
});

Deno.test("MText breaks at its codes and at its width, but not within a word", () => {
  assertEquals(lineCount(text("A\\PB\nC", { kind: "MText" })), 3);
  assertEquals(lineCount(text("AAA BBB CCC", { kind: "MText", width: 30 })), 3);
  assertEquals(lineCount(text("AAA BBB CCC", { kind: "MText", width: 1000 })), 1);
  assertEquals(lineCount(text("ABCDEFGHIJKL", { kind: "MText", width: 10 })), 1);
  assertEquals(lineCount(text("AAA BBB CCC", { width: 10 })), 1);
});

Deno.test("Formatting codes are not shown and percent codes are replaced", () => {
  const same = (a: TextGeometry, b: TextGeometry) =>
    assertEquals(layOut(a).strokes, layOut(b).strokes);
  const mtext = (value: string) => text(value, { kind: "MText" });
  same(mtext("{\\H2.5x;\\C1;AB} \\LC\\l"), mtext("AB C"));
  same(mtext("\\S1/2;"), mtext("1/2"));
  same(mtext("a\\\\b\\{c\\}"), hanging("a\\b{c}"));
  same(text("45%%d %%C5 %%p1"), text("45° ⌀5 ±1"));
});

/** The strokes of a plain text where MText of the same words begins. */
function hanging(value: string): TextGeometry {
  return text(value, { position: [0, -9, 0] });
}

Deno.test("A letter and its mark are one glyph, however they are written", () => {
  assertEquals(layOut(text("u\u0308")).strokes, layOut(text("\u00fc")).strokes);
  for (const [x] of layOut(text("\u00ef")).strokes.flat()) assert(x >= 0 && x <= 2);
});

Deno.test("A text's box holds its strokes, save what hangs below the baseline", () => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(..."iÏïÄçjQg漢 ("), maxLength: 20 }),
  );
  fc.assert(fc.property(word, fc.boolean(), (value, multi) => {
    const laid = text(value, { kind: multi ? "MText" : "Text", width: 40 });
    const corners = textCorners(laid);
    const xs = corners.map(([x]) => x), ys = corners.map(([, y]) => y);
    for (const [x, y] of layOut(laid).strokes.flat()) {
      assert(x >= Math.min(...xs) - 1e-9 && x <= Math.max(...xs) + 1e-9);
      assert(y >= Math.min(...ys) - 4 && y <= Math.max(...ys) + 4);
    }
  }));
});
