/** The desk's socket: one request line in, one answer line out, then the end (gui-protocol.md 1.3). */

import { type Clock, sleep } from "../host/clock.ts";
import { isJsonObject, type JsonObject } from "../host/json.ts";
import type { Log } from "../host/log.ts";

/** A request as it came in, without its token. */
export interface Incoming {
  readonly request: JsonObject;
  /** The line it stood in. */
  readonly line: string;
}

/** What a listener needs. */
export interface ListenerOptions {
  readonly token: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Answers a request; never rejects. */
  answer(incoming: Incoming): Promise<JsonObject>;
}

/** A listener that is open. */
export interface Listener {
  readonly port: number;
  /** Ends with the accept loop. */
  readonly finished: Promise<void>;
  /** Stops accepting and cuts every connection. */
  close(): void;
}

/** The limits of gui-protocol.md 1.3. Times in milliseconds. */
export const LISTENER_LIMITS = {
  /** Bytes, the newline included. */
  requestBytes: 1_048_576,
  silenceMs: 15_000,
  writeMs: 15_000,
  connections: 8,
} as const;

const NEWLINE = 0x0A;

/** How deep a request may be nested; deeper counts as invalid JSON, as it does in the editor. */
const DEPTH = 128;

/** How long accepting pauses after it failed, in milliseconds. */
const ACCEPT_PAUSE_MS = 50;

/** Listens on a free port of 127.0.0.1. */
export function listen(options: ListenerOptions): Listener {
  const socket = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  let closed = false;
  const accepting = (async () => {
    while (!closed) {
      let connection: Deno.Conn;
      try {
        connection = await socket.accept();
      } catch (error) {
        if (closed) return;
        // One connection that went away before it was taken is no reason to stop.
        options.log.warn(`The desk could not accept a connection: ${reasonOf(error)}`);
        if (error instanceof Deno.errors.BadResource) return;
        // Out of descriptors, say: asking again at once would only spin.
        await sleep(options.clock, ACCEPT_PAUSE_MS);
        continue;
      }
      if (open.size >= LISTENER_LIMITS.connections) {
        closeQuietly(connection);
        continue;
      }
      open.add(connection);
      serve(connection, options).finally(() => {
        open.delete(connection);
        closeQuietly(connection);
      });
    }
  })();
  return {
    port: socket.addr.transport === "tcp" ? socket.addr.port : 0,
    finished: accepting,
    close() {
      if (closed) return;
      closed = true;
      socket.close();
      for (const connection of open) closeQuietly(connection);
    },
  };
}

async function serve(connection: Deno.Conn, options: ListenerOptions): Promise<void> {
  try {
    const line = await readLine(connection, options.clock);
    const incoming = line === undefined ? undefined : accepted(line, options.token);
    // Whatever is not a request with the right token is answered with nothing at all.
    if (incoming === undefined) return;
    const reply = await options.answer(incoming);
    await writeLine(connection, `${JSON.stringify(reply)}\n`, options.clock);
  } catch (error) {
    options.log.debug(`A connection to the desk ended early: ${reasonOf(error)}`);
  }
}

/** The first line, without its newline; undefined when it is too long, cut off or not coming. */
async function readLine(connection: Deno.Conn, clock: Clock): Promise<Uint8Array | undefined> {
  let bytes = new Uint8Array(65_536);
  let filled = 0;
  while (true) {
    if (filled === bytes.length) bytes = grown(bytes);
    const read = await within(
      clock,
      LISTENER_LIMITS.silenceMs,
      connection,
      () => connection.read(bytes.subarray(filled)),
    );
    if (read === null) return undefined;
    const end = bytes.subarray(filled, filled + read).indexOf(NEWLINE);
    if (end >= 0) return bytes.subarray(0, filled + end);
    filled += read;
    // The buffer never grows beyond the limit, so a line that ends in it is not too long.
    if (filled === LISTENER_LIMITS.requestBytes) return undefined;
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(bytes.length * 4, LISTENER_LIMITS.requestBytes));
  larger.set(bytes);
  return larger;
}

async function writeLine(connection: Deno.Conn, line: string, clock: Clock): Promise<void> {
  let rest = new TextEncoder().encode(line);
  while (rest.length > 0) {
    const own = rest;
    const written = await within(
      clock,
      LISTENER_LIMITS.writeMs,
      connection,
      () => connection.write(own),
    );
    rest = own.subarray(written);
  }
}

/** Does one step on a connection, which is closed when the step takes too long. */
async function within<T>(
  clock: Clock,
  ms: number,
  connection: Deno.Conn,
  step: () => Promise<T>,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const forget = clock.after(ms, () => {
    closeQuietly(connection);
    // Some runtimes let a write that hangs go on after the close: it is not waited for.
    reject(new Error(`It took longer than ${ms} ms.`));
  });
  try {
    return await Promise.race([step(), late]);
  } finally {
    forget();
  }
}

/** The request in a line, or undefined unless it is a JSON object with the right token. */
function accepted(bytes: Uint8Array, token: string): Incoming | undefined {
  let line: string;
  let value: unknown;
  try {
    line = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (depthOf(line) > DEPTH) return undefined;
    value = JSON.parse(line);
  } catch {
    // Neither text nor JSON: the protocol wants silence.
    return undefined;
  }
  if (!isJsonObject(value) || !sameText(value.token, token)) return undefined;
  const { token: _token, ...request } = value;
  return { request, line };
}

/** How deep the brackets of a JSON text are nested. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (quoted) {
      if (character === "\\") at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}

/** Compares in a time that does not tell how much agrees. */
function sameText(one: unknown, other: string): boolean {
  if (typeof one !== "string" || one.length !== other.length) return false;
  let differences = 0;
  for (let at = 0; at < other.length; at++) {
    differences |= one.charCodeAt(at) ^ other.charCodeAt(at);
  }
  return differences === 0;
}

function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // It is closed already, by the other side or by a timer: that is what was wanted.
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
