/** Draws a scene in plan view: layers, colours, blocks and the selection. */

import { chainMatrices, type Matrix6, transformedBounds } from "../../image/matrix.ts";
import { filledRaster, type Raster } from "../../image/raster.ts";
import type { Entity, EntityCommon, Geometry, PlanView, Scene } from "../entity.ts";
import { Coverage } from "./coverage.ts";
import { type BlockBounds, createBlockBounds, insertMatrix, shows } from "./extents.ts";
import { BACKGROUND, FOREGROUND, indexColor, resolveColor, type Rgb } from "./palette.ts";
import { coverShape } from "./shapes.ts";

export { sceneExtents } from "./extents.ts";

/** How deep blocks within blocks are drawn. */
const MAX_DEPTH = 16;
/** How many entities within blocks are drawn in one picture: nesting multiplies without end. */
const MAX_NESTED = 200_000;
const GLOW: Rgb = [0x3d, 0x9b, 0xff];
const GLOW_WIDTH = 6;
const GLOW_ALPHA = 0.55;
const THINNEST = 1.3;
/** Pixels per hundredth of a millimetre of lineweight, at 96 pixels an inch. */
const WEIGHT_SCALE = 96 / 2540;
/** Lineweight of by layer, by block and default, in hundredths of a millimetre. */
const DEFAULT_WEIGHT = 25;

/** What an entity takes over from the insert it is drawn by. */
interface Surroundings {
  readonly matrix: Matrix6;
  /** The insert's colour and layer colour, for by block and for by layer on layer 0. */
  readonly blockColor: Rgb;
  readonly layerColor: Rgb | undefined;
  readonly blockWeight: number;
  /** 0 clear .. 1 opaque. */
  readonly opacity: number;
  readonly depth: number;
}

/** What is the same for the whole picture. */
interface Sheet {
  readonly scene: Scene;
  readonly raster: Raster;
  readonly mask: Coverage;
  readonly boundsOf: BlockBounds;
  nestedLeft: number;
}

/**
 * The picture of a scene, opaque and the same for the same input. Entities that lie nowhere (not
 * finite) are left out; the work is bounded by the picture's size and the number of entities.
 */
export function renderScene(scene: Scene, view: PlanView): Raster {
  const raster = filledRaster(view.width, view.height, [...BACKGROUND, 255]);
  const sheet: Sheet = {
    scene,
    raster,
    mask: new Coverage(view.width, view.height),
    boundsOf: createBlockBounds(scene.blocks),
    nestedLeft: MAX_NESTED,
  };
  const top: Surroundings = {
    matrix: worldToPixel(view),
    blockColor: FOREGROUND,
    layerColor: undefined,
    blockWeight: DEFAULT_WEIGHT,
    opacity: 1,
    depth: 0,
  };
  for (const entity of scene.entities) {
    if (scene.selection.has(entity.common.handle)) drawEntity(sheet, entity, top, GLOW_WIDTH);
  }
  for (const entity of scene.entities) drawEntity(sheet, entity, top, 0);
  return raster;
}

/** From drawing units to pixels of a plan view (gui-protocol.md 7.2). */
export function worldToPixel(view: PlanView): Matrix6 {
  const scale = 1 / view.unitsPerPixel;
  return [
    scale,
    0,
    0,
    -scale,
    view.width / 2 - view.center[0] * scale,
    view.height / 2 + view.center[1] * scale,
  ];
}

/** From pixels of a plan view to drawing units (gui-protocol.md 7.2). */
export function pixelToWorld(view: PlanView): Matrix6 {
  const scale = view.unitsPerPixel;
  return [
    scale,
    0,
    0,
    -scale,
    view.center[0] - view.width / 2 * scale,
    view.center[1] + view.height / 2 * scale,
  ];
}

function drawEntity(sheet: Sheet, entity: Entity, around: Surroundings, glow: number): void {
  const { scene, raster, mask } = sheet;
  const { common, geometry } = entity;
  if (!shows(scene, entity)) return;
  const layerColor = layerColorOf(scene, common, around);
  const color = resolveColor(common.color, layerColor, around.blockColor);
  const opacity = around.opacity * (1 - common.transparency / 255);
  const weight = common.lineWeight === -2 ? around.blockWeight : common.lineWeight;
  if (geometry.kind === "Insert") {
    drawInsert(sheet, geometry, {
      ...around,
      blockColor: color,
      layerColor,
      blockWeight: weight,
      opacity,
    }, glow);
    return;
  }
  const width = Math.max(THINNEST, (weight >= 0 ? weight : DEFAULT_WEIGHT) * WEIGHT_SCALE);
  coverShape(mask, geometry, around.matrix, { width, glow });
  if (glow > 0) mask.paint(raster, GLOW, GLOW_ALPHA);
  else mask.paint(raster, color, opacity);
}

function drawInsert(
  sheet: Sheet,
  insert: Extract<Geometry, { kind: "Insert" }>,
  around: Surroundings,
  glow: number,
): void {
  const block = sheet.scene.blocks.get(insert.block);
  const bounds = block === undefined ? undefined : sheet.boundsOf(block.name);
  if (block === undefined || bounds === undefined || around.depth >= MAX_DEPTH) return;
  const matrix = chainMatrices(insertMatrix(insert, block), around.matrix);
  const [left, top, right, bottom] = transformedBounds(matrix, bounds);
  const margin = GLOW_WIDTH + 20;
  const inView = right >= -margin && left <= sheet.raster.width + margin &&
    bottom >= -margin && top <= sheet.raster.height + margin;
  if (!inView) return;
  for (const entity of block.entities) {
    if (sheet.nestedLeft <= 0) return;
    sheet.nestedLeft--;
    drawEntity(sheet, entity, { ...around, matrix, depth: around.depth + 1 }, glow);
  }
}

/** Within a block, layer 0 stands for the layer of the insert. */
function layerColorOf(scene: Scene, common: EntityCommon, around: Surroundings): Rgb {
  if (around.layerColor !== undefined && common.layer === "0") return around.layerColor;
  const layer = scene.layers.get(common.layer);
  if (layer === undefined) return indexColor(7);
  return resolveColor(layer.color, FOREGROUND, FOREGROUND);
}
