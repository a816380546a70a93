/** The desk's own stroke font. */

/** A glyph in font units: cap height 9, small letters 6, descenders down to -3, baseline 0. */
export interface Glyph {
  /** Font units, without the gap to the next glyph. */
  readonly width: number;
  readonly strokes: readonly (readonly (readonly [x: number, y: number])[])[];
}

/**
 * Strokes are parted by `|`; a point is a digit for x and a letter for y, `a` = -3, `d` = the
 * baseline, `j` = small letters' top, `m` = capitals' top. `~` rounds a stroke's corners, `@` also
 * closes it.
 */
const SHAPES: Readonly<Record<string, string>> = {
  A: "0d3m6d|1g5g",
  B: "0d0m|~0m5m5i0i|~0i6i6d0d",
  C: "~6k6m0m0d6d6f",
  D: "0d0m|~0m2m6m6d2d0d",
  E: "5m0m0d5d|0i4i",
  F: "5m0m0d|0i4i",
  G: "~6k6m0m0d6d6h|4h6h",
  H: "0d0m|6d6m|0i6i",
  I: "0d2d|0m2m|1d1m",
  J: "~4m4d0d0g",
  K: "0d0m|6m0g|2i6d",
  L: "0m0d5d",
  M: "0d0m3g6m6d",
  N: "0d0m6d6m",
  O: "@0d6d6m0m",
  P: "0d0m|~0m6m6h0h",
  Q: "@0d6d6m0m|4f6c",
  R: "0d0m|~0m6m6h0h|3h6d",
  S: "~6k6m0m0i6i6d0d0f",
  T: "0m6m|3m3d",
  U: "~0m0d6d6m",
  V: "0m3d6m",
  W: "0m2d4k6d8m",
  X: "0d6m|0m6d",
  Y: "0m3i6m|3i3d",
  Z: "0m6m0d6d",
  a: "@0d4d4j0j|4d4j",
  b: "0m0d|@0d4d4j0j",
  c: "~4i4j0j0d4d4e",
  d: "4m4d|@0d4d4j0j",
  e: "0g4g|~4g4j0j0d4d4e",
  f: "~3m1m1j1d|0j3j",
  g: "@0d4d4j0j|~4j4a0a0b",
  h: "0m0d|~0h0j4j4h4d",
  i: "0d0j|0l0m",
  j: "~2j2a0a|2l2m",
  k: "0m0d|4j0f|1g4d",
  l: "0m0d",
  m: "0d0j|~0h0j3j3h3d|~3h3j6j6h6d",
  n: "0d0j|~0h0j4j4h4d",
  o: "@0d4d4j0j",
  p: "0j0a|@0d4d4j0j",
  q: "4j4a|@0d4d4j0j",
  r: "0d0j|~0g0j3j",
  s: "~4i4j0j0g4g4d0d0e",
  t: "~1m1d3d|0j3j",
  u: "~0j0d4d4g|4j4d",
  v: "0j2d4j",
  w: "0j1d3i5d6j",
  x: "0d4j|0j4d",
  y: "0j2d|4j1a",
  z: "0j4j0d4d",
  "0": "@0d5d5m0m",
  "1": "0k2m2d|0d4d",
  "2": "~0k0m5m5i0d|0d5d",
  "3": "~0l0m5m5i2i|~2i5i5d0d0e",
  "4": "4d4m0g5g",
  "5": "5m0m0i|~0i5i5d0d0e",
  "6": "~4m1m0j0d5d5i0i0g",
  "7": "0m5m1d",
  "8": "@0d5d5i0i|@0i5i5m0m",
  "9": "~1d4d5g5m0m0h5h5j",
  ".": "0d0e",
  ",": "1e0b",
  ":": "0d0e|0i0j",
  ";": "1e0b|1i1j",
  "!": "0g0m|0d0e",
  "?": "~0k0m4m4j2i2g|2d2e",
  "'": "0k0m",
  '"': "0k0m|2k2m",
  "-": "0h4h",
  "_": "0c5c",
  "+": "0h4h|2f2j",
  "*": "0f4j|0j4f|2e2k",
  "/": "0d4m",
  "\\": "0m4d",
  "=": "0g4g|0i4i",
  "<": "4k0h4e",
  ">": "0k4h0e",
  "(": "~2n0l0e2c",
  ")": "~0n2l2e0c",
  "[": "2n0n0c2c",
  "]": "0n2n2c0c",
  "{": "~3n1n1i0h|~0h1h1c3c",
  "}": "~0n2n2i3h|~3h2h2c0c",
  "|": "0c0n",
  "#": "1d2m|4d5m|0g6g|0j6j",
  "$": "~6k6l0l0i6i6e0e0f|3c3n",
  "%": "0d6m|@0k2k2m0m|@4d6d6f4f",
  "&": "~6d1k1m4m4k0h0d4d6h",
  "@": "@2f4f4i2i|~4i4f6f6l0l0d5d",
  "^": "0j2m4j",
  "`": "0m1k",
  "~": "~0h0i2i2g4g4h",
  "°": "@0k2k2m0m",
  "²": "~0l0m2m2k0i|0i2i",
  "³": "~0m2m2k1k|~1k2k2i0i",
  "±": "0i4i|2g2k|0e4e",
  "×": "0e4i|0i4e",
  "÷": "0h4h|2e2f|2j2k",
  "·": "0h0i",
  "Ø": "@0d6d6m0m|0c6n",
  "ø": "@0d4d4j0j|0c4k",
  "⌀": "@0d6d6m0m|0c6n",
  "∅": "@0d6d6m0m|0c6n",
  "µ": "0j0a|~0j0d4d4g|4j4d",
  "Δ": "0d3m6d0d",
  "Ω": "~0d2d2g0i0m6m6i4g4d6d",
  "ß": "~0d0m4m4i2i|~2i5i5d2d",
  "Æ": "0d4m8m|4m4d8d|2h7h",
  "–": "0h5h",
  "—": "0h8h",
  "€": "~6k6m1m1d6d6f|0h4h|0j4j",
  "§": "~4l4m0m0j4j4h|~0j0h4h4e0e0f",
  "•": "@0g2g2i0i",
  "←": "6h0h|2j0h2f",
  "→": "0h6h|4j6h4f",
  "↑": "2d2m|0k2m4k",
  "↓": "2m2d|0f2d4f",
};

