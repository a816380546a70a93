import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Geometry, PlanView } from "../../../src/desk/entity.ts";
import {
  pixelToWorld,
  renderScene,
  sceneExtents,
  worldToPixel,
} from "../../../src/desk/render/scene.ts";
import { applyMatrix } from "../../../src/image/matrix.ts";
import { entity, index, inkBox, layer, line, pixelAt, sceneOf, square } from "./drawing.ts";

/** One unit a pixel, the drawing's origin in the middle. */
const VIEW: PlanView = { center: [0, 0], unitsPerPixel: 1, width: 100, height: 80 };
const GROUND = [0x1e, 0x22, 0x27];
const RED = [255, 0, 0];

Deno.test("An empty scene is all ground and opaque", () => {
  const raster = renderScene(sceneOf([]), VIEW);
  assertEquals([raster.width, raster.height], [100, 80]);
  assertEquals(inkBox(raster), undefined);
  assert(raster.data.every((value, at) => at % 4 !== 3 || value === 255));
});

Deno.test("A filled square covers exactly its own pixels", () => {
  // x -10..10 and y 5..25 lie in columns 40..60 and rows 15..35.
  const raster = renderScene(sceneOf([entity(square(-10, 5, 20), { color: index(1) })]), VIEW);
  assertEquals(inkBox(raster), [40, 15, 60, 35]);
  assertEquals(pixelAt(raster, 40, 15), RED);
  assertEquals(pixelAt(raster, 59, 34), RED);
});

Deno.test("A square that covers half a pixel is half as strong there", () => {
  const raster = renderScene(sceneOf([entity(square(0.5, 0.5, 10))]), VIEW);
  const [edge = 0] = pixelAt(raster, 50, 35);
  assertAlmostEquals(edge, (0x1e + 255) / 2, 1.5);
});

Deno.test("A line is at least 1.3 pixels wide and fades to its sides", () => {
  const raster = renderScene(sceneOf([entity(line(-40, 0.5, 40, 0.5))]), VIEW);
  // y = 0.5 is the middle of row 39.
  assertEquals(pixelAt(raster, 50, 39), [255, 255, 255]);
  const [beside = 0] = pixelAt(raster, 50, 38);
  assert(beside > 0x1e && beside < 100, `${beside}`);
  assertEquals(pixelAt(raster, 50, 36), GROUND);
});

Deno.test("A heavier lineweight is wider: 2.11 mm is eight pixels", () => {
  const raster = renderScene(
    sceneOf([entity(line(-60, 0, 60, 0), { lineWeight: 211 })]),
    VIEW,
  );
  assertEquals(pixelAt(raster, 50, 37), [255, 255, 255]);
  assertEquals(pixelAt(raster, 50, 42), [255, 255, 255]);
  assertEquals(pixelAt(raster, 50, 34), GROUND);
});

Deno.test("A circle is where it is, at any zoom", () => {
  const circle: Geometry = { kind: "Circle", center: [0, 0, 0], radius: 30 };
  const raster = renderScene(sceneOf([entity(circle)]), VIEW);
  const [left = 0, top = 0, right = 0, bottom = 0] = inkBox(raster) ?? [];
  for (const [value, wanted] of [[left, 20], [top, 10], [right, 80], [bottom, 70]] as const) {
    assert(Math.abs(value - wanted) <= 2, `${value} for ${wanted}`);
  }
  assertEquals(pixelAt(raster, 50, 40), GROUND);
  // A billion times closer, the rim is a straight line through the middle of the picture.
  const near = { ...VIEW, center: [30, 0] as const, unitsPerPixel: 1e-9 };
  const rim = inkBox(renderScene(sceneOf([entity(circle)]), near)) ?? [];
  assert((rim[0] ?? 0) >= 47 && (rim[2] ?? 0) <= 53 && rim[1] === 0 && rim[3] === 80, `${rim}`);
});

Deno.test("An arc runs counter-clockwise from its start to its end", () => {
  const arc = (startAngle: number, endAngle: number): Geometry => ({
    kind: "Arc",
    center: [0, 0, 0],
    radius: 30,
    startAngle,
    endAngle,
  });
  const box = (geometry: Geometry) => inkBox(renderScene(sceneOf([entity(geometry)]), VIEW));
  const [left = 0, , , bottom = 0] = box(arc(0, Math.PI / 2)) ?? [];
  assert(left >= 48 && bottom <= 42, "the quarter right and up");
  const [wholeLeft = 0] = box(arc(Math.PI / 2, 0)) ?? [];
  assert(wholeLeft <= 22, "the other three quarters");
  const mirrored = sceneOf([
    entity({ kind: "Insert", block: "B", position: [0, 0, 0], scale: [-1, 1, 1], rotation: 0 }),
  ], { blocks: [{ name: "B", base: [0, 0, 0], entities: [entity(arc(0, Math.PI / 2))] }] });
  const [, , right = 0, low = 0] = inkBox(renderScene(mirrored, VIEW)) ?? [];
  assert(right <= 52 && low <= 42, "mirrored it is left and up");
});

