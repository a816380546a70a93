/** The operation that occupies the desk's single slot, and what it waits for. */

import type { JsonObject } from "../host/json.ts";
import type { Size } from "./camera.ts";
import type { View } from "./document.ts";
import type { Drawing } from "./drawing.ts";
import type { Scene } from "./entity.ts";
import type { Detail } from "./entity_view.ts";
import type { Person } from "./person.ts";

/** A pick that is open (gui-protocol.md section 6). */
export type Pick =
  | { readonly op: "getpoint"; readonly prompt: string }
  | {
    readonly op: "user_select";
    readonly prompt: string;
    readonly detail: Detail;
    /** Empty for any. */
    readonly type: string;
    /** Empty for any. */
    readonly layer: string;
  };

/** A number beside an entity on a picture, in pixels of it (gui-protocol.md 7.3). */
export interface Badge {
  readonly tag: number;
  readonly x: number;
  readonly y: number;
  readonly selected: boolean;
}

/** A picture to be taken: everything that drawing and writing it needs (gui-protocol.md section 7). */
export interface CapturePlan {
  /** Where the PNG goes. */
  readonly path: string;
  readonly scene: Scene;
  readonly view: View;
  readonly viewport: Size;
  /** The size of the picture, in pixels. */
  readonly picture: Size;
  /** Drawn on the picture; empty unless it is annotated. */
  readonly badges: readonly Badge[];
  /** What is answered once the picture is there. */
  readonly result: JsonObject;
}

/** A line of the command-line history (gui-protocol.md 4.15). */
export interface HistoryLine {
  readonly kind: "Info" | "Output" | "Error";
  readonly text: string;
}

/** Where an operation started, so that its changes and its errors can be told when it settles. */
export interface Start {
  readonly documentId: number;
  readonly drawing: Drawing;
  /** The newest line of the history. */
  readonly lastLine: HistoryLine | undefined;
}

/** What the pending operation waits for. */
export type Work =
  | { readonly kind: "pick"; readonly pick: Pick; readonly person: Person | null }
  /** A slow operation that is done but for the waiting. */
  | { readonly kind: "held"; readonly result: JsonObject }
  | { readonly kind: "capture"; readonly plan: CapturePlan };

/** The pending operation. */
export interface Pending {
  readonly requestId: string;
  /** Its request without the token, in one spelling. */
  readonly payload: string;
  readonly op: string;
  readonly start: Start;
  readonly work: Work;
}
