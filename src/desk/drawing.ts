/** A drawing as one immutable value, so that undo is a matter of keeping the value before. */

import type { Block, Entity, Layer, Scene } from "./entity.ts";

/** The variables of a drawing (gui-protocol.md 4.11 and 5.7). */
export interface Header {
  readonly currentLayer: string;
  readonly textStyle: string;
  /** INSUNITS; 4 is millimetres. */
  readonly insertionUnits: number;
  readonly pointMode: number;
  readonly pointSize: number;
  readonly linetypeScale: number;
  readonly entityLinetypeScale: number;
  /** Drawing units. */
  readonly textSize: number;
  /** Drawing units. */
  readonly filletRadius: number;
  readonly snapModes: number;
  readonly mirrorText: 0 | 1;
}

/** Everything in a drawing that an edit can change. Entities are in drawing order. */
export interface Drawing {
  readonly entities: ReadonlyMap<string, Entity>;
  readonly layers: ReadonlyMap<string, Layer>;
  readonly blocks: ReadonlyMap<string, Block>;
  readonly header: Header;
}

/** The handle of the layer "0", which every drawing has. */
const LAYER_ZERO_HANDLE = "10";

/** The first handle that an entity of a new drawing gets. */
export const FIRST_HANDLE = 0x2A;

/** The text styles a drawing has; the desk has no way to make others. */
export const TEXT_STYLES: readonly string[] = ["Standard"];

/** A drawing with the layer "0" and nothing on it. */
export function emptyDrawing(): Drawing {
  return {
    entities: new Map(),
    layers: new Map([["0", newLayer("0", LAYER_ZERO_HANDLE)]]),
    blocks: new Map(),
    header: {
      currentLayer: "0",
      textStyle: "Standard",
      insertionUnits: 4,
      pointMode: 0,
      pointSize: 0,
      linetypeScale: 1,
      entityLinetypeScale: 1,
      textSize: 2.5,
      filletRadius: 0,
      snapModes: 0,
      mirrorText: 0,
    },
  };
}

/** A layer as it is when it is made: white, shown, plotted. */
export function newLayer(name: string, handle: string): Layer {
  return {
    name,
    handle,
    color: { kind: "index", index: 7 },
    off: false,
    frozen: false,
    locked: false,
    plottable: true,
  };
}

/** Whether an entity is shown: neither hidden itself nor on a layer that is off or frozen. */
export function isShown(drawing: Drawing, entity: Entity): boolean {
  const layer = drawing.layers.get(entity.common.layer);
  return !entity.common.invisible && layer?.off !== true && layer?.frozen !== true;
}

/** The drawing as the picture needs it. */
export function sceneOf(drawing: Drawing, selection: readonly string[]): Scene {
  return {
    entities: [...drawing.entities.values()],
    layers: drawing.layers,
    blocks: drawing.blocks,
    selection: new Set(selection),
  };
}
