/** Pictures for capture tests: small real PNGs, and an editor that writes them. */

import type { JsonObject } from "../../src/host/json.ts";
import { encodePng } from "../../src/image/png.ts";
import { filledRaster, type Raster } from "../../src/image/raster.ts";
import type { FakeDisk, FakeSession } from "./fake_editor.ts";

type Rgba = readonly [number, number, number, number];

export const WHITE: Rgba = [255, 255, 255, 255];
export const BLACK: Rgba = [0, 0, 0, 255];

/** A picture of one colour with single pixels of another. */
export function spotted(
  width: number,
  height: number,
  spots: readonly (readonly [x: number, y: number])[],
  colour: Rgba = BLACK,
): Raster {
  const raster = filledRaster(width, height, WHITE);
  for (const [x, y] of spots) raster.data.set(colour, (y * width + x) * 4);
  return raster;
}

/** What the editor reports of a plan view whose lower left corner is (x0, y0). */
export function report(
  { width, height }: Raster,
  x0 = 0,
  y0 = 0,
  unitsPerPixel = 0.5,
): JsonObject {
  const s = unitsPerPixel;
  const top = y0 + height * s;
  const matrices = {
    pixel_to_world_matrix: [s, 0, 0, -s, x0, top],
    world_to_pixel_matrix: [1 / s, 0, 0, -1 / s, -x0 / s, top / s],
  };
  const bounds = { min: [x0, y0], max: [x0 + width * s, top] };
  return {
    scope: "viewport",
    width,
    height,
    document_id: 1,
    revision: 4,
    camera_revision: 2,
    ...matrices,
    viewport_world_bounds: bounds,
    annotated: false,
    annotations: [],
    visible_entities: [],
    _spatial: { crs: "CAD_WCS", unit: "Millimeters", world_bounds: bounds, ...matrices },
  };
}

/** Makes the session answer captures with the pictures in turn, the last one again and again. */
export function films(
  session: FakeSession,
  disk: FakeDisk,
  pictures: readonly (Raster | { readonly raster: Raster; readonly reported: JsonObject })[],
): void {
  let next = 0;
  session.onExecute = async (request) => {
    const picture = pictures[Math.min(next++, pictures.length - 1)];
    if (picture === undefined || typeof request.path !== "string") throw new Error("no picture");
    const { raster, reported } = "raster" in picture
      ? picture
      : { raster: picture, reported: report(picture) };
    disk.write(request.path, await encodePng(raster));
    return {
      ok: true,
      status: "completed",
      request_id: request.request_id,
      error: null,
      result: { path: request.path, ...reported },
      changes: [],
      state: { document_id: 1 },
    };
  };
}
