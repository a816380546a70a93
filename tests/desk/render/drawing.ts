/** Entities and scenes for the renderer's tests. */

import type { Block, Color, Entity, Geometry, Layer, Scene } from "../../../src/desk/entity.ts";
import type { EntityCommon } from "../../../src/desk/entity.ts";
import type { Raster } from "../../../src/image/raster.ts";

/** A colour by its index. */
export function index(value: number): Color {
  return { kind: "index", index: value };
}

/** A visible entity on layer 0. */
export function entity(geometry: Geometry, common: Partial<EntityCommon> = {}): Entity {
  return {
    common: {
      handle: "A1",
      layer: "0",
      color: index(7),
      invisible: false,
      lineWeight: -1,
      linetype: "ByLayer",
      linetypeScale: 1,
      transparency: 0,
      ...common,
    },
    geometry,
  };
}

/** A layer that is on. */
export function layer(name: string, more: Partial<Layer> = {}): Layer {
  return {
    name,
    handle: "10",
    color: index(7),
    off: false,
    frozen: false,
    locked: false,
    plottable: true,
    ...more,
  };
}

/** A scene of the given entities, with layer 0. */
export function sceneOf(
  entities: readonly Entity[],
  more: {
    readonly layers?: readonly Layer[];
    readonly blocks?: readonly Block[];
    readonly selection?: readonly string[];
  } = {},
): Scene {
  return {
    entities,
    layers: new Map([layer("0"), ...more.layers ?? []].map((each) => [each.name, each])),
    blocks: new Map((more.blocks ?? []).map((each) => [each.name, each])),
    selection: new Set(more.selection),
  };
}

/** A straight line. */
export function line(x0: number, y0: number, x1: number, y1: number): Geometry {
  return { kind: "Line", start: [x0, y0, 0], end: [x1, y1, 0], thickness: 0 };
}

/** A solid-filled square. */
export function square(x: number, y: number, size: number): Geometry {
  return {
    kind: "Hatch",
    boundary: [[x, y], [x + size, y], [x + size, y + size], [x, y + size]],
    solid: true,
    pattern: "SOLID",
    patternScale: 1,
    patternAngle: 0,
  };
}

/** A pixel's red, green and blue. */
export function pixelAt(raster: Raster, x: number, y: number): readonly number[] {
  return [...raster.data.subarray((y * raster.width + x) * 4, (y * raster.width + x) * 4 + 3)];
}

/** The box of all pixels that are not the ground, right and bottom not included. */
export function inkBox(raster: Raster): readonly number[] | undefined {
  let left = raster.width, top = raster.height, right = -1, bottom = -1;
  for (let y = 0; y < raster.height; y++) {
    for (let x = 0; x < raster.width; x++) {
      const [r, g, b] = pixelAt(raster, x, y);
      if (r === 0x1e && g === 0x22 && b === 0x27) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return right < 0 ? undefined : [left, top, right + 1, bottom + 1];
}