Deno.test("A wide polyline has its width and flat ends", () => {
  const wide: Geometry = {
    kind: "LwPolyline",
    vertices: [[-20, 0], [20, 0]],
    closed: false,
    constantWidth: 10,
  };
  assertEquals(inkBox(renderScene(sceneOf([entity(wide)]), VIEW)), [30, 35, 70, 45]);
});

Deno.test("The corners of a wide polyline are sharp, unless they are too acute", () => {
  const wide = (...vertices: (readonly [number, number])[]): Geometry => ({
    kind: "LwPolyline",
    vertices,
    closed: true,
    constantWidth: 10,
  });
  const outline = renderScene(
    sceneOf([entity(wide([-20, -20], [20, -20], [20, 20], [-20, 20]))]),
    VIEW,
  );
  assertEquals(inkBox(outline), [25, 15, 75, 65]);
  for (const [x, y] of [[25, 15], [74, 15], [74, 64], [25, 64]] as const) {
    assertEquals(pixelAt(outline, x, y), [255, 255, 255], `corner ${x}, ${y}`);
  }
  const needle = renderScene(sceneOf([entity(wide([-30, 0], [30, 2], [30, -2]))]), VIEW);
  assertEquals(inkBox(needle)?.[0], 15);
});

Deno.test("A solid's corners are taken crosswise, as drawing files store them", () => {
  const solid: Geometry = {
    kind: "Solid",
    corners: [[-10, -10, 0], [10, -10, 0], [-10, 10, 0], [10, 10, 0]],
  };
  const raster = renderScene(sceneOf([entity(solid)]), VIEW);
  for (const [x, y] of [[41, 40], [58, 40], [50, 31], [50, 48]] as const) {
    assertEquals(pixelAt(raster, x, y), [255, 255, 255]);
  }
});

Deno.test("A hatch's lines keep within its boundary and thin out with its scale", () => {
  const ink = (patternScale: number) => {
    const hatch = {
      ...square(-30, -30, 60),
      solid: false,
      pattern: "ANSI31",
      patternScale,
    } as const;
    const raster = renderScene(sceneOf([entity(hatch)]), VIEW);
    const [left = 0, top = 0, right = 0, bottom = 0] = inkBox(raster) ?? [];
    assert(left >= 19 && top >= 9 && right <= 81 && bottom <= 71);
    let count = 0;
    for (let y = 0; y < 80; y++) {
      for (let x = 0; x < 100; x++) if ((pixelAt(raster, x, y)[0] ?? 0) > 100) count++;
    }
    return count;
  };
  const [narrow, broad] = [ink(2), ink(4)];
  assert(narrow > 1.5 * broad && broad > 0, `${narrow} and ${broad}`);
});

Deno.test("A colour by layer and by block is that of the layer and of the insert", () => {
  const blocks = [{
    name: "B",
    base: [5, 5, 0] as const,
    entities: [
      entity(square(5, 5, 5), { color: { kind: "by_block" } }),
      entity(square(15, 5, 5), { color: { kind: "by_layer" } }),
      entity(square(25, 5, 5), { color: { kind: "by_layer" }, layer: "Green" }),
    ],
  }];
  const insert: Geometry = {
    kind: "Insert",
    block: "B",
    position: [0, 0, 0],
    scale: [1, 1, 1],
    rotation: 0,
  };
  const raster = renderScene(
    sceneOf([entity(insert, { color: index(1), layer: "Blue" })], {
      layers: [layer("Blue", { color: index(5) }), layer("Green", { color: index(3) })],
      blocks,
    }),
    VIEW,
  );
  assertEquals(pixelAt(raster, 52, 37), RED);
  assertEquals(pixelAt(raster, 62, 37), [0, 0, 255]);
  assertEquals(pixelAt(raster, 72, 37), [0, 255, 0]);
});

Deno.test("What is invisible, or on a layer off or frozen, is not drawn and does not count", () => {
  const scene = sceneOf([
    entity(square(0, 0, 5), { layer: "Off" }),
    entity(square(10, 0, 5), { layer: "Frozen" }),
    entity(square(20, 0, 5), { invisible: true }),
  ], { layers: [layer("Off", { off: true }), layer("Frozen", { frozen: true })] });
  assertEquals(inkBox(renderScene(scene, VIEW)), undefined);
  assertEquals(sceneExtents(scene), undefined);
});

