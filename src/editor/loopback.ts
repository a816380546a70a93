/** The wire to an editor: TCP to 127.0.0.1, literally, since `localhost` may become `::1`. */

/** One connection, as far as an exchange needs it. */
export interface Wire {
  /** Reads into `buffer`; null at the end of the stream. */
  read(buffer: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

/** Opens a connection to a port of this machine; rejects when `signal` is aborted. */
export type Connect = (port: number, signal: AbortSignal) => Promise<Wire>;

/** The real thing. */
export const connectLoopback: Connect = (port, signal) =>
  Deno.connect({ hostname: "127.0.0.1", port, signal });
