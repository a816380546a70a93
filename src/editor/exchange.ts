/** One exchange with the editor: a connection, a line out, a line in, one deadline (bridge.md 4.1). */

import type { Clock } from "../host/clock.ts";
import { isJsonObject, type JsonObject } from "../host/json.ts";
import { ANSWER_CAP, type ExchangeFault, REQUEST_CAP } from "./exchange_faults.ts";
import type { Connect, Wire } from "./loopback.ts";
import type { EditorReply } from "./types.ts";

/** Who is asked. */
export interface Endpoint {
  readonly port: number;
  readonly token: string;
  readonly sessionId: string;
}

/** What an exchange needs of the machine. */
export interface ExchangeMachine {
  readonly clock: Clock;
  readonly connect: Connect;
}

/** The bounds of an exchange, in milliseconds. */
export const DEADLINES = { hello: 1_000, dismissal: 5_000, ordinary: 15_000 } as const;

/** The reply, or the fault in its place. */
export type ExchangeOutcome =
  | { readonly kind: "reply"; readonly reply: EditorReply }
  | { readonly kind: "fault"; readonly fault: ExchangeFault };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const NEWLINE = 0x0a;
const FIRST_BUFFER = 65_536;
/** Shorter tokens are not looked for in answers: they could be any word. */
const SHORTEST_TOKEN = 16;

/**
 * Sends `request` and reads the answer. `token`, `session_id` and `protocol` overwrite what the
 * caller sent. Never rejects but with the reason of `signal`.
 */
export async function exchange(
  machine: ExchangeMachine,
  endpoint: Endpoint,
  request: JsonObject,
  deadlineMs: number,
  signal?: AbortSignal,
): Promise<ExchangeOutcome> {
  signal?.throwIfAborted();
  const line = encoder.encode(
    JSON.stringify({
      ...request,
      token: endpoint.token,
      session_id: endpoint.sessionId,
      protocol: 1,
    }) + "\n",
  );
  if (line.length > REQUEST_CAP) return fault({ kind: "request_too_large", bytes: line.length });

  const ended = new AbortController();
  let wire: Wire | undefined;
  // A read that hangs ends only when its connection is closed under it.
  const end = () => {
    ended.abort();
    closeQuietly(wire);
  };
  const forget = machine.clock.after(deadlineMs, end);
  signal?.addEventListener("abort", end, { once: true });
  try {
    try {
      wire = await machine.connect(endpoint.port, ended.signal);
    } catch (error) {
      if (ended.signal.aborted) return fault({ kind: "unconnected", deadlineMs });
      return fault(connectFault(error));
    }
    if (ended.signal.aborted) return fault({ kind: "unconnected", deadlineMs });
    return await converse(wire, line, endpoint.token, deadlineMs, ended.signal);
  } finally {
    forget();
    signal?.removeEventListener("abort", end);
    closeQuietly(wire);
    signal?.throwIfAborted();
  }
}

async function converse(
  wire: Wire,
  line: Uint8Array,
  token: string,
  deadlineMs: number,
  ended: AbortSignal,
): Promise<ExchangeOutcome> {
  try {
    for (let rest = line; rest.length > 0;) rest = rest.subarray(await wire.write(rest));
  } catch {
    // The editor may have answered and closed before it took the whole line: reading tells.
    if (ended.aborted) return fault({ kind: "silent", deadlineMs });
  }
  let buffer = new Uint8Array(FIRST_BUFFER);
  let filled = 0;
  while (true) {
    let count: number | null;
    try {
      count = await wire.read(buffer.subarray(filled));
    } catch {
      // A reset is how a close looks when our line was not read; told apart by what came before.
      count = null;
    }
    if (ended.aborted && (count === null || count === 0)) {
      if (filled === 0) return fault({ kind: "silent", deadlineMs });
      return fault({ kind: "half_answer", bytes: filled, ended: "deadline" });
    }
    if (count === null) {
      if (filled === 0) return fault({ kind: "closed_without_a_byte" });
      return fault({ kind: "half_answer", bytes: filled, ended: "closed" });
    }
    const newline = buffer.subarray(filled, filled + count).indexOf(NEWLINE);
    if (newline !== -1) return parseAnswer(buffer.subarray(0, filled + newline), token);
    filled += count;
    if (filled >= ANSWER_CAP) return fault({ kind: "too_large" });
    if (filled === buffer.length) {
      const wider = new Uint8Array(Math.min(buffer.length * 2, ANSWER_CAP));
      wider.set(buffer);
      buffer = wider;
    }
  }
}

function parseAnswer(bytes: Uint8Array, token: string): ExchangeOutcome {
  let reply: unknown;
  try {
    let text = decoder.decode(bytes);
    if (token.length >= SHORTEST_TOKEN && text.includes(token)) {
      text = text.replaceAll(token, "(token withheld)");
    }
    reply = JSON.parse(text);
  } catch {
    // Neither UTF-8 nor JSON: the same fault, the bytes themselves say nothing more.
    return fault({ kind: "not_json", bytes: bytes.length });
  }
  if (!isJsonObject(reply)) return fault({ kind: "not_json", bytes: bytes.length });
  return { kind: "reply", reply };
}

function connectFault(error: unknown): ExchangeFault {
  // A listener that goes away in the middle of the handshake resets it: as good as a refusal.
  const { ConnectionRefused, ConnectionReset, ConnectionAborted } = Deno.errors;
  for (const refusal of [ConnectionRefused, ConnectionReset, ConnectionAborted]) {
    if (error instanceof refusal) return { kind: "refused" };
  }
  if (error instanceof Deno.errors.NotCapable) {
    return { kind: "unreachable", seen: "the sandbox grants no connection to 127.0.0.1" };
  }
  const name = error instanceof Error ? error.name : "unknown failure";
  return { kind: "unreachable", seen: `connecting to 127.0.0.1 failed (${name})` };
}

function fault(fault: ExchangeFault): ExchangeOutcome {
  return { kind: "fault", fault };
}

function closeQuietly(wire: Wire | undefined): void {
  try {
    wire?.close();
  } catch {
    // Closed already, by the deadline or by the other end: that is what was wanted.
  }
}
