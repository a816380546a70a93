/** A transport of the SDK that is a pair of function calls: our lines in front, the SDK behind. */

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";

/** Carries messages between the connection and one server of the SDK. */
export class Channel implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #receive: (message: JSONRPCMessage) => void;
  #closed = false;

  /** `receive` gets what the SDK wants to send. */
  constructor(receive: (message: JSONRPCMessage) => void) {
    this.#receive = receive;
  }

  /** Hands a message to the SDK. */
  deliver(message: JSONRPCMessage): void {
    this.onmessage?.(message);
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this.#closed) this.#receive(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.onclose?.();
    }
    return Promise.resolve();
  }
}
