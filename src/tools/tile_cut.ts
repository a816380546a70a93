/** Cutting a capture down to exactly a tile's world window (bridge.md 7.3). */

import { ToolError } from "../host/faults.ts";
import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import { type Bounds4, isMatrix6, type Matrix6, transformedBounds } from "../image/matrix.ts";
import type { CutPicture } from "../image/cut.ts";
import type { PixelWork } from "../image/pixels.ts";
import { numbers, sha256, type Shot } from "./shot.ts";

/**
 * The part of the shot that shows `window`, with width, height, matrices, bounds and annotations
 * of what is left. The editor fits a window into its own shape, so its picture shows more. Raises
 * ToolError when the shot does not show the window or does not say where it lies.
 */
export async function cutToWindow(
  shot: Shot,
  window: Bounds4,
  pixels: PixelWork,
): Promise<Shot> {
  const matrix = shot.reported.pixel_to_world_matrix;
  if (!isMatrix6(matrix) || shot.reported.scope === "window") {
    throw new ToolError(
      "The editor did not say where its picture lies in the drawing, so no tile can be cut out. " +
        "Make the drawing's view visible in the editor, then capture again.",
    );
  }
  const cut = await pixels.cut({ png: shot.png, pixelToWorld: matrix, world: window });
  const { png } = cut;
  return { png, hash: await sha256(png), reported: reportedOf(shot.reported, matrix, cut) };
}

function reportedOf(reported: JsonObject, before: Matrix6, cut: CutPicture): JsonObject {
  const { width, height, pixelToWorld, worldToPixel } = cut;
  const [minx, miny, maxx, maxy] = transformedBounds(pixelToWorld, [0, 0, width, height]);
  const corner = cornerOf(before, cut.pixelToWorld);
  const place: JsonObject = {
    pixel_to_world_matrix: [...pixelToWorld],
    world_to_pixel_matrix: [...worldToPixel],
  };
  const bounds: JsonObject = { min: [minx, miny], max: [maxx, maxy] };
  const moved = (list: Json | undefined) => movedAnnotations(list, corner, width, height);
  const spatial = reported._spatial;
  return {
    ...reported,
    width,
    height,
    ...place,
    viewport_world_bounds: bounds,
    ...("annotations" in reported && { annotations: moved(reported.annotations) }),
    ...("visible_entities" in reported && { visible_entities: moved(reported.visible_entities) }),
    ...(isJsonObject(spatial) && {
      _spatial: {
        ...spatial,
        pixel_resolution: [width, height],
        world_bounds: bounds,
        ...place,
        ...("annotations" in spatial && { annotations: moved(spatial.annotations) }),
      },
    }),
  };
}

/** Where the part's first pixel lay in the whole picture. */
function cornerOf(before: Matrix6, after: Matrix6): readonly [number, number] {
  const [a, b, c, d, tx, ty] = before;
  const wx = after[4] - tx, wy = after[5] - ty;
  const determinant = a * d - b * c;
  return [
    Math.round((d * wx - b * wy) / determinant),
    Math.round((a * wy - c * wx) / determinant),
  ];
}

/** Annotations in the part's own pixels; those whose anchor lies outside are left out. */
function movedAnnotations(
  list: Json | undefined,
  [left, top]: readonly [number, number],
  width: number,
  height: number,
): readonly Json[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap((annotation) => {
    const [x, y] = numbers(annotation.screen_pixel, 2) ?? [];
    if (x === undefined || y === undefined) return [];
    const inside = x >= left && x < left + width && y >= top && y < top + height;
    if (!inside) return [];
    const box = numbers(annotation.screen_bounds, 4);
    const offset = [left, top, left, top];
    return [{
      ...annotation,
      screen_pixel: [x - left, y - top],
      ...(box !== undefined && {
        screen_bounds: box.map((value, index) => value - (offset[index] ?? 0)),
      }),
    }];
  });
}
