/** Entity handles: hexadecimal numbers, written in upper case without a prefix (gui-protocol.md 2.1). */

/**
 * The handle as the desk writes it, or undefined when `value` is not a hex string of at most 64 bits.
 * A leading `0x` or `0X` and leading zeros are stripped; numbers are refused (gui-protocol.md 5).
 */
export function parseHandle(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const digits = value.replace(/^0[xX]/, "").replace(/^0+(?=.)/, "");
  return /^[0-9A-Fa-f]{1,16}$/.test(digits) ? digits.toUpperCase() : undefined;
}

/** A number as a handle. */
export function handleOf(number: number): string {
  return number.toString(16).toUpperCase();
}

/** A handle as the unsigned integer that serialized properties hold (gui-protocol.md 8.4). */
export function handleNumber(handle: string): number {
  return Number.parseInt(handle, 16);
}