/** Marks above or below a letter, centred on x = 0 and drawn for small letters. */
const MARKS: Readonly<Record<string, readonly (readonly [number, number])[][]>> = {
  "\u0308": [[[-1, 7.5], [-1, 8.5]], [[1, 7.5], [1, 8.5]]],
  "\u0301": [[[-0.5, 7.5], [1, 9]]],
  "\u0300": [[[0.5, 7.5], [-1, 9]]],
  "\u0302": [[[-1.5, 7.5], [0, 9], [1.5, 7.5]]],
  "\u030c": [[[-1.5, 9], [0, 7.5], [1.5, 9]]],
  "\u0303": [[[-1.5, 7.5], [-0.5, 8.5], [0.5, 7.7], [1.5, 8.7]]],
  "\u030a": [[[0, 7.2], [0.9, 8.1], [0, 9], [-0.9, 8.1], [0, 7.2]]],
  "\u0327": [[[0, 0], [0.6, -1.2], [-0.6, -2]]],
};

/** What a character without a glyph looks like. */
const UNKNOWN: Glyph = { width: 5, strokes: [[[0, 0], [5, 0], [5, 9], [0, 9], [0, 0]]] };
const SPACE: Glyph = { width: 3, strokes: [] };
const known = new Map<string, Glyph>([[" ", SPACE], ["\u00a0", SPACE], ["\t", SPACE]]);

/** The glyph of a character; letters with marks are put together, unknown ones are a box. */
export function glyphOf(character: string): Glyph {
  const cached = known.get(character);
  if (cached !== undefined) return cached;
  const made = makeGlyph(character) ?? UNKNOWN;
  // Text is open input: keep no more than a font's worth.
  if (known.size < 1000) known.set(character, made);
  return made;
}

function makeGlyph(character: string): Glyph | undefined {
  const shape = SHAPES[character];
  if (shape !== undefined) return parseShape(shape);
  const [letter, ...marks] = character.normalize("NFD");
  const base = letter === undefined ? undefined : SHAPES[letter];
  if (base === undefined || marks.length === 0) return undefined;
  const glyph = parseShape(letter === "i" ? "0d0j" : base);
  const lift = Math.max(...glyph.strokes.flat().map(([, y]) => y)) > 6.5 ? 3 : 0;
  const added = marks.flatMap((mark) =>
    (MARKS[mark] ?? []).map((stroke) =>
      stroke.map(([x, y]) => [x + glyph.width / 2, y > 0 ? y + lift : y] as const)
    )
  );
  if (added.length === 0) return undefined;
  // A mark may be wider than its letter, as over an i: the glyph is as wide as both.
  const strokes = [...glyph.strokes, ...added];
  const xs = strokes.flat().map(([x]) => x);
  const left = Math.min(0, ...xs);
  return {
    width: Math.max(glyph.width, ...xs) - left,
    strokes: strokes.map((stroke) => stroke.map(([x, y]) => [x - left, y] as const)),
  };
}

function parseShape(shape: string): Glyph {
  const strokes = shape.split("|").map((stroke) => {
    const points = [...stroke.matchAll(/(\d)([a-z])/g)].map((match) =>
      [Number(match[1]), (match[2] ?? "d").charCodeAt(0) - 100] as const
    );
    const closed = stroke.startsWith("@");
    if (!closed && !stroke.startsWith("~")) return points;
    return rounded(rounded(points, closed), closed);
  });
  const width = Math.max(0, ...[...shape.matchAll(/\d/g)].map((match) => Number(match[0])));
  return { width, strokes };
}

/** Cuts every corner a quarter of the way along its sides; open runs keep their ends. */
function rounded(
  points: readonly (readonly [number, number])[],
  closed: boolean,
): readonly (readonly [number, number])[] {
  const cut: (readonly [number, number])[] = [];
  // A run that has been closed already ends where it began.
  const ring = closed && samePoint(points[0], points[points.length - 1])
    ? points.slice(0, -1)
    : points;
  const count = ring.length;
  for (let index = 0; index < (closed ? count : count - 1); index++) {
    const [x0, y0] = ring[index] ?? [0, 0];
    const [x1, y1] = ring[(index + 1) % count] ?? [0, 0];
    if (!closed && index === 0) cut.push([x0, y0]);
    else cut.push([0.75 * x0 + 0.25 * x1, 0.75 * y0 + 0.25 * y1]);
    if (!closed && index === count - 2) cut.push([x1, y1]);
    else cut.push([0.25 * x0 + 0.75 * x1, 0.25 * y0 + 0.75 * y1]);
  }
  const first = cut[0];
  if (closed && first !== undefined) cut.push(first);
  return cut;
}

function samePoint(
  a: readonly [number, number] | undefined,
  b: readonly [number, number] | undefined,
): boolean {
  return a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1];
}
