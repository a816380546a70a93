/** Step ids of a batch: the same batch makes the same ids, whoever runs it (bridge.md section 6). */

const OFFSET_BASIS = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** FNV-1a over the UTF-8 bytes of `text`, 64 bits, as 16 lower-case hex digits. */
export function fnv1a64(text: string): string {
  let hash = OFFSET_BASIS;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  }
  return hash.toString(16).padStart(16, "0");
}

/** The request id of step `index`, counted from 0. */
export function stepId(batchId: string, index: number): string {
  return `batch-${fnv1a64(batchId)}-${index}`;
}
