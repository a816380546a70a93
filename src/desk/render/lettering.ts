/** Text laid out as strokes: one line for Text, broken lines for MText. */

import { applyMatrix, type Matrix6 } from "../../image/matrix.ts";
import type { Geometry, Point2 } from "../entity.ts";
import { glyphOf } from "./glyphs.ts";

/** The text kinds of {@link Geometry}. */
export type TextGeometry = Extract<Geometry, { kind: "Text" | "MText" }>;

/** A laid out text. */
export interface Lettering {
  /** Polylines in drawing units. */
  readonly strokes: readonly (readonly Point2[])[];
  /** The corners of its box, in drawing units. */
  readonly corners: readonly Point2[];
}

const CAP_HEIGHT = 9;
const GAP = 2;
/** Baseline to baseline, in heights. */
const LINE_SPACING = 5 / 3;

/** Lays a text out in drawing units. */
export function layOut(text: TextGeometry): Lettering {
  const { lines, frame, top, bottom, width } = measure(text);
  const strokes: Point2[][] = [];
  lines.forEach((line, index) => {
    let x = 0;
    const y = -index * LINE_SPACING * CAP_HEIGHT;
    for (const character of line) {
      const glyph = glyphOf(character);
      for (const stroke of glyph.strokes) {
        strokes.push(stroke.map(([px, py]) => applyMatrix(frame, x + px, y + py)));
      }
      x += glyph.width + GAP;
    }
  });
  return { strokes, corners: box(frame, width, top, bottom) };
}

/** The corners of a text's box, in drawing units. */
export function textCorners(text: TextGeometry): readonly Point2[] {
  const { frame, top, bottom, width } = measure(text);
  return box(frame, width, top, bottom);
}

function measure(text: TextGeometry): {
  readonly lines: readonly string[];
  /** From font units, with the first baseline on y = 0, to drawing units. */
  readonly frame: Matrix6;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
} {
  const scale = text.height / CAP_HEIGHT;
  // A letter and its mark may be written as two characters; a glyph is looked up by one.
  const value = text.value.normalize("NFC");
  const lines = text.kind === "Text"
    ? [plainText(value).replaceAll("\n", " ")]
    : plainMText(value).split("\n").flatMap((line) => wrap(line, text.width / scale));
  const cos = Math.cos(text.rotation) * scale, sin = Math.sin(text.rotation) * scale;
  // MText hangs from its top left corner, Text stands on its baseline.
  const drop = text.kind === "MText" ? -CAP_HEIGHT : 0;
  const frame: Matrix6 = [
    cos,
    -sin,
    sin,
    cos,
    text.position[0] - sin * drop,
    text.position[1] + cos * drop,
  ];
  let width = 0;
  for (const line of lines) width = Math.max(width, lineWidth(line));
  const bottom = -(lines.length - 1) * LINE_SPACING * CAP_HEIGHT;
  return { lines, frame, top: CAP_HEIGHT, bottom, width };
}

function box(frame: Matrix6, width: number, top: number, bottom: number): readonly Point2[] {
  return [
    applyMatrix(frame, 0, bottom),
    applyMatrix(frame, width, bottom),
    applyMatrix(frame, width, top),
    applyMatrix(frame, 0, top),
  ];
}

function lineWidth(line: string): number {
  let width = 0;
  for (const character of line) width += glyphOf(character).width + GAP;
  return Math.max(0, width - GAP);
}

/** Breaks a line at spaces so that no part is wider than `limit` font units, where that is possible. */
function wrap(line: string, limit: number): readonly string[] {
  if (!(limit > 0)) return [line];
  const lines: string[] = [];
  let current = "", used = 0;
  for (const word of line.split(" ")) {
    const needed = lineWidth(word);
    const joined = used + 2 * GAP + glyphOf(" ").width + needed;
    if (current !== "" && joined > limit) {
      lines.push(current);
      current = word;
      used = needed;
    } else {
      used = current === "" ? needed : joined;
      current = current === "" ? word : `${current} ${word}`;
    }
  }
  lines.push(current);
  return lines;
}

/** Text with its %% codes replaced. */
function plainText(value: string): string {
  return value.replace(/%%([dcp%])/gi, (_, code: string) => {
    switch (code.toLowerCase()) {
      case "d":
        return "°";
      case "c":
        return "⌀";
      case "p":
        return "±";
      default:
        return "%";
    }
  }).replace(/%%[uok]/gi, "");
}

/** MText without its formatting codes; `\P` ends a line. */
function plainMText(value: string): string {
  const plain = value
    .replace(/\\P/g, "\n")
    .replace(/\\[ACFHQTWacfhpqtw][^;\\{}]*;/g, "")
    .replace(/\\[LlOoKkNX]/g, "")
    .replace(/\\~/g, "\u00a0")
    .replace(/\\S([^;\\]*);/g, (_, fraction: string) => fraction.replace(/[#^]/g, "/"))
    .replace(/\\([\\{}])|[{}]/g, (_, kept: string | undefined) => kept ?? "");
  return plainText(plain);
}
