/** The desk's drawing model: entities, layers and blocks as plain values. */

/** A point in drawing units. */
export type Point3 = readonly [x: number, y: number, z: number];

/** A point in the drawing plane, in drawing units. */
export type Point2 = readonly [x: number, y: number];

/** A colour as the editor's protocol spells it (gui-protocol.md 8.4). */
export type Color =
  | { readonly kind: "by_layer" }
  | { readonly kind: "by_block" }
  /** AutoCAD colour index, 1..255. */
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "rgb"; readonly r: number; readonly g: number; readonly b: number };

/** What every entity carries. */
export interface EntityCommon {
  /** Upper-case hexadecimal without prefix; unique in its document. */
  readonly handle: string;
  readonly layer: string;
  readonly color: Color;
  readonly invisible: boolean;
  /** Raw lineweight in hundredths of a millimetre; -1 by layer, -2 by block, -3 default. */
  readonly lineWeight: number;
  readonly linetype: string;
  readonly linetypeScale: number;
  /** 0 opaque .. 255 clear. */
  readonly transparency: number;
}

/** The geometry by kind. Angles are radians, counter-clockwise from +X. */
export type Geometry =
  | {
    readonly kind: "Line";
    readonly start: Point3;
    readonly end: Point3;
    readonly thickness: number;
  }
  | { readonly kind: "Circle"; readonly center: Point3; readonly radius: number }
  | {
    readonly kind: "Arc";
    readonly center: Point3;
    readonly radius: number;
    readonly startAngle: number;
    readonly endAngle: number;
  }
  | {
    readonly kind: "LwPolyline";
    readonly vertices: readonly Point2[];
    readonly closed: boolean;
    readonly constantWidth: number;
  }
  | { readonly kind: "Point"; readonly location: Point3 }
  | {
    readonly kind: "Text" | "MText";
    readonly value: string;
    /** Baseline start (Text) or top left (MText). */
    readonly position: Point3;
    readonly height: number;
    /** MText only: the width lines are broken at; 0 for none. */
    readonly width: number;
    readonly rotation: number;
    readonly style: string;
  }
  | {
    readonly kind: "Insert";
    readonly block: string;
    readonly position: Point3;
    readonly scale: Point3;
    readonly rotation: number;
  }
  /** Filled triangle or quadrilateral; corners in the order they were given. */
  | { readonly kind: "Solid"; readonly corners: readonly Point3[] }
  | {
    readonly kind: "Hatch";
    readonly boundary: readonly Point2[];
    readonly solid: boolean;
    readonly pattern: string;
    readonly patternScale: number;
    readonly patternAngle: number;
  };

/** An entity: its common part and its geometry. */
export interface Entity {
  readonly common: EntityCommon;
  readonly geometry: Geometry;
}

/** A layer record. `color` is never by layer or by block. */
export interface Layer {
  readonly name: string;
  readonly handle: string;
  readonly color: Color;
  readonly off: boolean;
  readonly frozen: boolean;
  readonly locked: boolean;
  readonly plottable: boolean;
}

/** A block definition: entities drawn relative to its base point. */
export interface Block {
  readonly name: string;
  readonly base: Point3;
  readonly entities: readonly Entity[];
}

/** What the picture is made of; entities in drawing order. */
export interface Scene {
  readonly entities: readonly Entity[];
  readonly layers: ReadonlyMap<string, Layer>;
  readonly blocks: ReadonlyMap<string, Block>;
  /** Handles to show as selected. */
  readonly selection: ReadonlySet<string>;
}

/** A plan view of the drawing plane. */
export interface PlanView {
  /** The drawing point in the middle of the picture. */
  readonly center: Point2;
  /** Drawing units per pixel, both ways; positive. */
  readonly unitsPerPixel: number;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
}
