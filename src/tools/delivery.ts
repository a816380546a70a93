/** Handing a picture to the client: inline, as a link, or both, within limits (bridge.md 7.4). */

import type { Json } from "../host/json.ts";
import type { ContentBlock } from "../mcp/face.ts";
import { MESSAGE_LIMIT_BYTES } from "./message_size.ts";

/** The values of `delivery`. */
export const DELIVERIES = ["inline", "resource", "both"] as const;

/** One of them. */
export type Delivery = typeof DELIVERIES[number];

/** From this size of base64 on the metadata say that the picture is a burden. */
export const INLINE_ADVICE_BYTES = 1024 * 1024;

/** Nothing larger than this, in base64, is sent inline. */
export const INLINE_LIMIT_BYTES = 8 * 1024 * 1024;

/** A picture that can be linked to. */
export interface Deliverable {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly uri: string;
  readonly name: string;
}

/** The blocks after the text, and what the metadata say about them. */
export interface Delivered {
  readonly blocks: readonly ContentBlock[];
  readonly notes: { readonly [key: string]: Json };
}

/** Chooses the blocks. Clients that know no links get the URI as text from the MCP layer. */
export function deliver(picture: Deliverable, delivery: Delivery): Delivered {
  const link: ContentBlock = {
    type: "resource_link",
    uri: picture.uri,
    name: picture.name,
    mimeType: "image/png",
    size: picture.png.length,
  };
  if (delivery === "resource") return { blocks: [link], notes: {} };
  const size = base64Length(picture.png.length);
  if (size > INLINE_LIMIT_BYTES) {
    const note = `Inline it would take ${size} bytes of base64, more than ` +
      `${INLINE_LIMIT_BYTES}: delivered as a link. Ask for a smaller max_dimension, or walk tiles.` +
      (size > MESSAGE_LIMIT_BYTES ? " Read from the link it is scaled down to fit a message." : "");
    return { blocks: [link], notes: { inline_bytes: 0, delivery_note: note } };
  }
  const image: ContentBlock = {
    type: "image",
    data: picture.png.toBase64(),
    mimeType: "image/png",
  };
  const advice = "This picture is large for a model; a smaller max_dimension or tiles cost less.";
  return {
    blocks: delivery === "both" ? [image, link] : [image],
    notes: {
      inline_bytes: size,
      ...(size > INLINE_ADVICE_BYTES && { delivery_note: advice }),
    },
  };
}

/** Length of the base64 of so many bytes. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
