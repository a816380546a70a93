/** Where the viewport looks: fitting a view to a box, and the matrices of a picture. */

import type { Matrix6 } from "../image/matrix.ts";
import type { Bounds } from "./bounds.ts";
import type { View } from "./document.ts";
import type { Point2 } from "./entity.ts";

/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The share of the viewport that stays free around fitted entities, both sides together. */
const MARGIN = 0.05;

/** A box without extent is shown as if it were this wide, in drawing units. */
const SMALLEST = 1;

/** Where a view ends, in drawing units: the products of larger numbers would not be finite. */
const FARTHEST = 1e150;

/** What a new document shows: an A3 sheet in millimetres, lying at the origin. */
const EMPTY: { readonly min: Point2; readonly max: Point2 } = { min: [0, 0], max: [420, 297] };

/** The view that shows a box whole, centred and as large as it will go. */
export function fitWindow(viewport: Size, min: Point2, max: Point2): View {
  const [width, height] = [max[0] - min[0], max[1] - min[1]];
  const scale = Math.max(width / viewport.width, height / viewport.height);
  const middle = (from: number, to: number) =>
    Math.min(FARTHEST, Math.max(-FARTHEST, from / 2 + to / 2));
  return {
    center: [middle(min[0], max[0]), middle(min[1], max[1])],
    unitsPerPixel: scale > 0
      ? Math.min(scale, FARTHEST / viewport.width, FARTHEST / viewport.height)
      : SMALLEST / Math.min(viewport.width, viewport.height),
  };
}

/** The view that shows entities with a small margin; without any, an empty sheet. */
export function fitExtents(viewport: Size, extents: Bounds | undefined): View {
  if (extents === undefined) return fitWindow(viewport, EMPTY.min, EMPTY.max);
  const fitted = fitWindow(
    viewport,
    [extents.min[0], extents.min[1]],
    [extents.max[0], extents.max[1]],
  );
  return { ...fitted, unitsPerPixel: fitted.unitsPerPixel / (1 - MARGIN) };
}

/** The height of what the viewport shows, in drawing units. */
export function worldHeight(view: View, viewport: Size): number {
  return view.unitsPerPixel * viewport.height;
}

/** The corners of what the viewport shows, in drawing units. */
export function worldBounds(view: View, viewport: Size): { min: Point2; max: Point2 } {
  const [x, y] = view.center;
  const [w, h] = [view.unitsPerPixel * viewport.width / 2, worldHeight(view, viewport) / 2];
  return { min: [x - w, y - h], max: [x + w, y + h] };
}

/** A drawing point in pixels of the viewport, from its top left corner. */
export function worldToScreen(view: View, viewport: Size, [x, y]: Point2): Point2 {
  return [
    (x - view.center[0]) / view.unitsPerPixel + viewport.width / 2,
    (view.center[1] - y) / view.unitsPerPixel + viewport.height / 2,
  ];
}

/** The size of a picture whose longest edge is at most `most`; a picture is never enlarged. */
export function shrunk(viewport: Size, most: number): Size {
  const scale = Math.min(1, most / Math.max(viewport.width, viewport.height));
  return {
    width: Math.max(1, Math.round(viewport.width * scale)),
    height: Math.max(1, Math.round(viewport.height * scale)),
  };
}

/** From pixels of a picture of the viewport to drawing units (gui-protocol.md 7.2). */
export function pixelToWorld(view: View, viewport: Size, picture: Size): Matrix6 {
  const { min, max } = worldBounds(view, viewport);
  return [
    (max[0] - min[0]) / picture.width,
    0,
    0,
    -(max[1] - min[1]) / picture.height,
    min[0],
    max[1],
  ];
}
