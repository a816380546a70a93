/** How many connections one editor gets at once: it drops the ninth unheard (gui-protocol.md 1.3). */

import type { Connect, Wire } from "./loopback.ts";

/** Below the editor's own eight, so that other clients and late closes still find room. */
export const CONNECTIONS_AT_ONCE = 6;

/** The connections to one port: how many are open, and who waits, in order of arrival. */
interface Door {
  open: number;
  readonly waiting: (() => void)[];
}

/**
 * Connects through `connect`, but never more than `most` at once to a port; the others wait their
 * turn, as long as their signal lets them.
 */
export function throughDoors(connect: Connect, most = CONNECTIONS_AT_ONCE): Connect {
  const doors = new Map<number, Door>();

  function enter(port: number, signal: AbortSignal): Promise<void> {
    const door = doors.get(port) ?? { open: 0, waiting: [] };
    doors.set(port, door);
    if (door.open < most) {
      door.open++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admitted = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      function onAbort(): void {
        door.waiting.splice(door.waiting.indexOf(admitted), 1);
        reject(signal.reason);
      }
      door.waiting.push(admitted);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  function leave(port: number): void {
    const door = doors.get(port);
    if (door === undefined) return;
    const next = door.waiting.shift();
    // Whoever waited longest takes the place over: the number of open ones stays.
    if (next !== undefined) return next();
    door.open--;
    if (door.open === 0) doors.delete(port);
  }

  return async (port, signal) => {
    signal.throwIfAborted();
    await enter(port, signal);
    let inside = true;
    const out = () => {
      if (inside) leave(port);
      inside = false;
    };
    let wire: Wire;
    try {
      wire = await connect(port, signal);
    } catch (error) {
      out();
      throw error;
    }
    return {
      read: (buffer) => wire.read(buffer),
      write: (bytes) => wire.write(bytes),
      close() {
        out();
        wire.close();
      },
    };
  };
}
