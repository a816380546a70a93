/**
 * Lets a client's `initialize` in at once and holds back what follows until the lists are loaded: the
 * handshake needs none of them, and so a client waits for its first answers a little less.
 */

import type { ByteReader } from "../mcp/lines.ts";

const NEWLINE = 0x0a;
/** As every known client writes it; one that writes it otherwise merely waits for the loading. */
const INITIALIZE = '"method":"initialize"';

/** What is loaded while a client talks. */
export interface Loading {
  /** What lists show: waited for. */
  list(): Promise<void>;
  /** All the rest: begun when there is nothing better to do. */
  open(): Promise<void>;
}

/**
 * Reads from `reader`. Nothing but a first line that is an `initialize` is handed over before `list`
 * has resolved; `open` is called once, after what came next has been handed over.
 */
export function doorstep(reader: ByteReader, loading: Loading): ByteReader {
  let held = new Uint8Array(0);
  let state: "outside" | "greeted" | "listed" | "inside" = "outside";
  return {
    async read(into) {
      switch (state) {
        case "outside": {
          const count = await reader.read(into);
          const line = count === null ? 0 : into.subarray(0, count).indexOf(NEWLINE) + 1;
          const text = new TextDecoder().decode(into.subarray(0, line));
          if (count !== null && text.includes(INITIALIZE)) {
            state = "greeted";
            held = into.slice(line, count);
            return line;
          }
          await loading.list();
          state = "listed";
          return count;
        }
        case "greeted":
          await loading.list();
          state = "listed";
          if (held.length === 0) return await reader.read(into);
          into.set(held);
          return held.length;
        case "listed": {
          state = "inside";
          const reading = reader.read(into);
          // What cannot be loaded is told to whoever calls a tool.
          loading.open().catch(() => {});
          return await reading;
        }
        case "inside":
          return await reader.read(into);
      }
    },
  };
}
