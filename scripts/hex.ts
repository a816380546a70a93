/** Bytes as text, spelled out here since the oldest supported Deno does not type the built-in ways. */

/** Two lower-case digits a byte. */
export function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Base64 with padding. */
export function base64(bytes: Uint8Array): string {
  let characters = "";
  // In pieces: the arguments of one call are limited.
  for (let from = 0; from < bytes.length; from += 8_192) {
    characters += String.fromCharCode(...bytes.subarray(from, from + 8_192));
  }
  return btoa(characters);
}
