/** Maps that keep shapes: shifts, turns, scalings and reflections of geometry. */

import { textSize } from "./bounds.ts";
import type { Geometry, Point2, Point3 } from "./entity.ts";

/** A map that keeps shapes. */
export interface Similarity {
  /** The image of a point. */
  map(of: Point3): Point3;
  /** What lengths are multiplied with; positive. */
  readonly factor: number;
  /** The direction that +X becomes, in radians. */
  readonly turn: number;
  /** Whether left and right change places. */
  readonly mirrored: boolean;
}

/** A shift. */
export function moving([dx, dy, dz]: Point3): Similarity {
  return { map: ([x, y, z]) => [x + dx, y + dy, z + dz], factor: 1, turn: 0, mirrored: false };
}

/** A turn about a point, counter-clockwise, in radians. Whole quarter turns are exact. */
export function turning([cx, cy]: Point3, angle: number): Similarity {
  const [cos, sin] = [exact(Math.cos(angle)), exact(Math.sin(angle))];
  return {
    map: ([x, y, z]) => [
      cx + (x - cx) * cos - (y - cy) * sin,
      cy + (x - cx) * sin + (y - cy) * cos,
      z,
    ],
    factor: 1,
    turn: angle,
    mirrored: false,
  };
}

/** A scaling about a point; a negative factor turns by half a turn as well. */
export function scaling([cx, cy, cz]: Point3, factor: number): Similarity {
  return {
    map: ([x, y, z]) => [cx + (x - cx) * factor, cy + (y - cy) * factor, cz + (z - cz) * factor],
    factor: Math.abs(factor),
    turn: factor < 0 ? Math.PI : 0,
    mirrored: false,
  };
}

/** A reflection in the line through two different points. */
export function mirroring([x0, y0]: Point2, [x1, y1]: Point2): Similarity {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const square = dx * dx + dy * dy;
  const [cos, sin] = [(dx * dx - dy * dy) / square, 2 * dx * dy / square];
  return {
    map: ([x, y, z]) => [
      x0 + (x - x0) * cos + (y - y0) * sin,
      y0 + (x - x0) * sin - (y - y0) * cos,
      z,
    ],
    factor: 1,
    turn: 2 * Math.atan2(dy, dx),
    mirrored: true,
  };
}

/** The image of a geometry. Mirrored text stays readable in its mirrored box (MIRRTEXT 0). */
export function transformed(geometry: Geometry, by: Similarity): Geometry {
  const at = (of: Point3) => by.map(of);
  const flatAt = (of: Point2): Point2 => {
    const [x, y] = by.map([of[0], of[1], 0]);
    return [x, y];
  };
  switch (geometry.kind) {
    case "Line":
      return {
        ...geometry,
        start: at(geometry.start),
        end: at(geometry.end),
        thickness: geometry.thickness * by.factor,
      };
    case "Circle":
      return { ...geometry, center: at(geometry.center), radius: geometry.radius * by.factor };
    case "Arc": {
      const [start, end] = by.mirrored
        ? [geometry.endAngle, geometry.startAngle]
        : [geometry.startAngle, geometry.endAngle];
      return {
        ...geometry,
        center: at(geometry.center),
        radius: geometry.radius * by.factor,
        startAngle: angle(start, by),
        endAngle: angle(end, by),
      };
    }
    case "LwPolyline":
      return {
        ...geometry,
        vertices: geometry.vertices.map(flatAt),
        constantWidth: geometry.constantWidth * by.factor,
      };
    case "Point":
      return { ...geometry, location: at(geometry.location) };
    case "Text":
    case "MText":
      return by.mirrored ? mirroredText(geometry, by) : {
        ...geometry,
        position: at(geometry.position),
        height: geometry.height * by.factor,
        width: geometry.width * by.factor,
        rotation: angle(geometry.rotation, by),
      };
    case "Insert": {
      const [sx, sy, sz] = geometry.scale;
      const f = by.factor;
      return {
        ...geometry,
        position: at(geometry.position),
        scale: [sx * f, by.mirrored ? -sy * f : sy * f, sz * f],
        rotation: angle(geometry.rotation, by),
      };
    }
    case "Solid":
      return { ...geometry, corners: geometry.corners.map(at) };
    case "Hatch":
      return {
        ...geometry,
        boundary: geometry.boundary.map(flatAt),
        patternScale: geometry.patternScale * by.factor,
        patternAngle: angle(geometry.patternAngle, by),
      };
  }
}

function mirroredText(
  text: Extract<Geometry, { readonly kind: "Text" | "MText" }>,
  by: Similarity,
): Geometry {
  const { width, height } = textSize(text);
  // The two readings of the mirrored box: back along its baseline, or along it and on the other side.
  const direction = angle(text.rotation, by);
  const back = Math.cos(direction) < -1e-9;
  const [along, up] = back ? [width, 0] : [0, text.kind === "Text" ? height : -height];
  const [cos, sin] = [Math.cos(text.rotation), Math.sin(text.rotation)];
  const [x, y, z] = text.position;
  return {
    ...text,
    position: by.map([x + cos * along - sin * up, y + sin * along + cos * up, z]),
    rotation: angle(back ? direction + Math.PI : direction, {
      ...by,
      turn: 0,
      mirrored: false,
    }),
  };
}

/** The image of a direction, in radians from 0 up to a full turn. */
function angle(direction: number, by: Similarity): number {
  const full = 2 * Math.PI;
  const turned = (by.mirrored ? by.turn - direction : by.turn + direction) % full;
  const positive = turned < 0 ? turned + full : turned;
  return full - positive < 1e-12 ? 0 : positive;
}

/** Cosines and sines of quarter turns without the last bit's dust. */
function exact(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-15 ? whole : value;
}
