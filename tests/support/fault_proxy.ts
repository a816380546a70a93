/** A proxy between the bridge and a protocol-1 server that spoils exchanges as a test wants it. */

import { readLine, writeAll } from "./protocol_server.ts";

/** What happens to one exchange. */
export type Fault =
  | { readonly kind: "pass" }
  /** The request is passed on once `until` resolves. */
  | { readonly kind: "delay"; readonly until: Promise<unknown> }
  /** The connection is taken and nothing ever comes. */
  | { readonly kind: "hang" }
  /** Closed before the request is passed on. */
  | { readonly kind: "cut_before" }
  /** The answer breaks off after this many bytes. */
  | { readonly kind: "cut_after"; readonly bytes: number }
  /** The request is passed on, its answer is lost: closed without a byte. */
  | { readonly kind: "drop_answer" }
  /** These bytes come instead of the answer. */
  | { readonly kind: "garbage"; readonly bytes: Uint8Array }
  /** More than 16 MiB come without a newline. */
  | { readonly kind: "flood" };

/** A running proxy. */
export interface FaultProxy extends AsyncDisposable {
  readonly port: number;
  /** Exchanges so far. */
  readonly exchanges: number;
  /** Stops listening: the next connection is refused. */
  refuse(): void;
}

/** The fault for an exchange, by its number from 0 and the request's line. */
export type Plan = (index: number, line: string) => Fault;

/** Starts a proxy to the server on `upstream`; point the descriptor at its port. */
export function startFaultProxy(upstream: number, plan: Plan): FaultProxy {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  let exchanges = 0;
  let listening = true;

  async function serve(conn: Deno.Conn): Promise<void> {
    open.add(conn);
    try {
      const line = await readLine(conn);
      if (line !== undefined) await spoil(conn, line, plan(exchanges++, line));
    } catch {
      // One of the two ends went away: the exchange is over either way.
    } finally {
      open.delete(conn);
      closeQuietly(conn);
    }
  }

  async function spoil(conn: Deno.Conn, line: string, fault: Fault): Promise<void> {
    switch (fault.kind) {
      case "pass":
        return await writeAll(conn, await forward(line));
      case "delay":
        await fault.until;
        return await writeAll(conn, await forward(line));
      case "hang":
        await readLine(conn);
        return;
      case "cut_before":
        return;
      case "cut_after":
        return await writeAll(conn, (await forward(line)).subarray(0, fault.bytes));
      case "drop_answer":
        await forward(line);
        return;
      case "garbage":
        return await writeAll(conn, fault.bytes);
      case "flood": {
        const block = new Uint8Array(1_048_576).fill(0x20);
        for (let count = 0; count < 17; count++) await writeAll(conn, block);
      }
    }
  }

  async function forward(line: string): Promise<Uint8Array> {
    using conn = await Deno.connect({ hostname: "127.0.0.1", port: upstream });
    await writeAll(conn, new TextEncoder().encode(`${line}\n`));
    const answer = await readLine(conn);
    return new TextEncoder().encode(answer === undefined ? "" : `${answer}\n`);
  }

  const accepting = (async () => {
    for await (const conn of listener) serve(conn);
  })();
  const refuse = () => {
    if (listening) listener.close();
    listening = false;
  };
  return {
    port: listener.addr.port,
    get exchanges() {
      return exchanges;
    },
    refuse,
    async [Symbol.asyncDispose]() {
      refuse();
      for (const conn of open) closeQuietly(conn);
      await accepting;
    },
  };
}

function closeQuietly(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // Closed already by the other end.
  }
}