Deno.test("A selected entity glows around its own colour", () => {
  const drawn = entity(line(-40, 0.5, 40, 0.5), { handle: "2F" });
  const plain = renderScene(sceneOf([drawn]), VIEW);
  const selected = renderScene(sceneOf([drawn], { selection: ["2F"] }), VIEW);
  assertEquals(pixelAt(selected, 50, 39), pixelAt(plain, 50, 39));
  assertEquals(pixelAt(plain, 50, 36), GROUND);
  const [red = 0, , blue = 0] = pixelAt(selected, 50, 36);
  assert(blue > red + 60);
});

Deno.test("Transparency lets the ground through", () => {
  const raster = renderScene(
    sceneOf([entity(square(-10, -10, 20), { color: index(1), transparency: 128 })]),
    VIEW,
  );
  const [red = 0] = pixelAt(raster, 50, 40);
  assertAlmostEquals(red, 0x1e + (255 - 0x1e) * (127 / 255), 1.5);
});

Deno.test("Pixels and drawing units convert as the protocol's example says", () => {
  const view = { center: [40, 30], unitsPerPixel: 0.1, width: 800, height: 600 } as const;
  assertEquals(pixelToWorld(view), [0.1, 0, 0, -0.1, 0, 60]);
  assertEquals(worldToPixel(view), [10, 0, 0, -10, 0, 600]);
  fc.assert(fc.property(fc.nat(2000), fc.nat(2000), (x, y) => {
    const [backX, backY] = applyMatrix(
      worldToPixel(view),
      ...applyMatrix(pixelToWorld(view), x, y),
    );
    assertAlmostEquals(backX, x, 1e-6);
    assertAlmostEquals(backY, y, 1e-6);
  }));
});

Deno.test("Blocks that hold themselves, and blocks that multiply, come to an end", () => {
  const insert = (block: string, x: number): Geometry => ({
    kind: "Insert",
    block,
    position: [x, 0, 0],
    scale: [0.9, 0.9, 1],
    rotation: 0.1,
  });
  const circular = [
    { name: "A", base: [0, 0, 0] as const, entities: [entity(insert("B", 1))] },
    {
      name: "B",
      base: [0, 0, 0] as const,
      entities: [entity(insert("A", 1)), entity(square(0, 0, 3))],
    },
  ];
  const looped = sceneOf([entity(insert("A", 0))], { blocks: circular });
  assert(inkBox(renderScene(looped, VIEW)) !== undefined);
  assert(sceneExtents(looped) !== undefined);
  // Ten levels of ten: ten thousand million lines if all were drawn.
  const levels = Array.from({ length: 10 }, (_, level) => ({
    name: `L${level}`,
    base: [0, 0, 0] as const,
    entities: Array.from(
      { length: 10 },
      (_, at) => entity(level === 9 ? line(0, 0, 1, 0) : insert(`L${level + 1}`, at / 10)),
    ),
  }));
  const tiny = { ...VIEW, width: 20, height: 20 };
  const multiplied = sceneOf([entity(insert("L0", 0))], { blocks: levels });
  assert(inkBox(renderScene(multiplied, tiny)) !== undefined);
  const chain = Array.from({ length: 5000 }, (_, at) => ({
    name: `C${at}`,
    base: [0, 0, 0] as const,
    entities: [entity(insert(`C${at + 1}`, 0))],
  }));
  const deep = sceneOf([entity(insert("C0", 0))], { blocks: chain });
  assertEquals(inkBox(renderScene(deep, VIEW)), undefined);
});

Deno.test("An arc of equal angles, or all but equal, is a whole circle to the eye and the extents", () => {
  for (const startAngle of [0, 1, -4.440892098500627e-16]) {
    const endAngle = startAngle === 1 ? 1 : 0;
    const arc = { kind: "Arc", center: [0, 0, 0], radius: 20, startAngle, endAngle } as const;
    const scene = sceneOf([entity(arc)]);
    const { min, max } = sceneExtents(scene) ?? { min: [0, 0], max: [0, 0] };
    for (
      const [value, wanted] of [[min[0], -20], [min[1], -20], [max[0], 20], [max[1], 20]] as const
    ) {
      assertAlmostEquals(value, wanted, 1e-9);
    }
    assert((inkBox(renderScene(scene, VIEW))?.[0] ?? 100) <= 31);
  }
});

Deno.test("A hatch whose pattern begins at the other end of the universe comes to an end", () => {
  for (const far of [1e15, 1e17, 1e30, 1e300]) {
    const hatch = { ...square(far, far, far), solid: false, pattern: "ANSI31" };
    for (const center of [[far, far], [1.5 * far, 1.5 * far], [0, 0]] as const) {
      const raster = renderScene(sceneOf([entity(hatch)]), { ...VIEW, center });
      assertEquals([raster.width, raster.height], [100, 80]);
    }
  }
});

