/** PNG bytes to pictures and back, with a codec that is loaded at the first use. */

import { ToolError } from "../host/faults.ts";
import { pngWasmModule } from "./png_wasm.ts";
import type { Raster } from "./raster.ts";

/** Bytes that are not a PNG picture this program can read, or a picture that PNG cannot hold. */
export class PngError extends ToolError {}

/** The largest picture that is decoded or encoded, in pixels; an editor's is at most 4096 x 4096. */
export const MAX_PIXELS = 64_000_000;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Signature, length and type of the first chunk, its 13 bytes and its checksum. */
const HEADER_BYTES = 33;

/**
 * Width and height in pixels, read from the header without decoding. Throws a {@link PngError} when
 * the bytes do not begin as a PNG or the size is nothing or absurd.
 */
export function pngSize(bytes: Uint8Array): { width: number; height: number } {
  if (bytes.length === 0) throw notPng("the file is empty");
  if (bytes.length < HEADER_BYTES) {
    throw notPng(`it ends after ${bytes.length} bytes, within the header`);
  }
  if (SIGNATURE.some((byte, index) => bytes[index] !== byte)) {
    throw notPng("it does not begin with the PNG signature");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (chunkType(view, 8) !== "IHDR" || view.getUint32(8) !== 13) {
    throw notPng("its first chunk is not a 13 byte IHDR");
  }
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  checkSize(width, height);
  return { width, height };
}

/**
 * Decodes a PNG of any colour type and depth to 8-bit RGBA. Throws a {@link PngError} that says
 * what is wrong with the bytes.
 */
export async function decodePng(bytes: Uint8Array): Promise<Raster> {
  const size = pngSize(bytes);
  // The codec aborts without a reason on broken input and does not get its memory back, so what can
  // be told from the outside is checked before it sees the bytes.
  checkChunks(bytes);
  const codec = await import("@jsquash/png/decode.js");
  await codec.init(await pngWasmModule());
  let picture: ImageData;
  try {
    picture = await codec.decode(exactBuffer(bytes));
  } catch {
    throw notPng("its picture data is damaged");
  }
  if (picture.width !== size.width || picture.height !== size.height) {
    throw notPng("its picture data does not fit its header");
  }
  return { width: picture.width, height: picture.height, data: plainBytes(picture.data) };
}

/** Encodes a picture as an 8-bit RGBA PNG without loss. Throws a {@link PngError} on a bad size. */
export async function encodePng(raster: Raster): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, data } = raster;
  checkSize(width, height);
  if (data.length !== width * height * 4) {
    throw new PngError(
      `A picture of ${width} x ${height} pixels needs ${width * height * 4} bytes and has ` +
        `${data.length}.`,
    );
  }
  const { default: encode, init } = await import("@jsquash/png/encode.js");
  await init(await pngWasmModule());
  // The codec reads the whole buffer behind the array, so an array that is a part must be copied.
  const whole = data.length === data.buffer.byteLength ? data : data.slice();
  return new Uint8Array(await encode(new ImageData(whole, width, height)));
}

/** Loads the codec, so that the first picture does not wait for it. */
export async function warmPng(): Promise<void> {
  const module = await pngWasmModule();
  await (await import("@jsquash/png/decode.js")).init(module);
}

function checkSize(width: number, height: number): void {
  if (!(width >= 1 && height >= 1)) {
    throw new PngError(`A picture of ${width} x ${height} pixels has nothing in it.`);
  }
  if (width * height > MAX_PIXELS) {
    throw new PngError(
      `A picture of ${width} x ${height} pixels is above the limit of ${MAX_PIXELS} pixels. ` +
        "Capture again with a smaller max_dimension.",
    );
  }
}

/** Walks the chunks to the end mark. */
function checkChunks(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = SIGNATURE.length;
  let pictureBytes = 0;
  while (offset + 12 <= bytes.length) {
    const length = view.getUint32(offset);
    const type = chunkType(view, offset);
    if (offset + 12 + length > bytes.length) {
      throw notPng(`its ${type} chunk is cut off: the file ends after ${bytes.length} bytes`);
    }
    if (type === "IEND") {
      if (pictureBytes === 0) throw notPng("it holds no picture data");
      return;
    }
    if (type === "IDAT") pictureBytes += length;
    offset += 12 + length;
  }
  throw notPng("its end mark is missing, so it is cut off");
}

function chunkType(view: DataView, offset: number): string {
  return String.fromCharCode(...[4, 5, 6, 7].map((byte) => view.getUint8(offset + byte)));
}

function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) return buffer;
  return new Uint8Array(bytes).buffer;
}

function plainBytes(data: ImageData["data"]): Uint8ClampedArray<ArrayBuffer> {
  if (data instanceof Uint8ClampedArray && data.buffer instanceof ArrayBuffer) {
    return new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  }
  throw new PngError("The PNG codec gave pixels of an unknown kind.");
}

function notPng(reason: string): PngError {
  return new PngError(
    `The picture is not a PNG that can be read: ${reason}. Capture again to get a whole one.`,
  );
}
