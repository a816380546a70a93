/**
 * Lets a client's `initialize` in at once and holds back what follows until the tools are loaded:
 * the handshake needs none of them, and so a client waits for its first answer a little less.
 */

import type { ByteReader } from "../mcp/lines.ts";

const NEWLINE = 0x0a;
/** As every known client writes it; one that writes it otherwise merely waits for the loading. */
const INITIALIZE = '"method":"initialize"';

/**
 * Reads from `reader`. Nothing but a first line that is an `initialize` is handed over before `load`
 * has resolved; `load` is called once, when there is nothing better to do.
 */
export function doorstep(reader: ByteReader, load: () => Promise<void>): ByteReader {
  let held = new Uint8Array(0);
  let first = true;
  let inside = false;
  return {
    async read(into) {
      if (inside) return await reader.read(into);
      if (first) {
        first = false;
        const count = await reader.read(into);
        const line = count === null ? 0 : into.subarray(0, count).indexOf(NEWLINE) + 1;
        const text = new TextDecoder().decode(into.subarray(0, line));
        if (count !== null && text.includes(INITIALIZE)) {
          held = into.slice(line, count);
          return line;
        }
        await load();
        inside = true;
        return count;
      }
      await load();
      inside = true;
      if (held.length === 0) return await reader.read(into);
      into.set(held);
      return held.length;
    },
  };
}
