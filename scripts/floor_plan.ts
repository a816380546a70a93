/** The demo's drawing: a small flat of 9.0 m by 6.0 m, in millimetres. */

import type { JsonObject } from "../src/host/json.ts";

type Point = readonly [number, number];

const WALL = 240;
const PARTITION = 120;

function wall(points: readonly Point[], closed = false, width = WALL): JsonObject {
  return {
    type: "LwPolyline",
    layer: "WALLS",
    color: 7,
    vertices: points,
    closed,
    constant_width: width,
  };
}

/** A door leaf and its swing; the leaf stands at `openDeg`, the swing runs 90° from `fromDeg`. */
function door(hinge: Point, leaf: number, openDeg: number, fromDeg: number): JsonObject[] {
  const radians = (openDeg * Math.PI) / 180;
  const tip: Point = [hinge[0] + leaf * Math.cos(radians), hinge[1] + leaf * Math.sin(radians)];
  return [
    { type: "Line", layer: "DOORS", color: 30, start: hinge, end: tip },
    {
      type: "Arc",
      layer: "DOORS",
      color: 30,
      center: hinge,
      radius: leaf,
      start_angle_deg: fromDeg,
      end_angle_deg: fromDeg + 90,
    },
  ];
}

function window(start: Point, end: Point): JsonObject[] {
  const across = start[1] === end[1];
  return [-60, 0, 60].map((shift) => ({
    type: "Line",
    layer: "WINDOWS",
    color: 4,
    start: across ? [start[0], start[1] + shift] : [start[0] + shift, start[1]],
    end: across ? [end[0], end[1] + shift] : [end[0] + shift, end[1]],
  }));
}

function label(value: string, position: Point, height = 260): JsonObject {
  return { type: "Text", layer: "TEXT", color: 2, value, position, height };
}

function box(layer: string, color: number, from: Point, to: Point): JsonObject {
  return {
    type: "LwPolyline",
    layer,
    color,
    closed: true,
    vertices: [from, [to[0], from[1]], to, [from[0], to[1]]],
  };
}

/** The partition between living room and bedroom: the wall that the demo moves. */
export const MOVED_WALL: JsonObject = wall([[5400, 2580], [5400, 5880]], false, PARTITION);

/** Everything else, in drawing order. */
export const FLOOR_PLAN: readonly JsonObject[] = [
  {
    type: "Hatch",
    layer: "FLOOR",
    color: 252,
    boundary: [[5460, 120], [8880, 120], [8880, 2460], [5460, 2460]],
    pattern: "ANSI31",
    pattern_scale: 60,
  },
  wall([[1900, 0], [9000, 0], [9000, 6000], [0, 6000], [0, 0], [900, 0]]),
  wall([[5400, 0], [5400, 1500]], false, PARTITION),
  wall([[5340, 2520], [7200, 2520]], false, PARTITION),
  wall([[8100, 2520], [9000, 2520]], false, PARTITION),
  ...door([900, 0], 1000, 90, 0),
  ...door([5400, 1500], 900, 180, 90),
  ...door([7200, 2520], 900, 90, 0),
  ...window([1200, 6000], [3900, 6000]),
  ...window([6300, 6000], [8100, 6000]),
  ...window([9000, 700], [9000, 1700]),
  box("FURNITURE", 8, [500, 4300], [2900, 5300]),
  box("FURNITURE", 8, [600, 4400], [2800, 5000]),
  { type: "Circle", layer: "FURNITURE", color: 8, center: [3600, 2200], radius: 600 },
  ...[0, 90, 180, 270].map((deg) => ({
    type: "Circle",
    layer: "FURNITURE",
    color: 8,
    center: [
      3600 + 850 * Math.cos((deg * Math.PI) / 180),
      2200 + 850 * Math.sin((deg * Math.PI) / 180),
    ],
    radius: 200,
  })),
  box("FURNITURE", 8, [6300, 3900], [8100, 5700]),
  box("FURNITURE", 8, [6400, 5200], [7150, 5600]),
  box("FURNITURE", 8, [7250, 5200], [8000, 5600]),
  label("LIVING", [1500, 3200]),
  label("30.1 m²", [1500, 2800], 200),
  label("BEDROOM", [6350, 3540]),
  label("BATH", [6600, 1500]),
  label("FLAT 2.04  1:50", [0, -900], 300),
  { type: "Line", layer: "DIM", color: 3, start: [0, 6600], end: [9000, 6600] },
  { type: "Line", layer: "DIM", color: 3, start: [0, 6450], end: [0, 6750] },
  { type: "Line", layer: "DIM", color: 3, start: [9000, 6450], end: [9000, 6750] },
  { ...label("9000", [4150, 6680], 220), layer: "DIM", color: 3 },
];