const anything = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -100, max: 100, noNaN: true }),
);
const point3 = fc.tuple(anything, anything, fc.constant(0));
const point2 = fc.tuple(anything, anything);
const turn = fc.double({ min: -10, max: 10, noNaN: true });
const anyGeometry: fc.Arbitrary<Geometry> = fc.oneof(
  fc.record({
    kind: fc.constant("Line" as const),
    start: point3,
    end: point3,
    thickness: fc.constant(0),
  }),
  fc.record({ kind: fc.constant("Circle" as const), center: point3, radius: anything }),
  fc.record({
    kind: fc.constant("Arc" as const),
    center: point3,
    radius: anything,
    startAngle: turn,
    endAngle: turn,
  }),
  fc.record({
    kind: fc.constant("LwPolyline" as const),
    vertices: fc.array(point2, { maxLength: 6 }),
    closed: fc.boolean(),
    constantWidth: anything,
  }),
  fc.record({
    kind: fc.constantFrom("Text" as const, "MText" as const),
    value: fc.string({ maxLength: 12 }),
    position: point3,
    height: anything,
    width: anything,
    rotation: turn,
    style: fc.constant("Standard"),
  }),
  fc.record({
    kind: fc.constant("Insert" as const),
    block: fc.constant("B"),
    position: point3,
    scale: fc.tuple(anything, anything, anything),
    rotation: turn,
  }),
  fc.record({ kind: fc.constant("Solid" as const), corners: fc.array(point3, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant("Point" as const), location: point3 }),
  fc.record({
    kind: fc.constant("Hatch" as const),
    boundary: fc.array(point2, { maxLength: 6 }),
    solid: fc.boolean(),
    pattern: fc.constantFrom("ANSI31", "ANSI37", "OTHER"),
    patternScale: anything,
    patternAngle: turn,
  }),
);

Deno.test("Any finite scene is drawn in any view, opaque and twice the same", () => {
  const circle: Geometry = { kind: "Circle", center: [0, 0, 0], radius: 1 };
  const blocks = [{ name: "B", base: [0, 0, 0] as const, entities: [entity(circle)] }];
  fc.assert(
    fc.property(
      fc.array(anyGeometry, { maxLength: 5 }),
      point2,
      fc.double({ min: 1e-12, max: 1e12, noNaN: true }),
      (geometries, center, unitsPerPixel) => {
        const scene = sceneOf(geometries.map((geometry) => entity(geometry)), { blocks });
        const view = { center, unitsPerPixel, width: 40, height: 30 };
        const raster = renderScene(scene, view);
        assert(raster.data.every((value, at) => at % 4 !== 3 || value === 255));
        assertEquals(renderScene(scene, view), raster);
        const extents = sceneExtents(scene);
        if (extents !== undefined) {
          assert([...extents.min, ...extents.max].every(Number.isFinite));
          assert(extents.min[0] <= extents.max[0] && extents.min[1] <= extents.max[1]);
        }
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("Everything drawn lies within the scene's extents", () => {
  const near = fc.double({ min: -30, max: 30, noNaN: true });
  const geometry = fc.oneof(
    fc.tuple(near, near, near, near).map(([a, b, c, d]) => line(a, b, c, d)),
    fc.record({
      kind: fc.constant("Arc" as const),
      center: fc.tuple(near, near, fc.constant(0)),
      radius: fc.double({ min: 1, max: 20, noNaN: true }),
      startAngle: turn,
      endAngle: turn,
    }),
    fc.record({
      kind: fc.constant("Insert" as const),
      block: fc.constant("B"),
      position: fc.tuple(near, near, fc.constant(0)),
      scale: fc.tuple(fc.constantFrom(1, -1, 2), fc.constantFrom(1, -1, 0.5), fc.constant(1)),
      rotation: turn,
    }),
  );
  const blocks = [{ name: "B", base: [1, 2, 0] as const, entities: [entity(square(0, 0, 6))] }];
  const view = { center: [0, 0], unitsPerPixel: 0.5, width: 240, height: 240 } as const;
  fc.assert(
    fc.property(fc.array(geometry, { minLength: 1, maxLength: 4 }), (geometries) => {
      const scene = sceneOf(geometries.map((each) => entity(each)), { blocks });
      const extents = sceneExtents(scene);
      const ink = inkBox(renderScene(scene, view));
      if (extents === undefined || ink === undefined) {
        assertEquals(ink, undefined);
        return;
      }
      const toPixel = worldToPixel(view);
      const [left, bottom] = applyMatrix(toPixel, ...extents.min);
      const [right, top] = applyMatrix(toPixel, ...extents.max);
      // A line is 1.3 pixels wide and fades over one more.
      assert((ink[0] ?? 0) >= left - 2 && (ink[2] ?? 0) <= right + 2);
      assert((ink[1] ?? 0) >= top - 2 && (ink[3] ?? 0) <= bottom + 2);
    }),
    { numRuns: 60 },
  );
});
