/** Curves, bounds, crossings and transformations against values worked out by hand. */

import { assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { crossings, touchesBox } from "../../src/desk/crossing.ts";
import { areaOf, contains, type Curve, curveOf, lengthOf, nearest } from "../../src/desk/curve.ts";
import { boundsOf } from "../../src/desk/bounds.ts";
import type { Geometry, Point2, Point3 } from "../../src/desk/entity.ts";
import { mirroring, scaling, transformed, turning } from "../../src/desk/similarity.ts";

const line = (start: Point3, end: Point3): Geometry => ({ kind: "Line", start, end, thickness: 0 });
const circle = (center: Point3, radius: number): Geometry => ({ kind: "Circle", center, radius });
const arc = (center: Point3, radius: number, from: number, to: number): Geometry => ({
  kind: "Arc",
  center,
  radius,
  startAngle: from * Math.PI / 180,
  endAngle: to * Math.PI / 180,
});
const path = (vertices: readonly Point2[], closed: boolean): Geometry => ({
  kind: "LwPolyline",
  vertices,
  closed,
  constantWidth: 0,
});
const L_SHAPE: readonly Point2[] = [[0, 0], [4, 0], [4, 2], [2, 2], [2, 5], [0, 5]];

function curve(geometry: Geometry): Curve {
  const found = curveOf(geometry);
  if (found === undefined) throw new Error(`${geometry.kind} is no curve.`);
  return found;
}

/** Compares numbers anywhere inside, up to rounding. */
function assertClose(actual: unknown, expected: unknown, what = "value"): void {
  if (typeof expected === "number" && typeof actual === "number") {
    assertAlmostEquals(actual, expected, 1e-9, what);
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    assertEquals(actual.length, expected.length, what);
    expected.forEach((item, index) => assertClose(actual[index], item, `${what}[${index}]`));
  } else if (
    typeof expected === "object" && expected !== null && typeof actual === "object" &&
    actual !== null
  ) {
    assertEquals(Object.keys(actual).sort(), Object.keys(expected).sort(), what);
    const values = new Map(Object.entries(actual));
    for (const [key, item] of Object.entries(expected)) {
      assertClose(values.get(key), item, `${what}.${key}`);
    }
  } else assertEquals(actual, expected, what);
}

Deno.test("lengths and areas of curves", () => {
  const measured = (geometry: Geometry) => [lengthOf(curve(geometry)), areaOf(curve(geometry))];
  assertClose(measured(line([0, 0, 0], [3, 4, 0])), [5, null]);
  assertClose(measured(circle([9, 9, 0], 2)), [4 * Math.PI, 4 * Math.PI]);
  assertClose(measured(arc([0, 0, 0], 2, 90, 180)), [Math.PI, null]);
  assertClose(measured(arc([0, 0, 0], 1, 270, 90)), [Math.PI, null]);
  assertClose(measured(arc([0, 0, 0], 2, 30, 30)), [4 * Math.PI, null]);
  assertClose(measured(path(L_SHAPE, true)), [18, 14]);
  assertClose(measured(path(L_SHAPE.toReversed(), true)), [18, 14]);
  assertClose(measured(path(L_SHAPE, false)), [13, null]);
});

Deno.test("the nearest point of a curve, its distance and its parameter", () => {
  assertClose(nearest(curve(line([0, 0, 0], [10, 0, 0])), [4, 3]), {
    distance: 3,
    point: [4, 0],
    parameter: 0.4,
  });
  assertClose(nearest(curve(line([0, 0, 0], [10, 0, 0])), [-3, 4]), {
    distance: 5,
    point: [0, 0],
    parameter: 0,
  });
  assertClose(nearest(curve(circle([1, 1, 0], 2)), [1, 6]), {
    distance: 3,
    point: [1, 3],
    parameter: Math.PI / 2,
  });
  assertClose(nearest(curve(arc([0, 0, 0], 1, 0, 90)), [0, -1]), {
    distance: Math.SQRT2,
    point: [1, 0],
    parameter: 0,
  });
  assertClose(nearest(curve(path(L_SHAPE, true)), [5, 1]), {
    distance: 1,
    point: [4, 1],
    parameter: 1.5,
  });
});

Deno.test("a direction a hair before a full turn is 0", () => {
  assertClose(nearest(curve(circle([0, 0, 0], 2)), [5, -1e-14])?.parameter, 0);
  const turned = transformed(arc([0, 0, 0], 1, 0, 90), turning([0, 0, 0], -1e-16));
  assertEquals(turned.kind === "Arc" && turned.startAngle, 0);
});

Deno.test("closed curves hold what lies in them and on their edge", () => {
  const shape = curve(path(L_SHAPE, true));
  const points: readonly (readonly [Point2, boolean])[] = [
    [[1, 1], true],
    [[3, 3], false],
    [[2, 3], true],
    [[4, 2], true],
    [[-1, 2], false],
  ];
  for (const [point, holds] of points) assertEquals(contains(shape, point), holds, String(point));
  assertEquals(contains(curve(circle([0, 0, 0], 5)), [3, 3]), true);
  assertEquals(contains(curve(circle([0, 0, 0], 5)), [4, 4]), false);
  assertEquals(contains(curve(path(L_SHAPE, false)), [1, 1]), false, "an open curve holds nothing");
});

Deno.test("where curves cross, with the parameter on each", () => {
  const cross = (one: Geometry, other: Geometry) => crossings(curve(one), curve(other));
  assertClose(cross(line([0, 0, 0], [10, 0, 0]), line([4, -1, 0], [4, 3, 0])), [
    { point: [4, 0], first: 0.4, second: 0.25 },
  ]);
  assertEquals(cross(line([0, 0, 0], [10, 0, 0]), line([4, 1, 0], [4, 3, 0])), []);
  assertClose(cross(line([-5, 0, 0], [5, 0, 0]), circle([0, 0, 0], 2)), [
    { point: [-2, 0], first: 0.3, second: Math.PI },
    { point: [2, 0], first: 0.7, second: 0 },
  ]);
  assertClose(cross(line([-5, 2, 0], [5, 2, 0]), circle([0, 0, 0], 2)), [
    { point: [0, 2], first: 0.5, second: Math.PI / 2 },
  ]);
  const touching = cross(line([0, 0.1 + 0.2, 0], [1, 0.1 + 0.2, 0]), circle([0, 0, 0], 0.3));
  assertClose(touching.map(({ point }) => point), [[0, 0.3]], "up to rounding");
  assertClose(cross(circle([0, 0, 0], 5), circle([6, 0, 0], 5)).map(({ point }) => point), [
    [3, 4],
    [3, -4],
  ]);
  assertClose(cross(arc([0, 0, 0], 5, 0, 90), circle([6, 0, 0], 5)).map(({ point }) => point), [
    [3, 4],
  ]);
  assertClose(cross(line([0, 0, 0], [5, 0, 0]), line([5, 0, 0], [9, 0, 0])), [
    { point: [5, 0], first: 1, second: 0 },
  ]);
  assertEquals(cross(path(L_SHAPE, true), line([3, -1, 0], [3, 6, 0])).length, 2);
});

Deno.test("a crossing window takes what it touches and nothing that only surrounds it", () => {
  const touches = (geometry: Geometry, min: Point2, max: Point2) =>
    touchesBox(curve(geometry), min, max);
  assertEquals(touches(line([0, 0, 0], [10, 10, 0]), [6, 1], [9, 4]), false, "beside the diagonal");
  assertEquals(touches(line([0, 0, 0], [10, 10, 0]), [4, 1], [9, 4.5]), true);
  assertEquals(touches(circle([0, 0, 0], 10), [-1, -1], [1, 1]), false);
  assertEquals(touches(circle([0, 0, 0], 1), [-5, -5], [5, 5]), true);
});

Deno.test("boxes around arcs, text and turned blocks", () => {
  const none = new Map();
  assertClose(boundsOf(arc([0, 0, 0], 2, 45, 135), none), {
    min: [-Math.SQRT2, Math.SQRT2, 0],
    max: [Math.SQRT2, 2, 0],
  });
  assertClose(boundsOf(arc([0, 0, 7], 1, 270, 90), none), { min: [0, -1, 7], max: [1, 1, 7] });
  const text = { kind: "Text", value: "AB", height: 5, width: 0, rotation: 0, style: "S" } as const;
  assertClose(boundsOf({ ...text, position: [10, 20, 0] }, none), {
    min: [10, 20, 0],
    max: [18, 25, 0],
  });
  assertClose(boundsOf({ ...text, height: 0.1, position: [0, 0, 0] }, none)?.max[0], 1);
  const common = {
    handle: "1",
    layer: "0",
    color: { kind: "by_layer" },
    invisible: false,
    lineWeight: -1,
    linetype: "ByLayer",
    linetypeScale: 1,
    transparency: 0,
  } as const;
  const entities = [{ common, geometry: circle([3, 0, 0], 1) }];
  const blocks = new Map([["B", { name: "B", base: [1, 0, 0], entities } as const]]);
  const insert = { kind: "Insert", block: "B", position: [10, 10, 0] } as const;
  const turned: Geometry = { ...insert, scale: [2, 1, 1], rotation: Math.PI / 2 };
  assertClose(boundsOf(turned, blocks), { min: [9, 12, 0], max: [11, 16, 0] });
  assertEquals(boundsOf({ ...turned, block: "NONE" }, blocks), undefined);
});

Deno.test("a path with a width ends flat, has mitred corners and reaches half of it to either side", () => {
  const path = (vertices: readonly (readonly [number, number])[], closed = false): Geometry => ({
    kind: "LwPolyline",
    vertices,
    closed,
    constantWidth: 4,
  });
  assertClose(boundsOf(path([[0, 0], [10, 0]]), new Map()), {
    min: [0, -2, 0],
    max: [10, 2, 0],
  });
  // A slanted end: (3, 4) / 5 turned by a quarter, 2 to either side.
  assertClose(boundsOf(path([[0, 0], [30, 40]]), new Map()), {
    min: [-1.6, -1.2, 0],
    max: [31.6, 41.2, 0],
  });
  assertClose(boundsOf(path([[0, 0], [10, 0], [10, 10]]), new Map()), {
    min: [0, -2, 0],
    max: [12, 10, 0],
  });
  assertClose(boundsOf(path([[0, 0], [10, 0], [10, 10]], true), new Map()), {
    // The acute corners at (0, 0) and (10, 10) measure 45 degrees: 2 / tan(22.5°) beyond.
    min: [-2 - 2 * Math.SQRT2, -2, 0],
    max: [12, 12 + 2 * Math.SQRT2, 0],
  });
  // A corner of 16 degrees would have its tip seven times as far out: it is round.
  assertClose(boundsOf(path([[0, 0], [24, 0], [0, 7]]), new Map()), {
    min: [-0.56, -2, 0],
    max: [26, 8.92, 0],
  });
});

Deno.test("a quarter turn is exact", () => {
  assertEquals(transformed(line([1, 0, 0], [3, 0, 5]), turning([1, 1, 0], Math.PI / 2)), {
    kind: "Line",
    start: [2, 1, 0],
    end: [2, 3, 5],
    thickness: 0,
  });
});

Deno.test("turning, scaling and mirroring an arc", () => {
  const quarter = arc([2, 0, 0], 1, 0, 90);
  assertClose(transformed(quarter, turning([0, 0, 0], Math.PI / 2)), arc([0, 2, 0], 1, 90, 180));
  assertClose(transformed(quarter, scaling([0, 0, 0], 3)), arc([6, 0, 0], 3, 0, 90));
  assertClose(transformed(quarter, scaling([0, 0, 0], -1)), arc([-2, 0, 0], 1, 180, 270));
  assertClose(transformed(quarter, mirroring([0, 0], [0, 1])), arc([-2, 0, 0], 1, 90, 180));
});

Deno.test("a mirrored insert has its Y scale turned over", () => {
  const insert = { kind: "Insert", block: "B", position: [3, 1, 0], scale: [1, 2, 1] } as const;
  assertClose(transformed({ ...insert, rotation: 0.5 }, mirroring([0, 0], [1, 0])), {
    ...insert,
    position: [3, -1, 0],
    scale: [1, -2, 1],
    rotation: 2 * Math.PI - 0.5,
  });
});

Deno.test("mirrored text fills the mirrored box and reads forwards", () => {
  const text: Geometry = {
    kind: "Text",
    value: "AB",
    position: [10, 20, 0],
    height: 5,
    width: 0,
    rotation: 0,
    style: "Standard",
  };
  assertClose(transformed(text, mirroring([0, 0], [0, 1])), { ...text, position: [-18, 20, 0] });
  assertClose(transformed(text, mirroring([0, 0], [1, 0])), { ...text, position: [10, -25, 0] });
});

Deno.test("turning forth and back, and mirroring twice, change nothing", () => {
  const number = fc.double({ min: -1000, max: 1000, noNaN: true });
  const angle = fc.double({ min: 0, max: 350, noNaN: true });
  const geometry = fc.oneof(
    fc.tuple(number, number).map(([x, y]) => line([x, y, 0], [y, x + 1, 2])),
    fc.tuple(number, number, angle).map(([x, y, from]) => arc([x, y, 0], 5, from, from + 5)),
    fc.array(fc.tuple(number, number), { minLength: 2 }).map((points) => path(points, true)),
  );
  fc.assert(fc.property(geometry, number, number, (shape, x, y) => {
    const near = (one: Geometry) =>
      JSON.parse(JSON.stringify(one), (key, value: unknown) =>
        // Angles are compared by direction: 0 and a full turn are one.
        typeof value !== "number"
          ? value
          : key.endsWith("Angle")
          ? [Math.cos(value), Math.sin(value)]
          : value);
    const there = transformed(shape, turning([x, y, 0], 1));
    const back = near(transformed(there, turning([x, y, 0], -1)));
    const mirror = mirroring([x, y], [x + 3, y + 1]);
    const twice = near(transformed(transformed(shape, mirror), mirror));
    for (const got of [back, twice]) {
      const worst = difference(got, near(shape));
      assertAlmostEquals(worst, 0, 1e-6);
    }
  }));
});

/** The largest difference between numbers at the same place of two values of one shape. */
function difference(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return Math.abs(one - other);
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other ? 0 : Infinity;
  }
  const values = new Map(Object.entries(other));
  return Object.entries(one)
    .reduce((most, [key, value]) => Math.max(most, difference(value, values.get(key))), 0);
}
