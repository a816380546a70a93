/** A small scripted protocol-1 server: its own descriptor, one handler that the test gives. */

import { isJsonObject, type Json, type JsonObject } from "../../src/host/json.ts";

/** What a handler does with a request: a reply, or one of the silent ends. */
export type Answer = JsonObject | "close" | "hang" | { readonly raw: Uint8Array };

/** Answers one request; `token` is removed, everything else is as it came. */
export type Handler = (request: JsonObject) => Answer | Promise<Answer>;

/** A running server. */
export interface ProtocolServer extends AsyncDisposable {
  readonly sessionId: string;
  readonly token: string;
  readonly port: number;
  /** Path of the descriptor. */
  readonly descriptor: string;
  /** Requests so far, in order of arrival, without their token. */
  readonly requests: readonly JsonObject[];
  /** Connections that are open now, and the most there ever were. */
  readonly connections: { readonly open: number; readonly most: number };
  /** Replaces the handler. */
  handle(handler: Handler): void;
  /** Resolves as soon as `count` requests for which `matches` holds have come. */
  arrived(count: number, matches?: (request: JsonObject) => boolean): Promise<void>;
  /** Stops listening and drops all connections; the descriptor stays, as a crash leaves it. */
  crash(): void;
}

/** How a server differs from the ordinary. */
export interface ServerSetup {
  readonly sessionId?: string;
  readonly pid?: number | null;
  readonly executable?: string;
  /** What the descriptor claims; the default is the port listened on. */
  readonly claimedPort?: number;
  readonly claimedToken?: string;
  /** Merged into the ordinary state. */
  readonly state?: JsonObject;
  /** The default knows `hello` and `state` and completes every other op. */
  readonly handler?: Handler;
}

/** Random lower-case hex digits. */
export function hex(bytes: number): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(bytes)),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** A new automation directory, mode 0700, that goes with the test. */
export async function automationDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "ocs-bridge-" }));
  const path = `${root}/automation`;
  await Deno.mkdir(path, { mode: 0o700 });
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

/** The fields of a state that the bridge looks at. */
export function ordinaryState(sessionId: string, more: JsonObject = {}): JsonObject {
  return {
    ok: true,
    protocol: 1,
    session_id: sessionId,
    version: "2026.45",
    mode: "gui",
    enabled: true,
    document_id: 3,
    revision: 12,
    geometry_revision: 40,
    camera_revision: 7,
    selection: ["8A"],
    command: null,
    modal: null,
    event_cursor: 9,
    operation: null,
    ...more,
  };
}

/** The answer to an operation that goes on (gui-protocol.md 2.2). */
export function running(request: JsonObject): JsonObject {
  return { ok: true, status: "running", request_id: request.request_id ?? null };
}

/** A settled answer as gui-protocol.md 2.2 has it. */
export function settled(request: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    ok: true,
    status: "completed",
    request_id: request.request_id ?? null,
    error: null,
    result: {},
    changes: [],
    ...more,
  };
}

/** Writes a descriptor file, mode 0600. */
export async function writeDescriptor(
  directory: string,
  fields: JsonObject,
  name = `${String(fields.session_id)}.json`,
): Promise<string> {
  const path = `${directory}/${name}`;
  await Deno.writeTextFile(path, JSON.stringify(fields), { mode: 0o600 });
  return path;
}

/** Starts a server on an ephemeral port and writes its descriptor into `directory`. */
export async function startProtocolServer(
  directory: string,
  setup: ServerSetup = {},
): Promise<ProtocolServer> {
  const sessionId = setup.sessionId ?? hex(16);
  const token = hex(32);
  const state = ordinaryState(sessionId, setup.state);
  const ordinary: Handler = (request) =>
    request.op === "hello" || request.op === "state" ? state : settled(request);
  let handler = setup.handler ?? ordinary;

  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const open = new Set<Deno.Conn>();
  const requests: JsonObject[] = [];
  const watchers = new Set<() => void>();
  let most = 0;

  async function serve(conn: Deno.Conn): Promise<void> {
    open.add(conn);
    most = Math.max(most, open.size);
    try {
      const line = await readLine(conn);
      const request: unknown = line === undefined ? undefined : JSON.parse(line);
      if (!isJsonObject(request) || request.token !== token) return;
      const { token: _token, ...rest } = request;
      requests.push(rest);
      for (const watcher of [...watchers]) watcher();
      const answer = rest.op === "hello" && setup.handler === undefined
        ? await ordinary(rest)
        : await handler(rest);
      if (answer === "close") return;
      if (answer === "hang") {
        // Until the other end gives up.
        await readLine(conn);
        return;
      }
      const raw: unknown = answer.raw;
      await writeAll(
        conn,
        raw instanceof Uint8Array ? raw : new TextEncoder().encode(JSON.stringify(answer) + "\n"),
      );
    } catch {
      // The other end went away, or the request was no JSON: a server closes without a word.
    } finally {
      open.delete(conn);
      closeQuietly(conn);
    }
  }

  const accepting = (async () => {
    for await (const conn of listener) serve(conn);
  })();
  const descriptor = await writeDescriptor(directory, {
    protocol: 1,
    session_id: sessionId,
    ...(setup.pid === null ? {} : { pid: setup.pid ?? Deno.pid }),
    port: setup.claimedPort ?? port,
    token: setup.claimedToken ?? token,
    executable: setup.executable ?? "/opt/ocs/OpenCADStudio",
  });

  const crash = () => {
    closeQuietly(listener);
    for (const conn of open) closeQuietly(conn);
  };
  return {
    sessionId,
    token,
    port,
    descriptor,
    requests,
    connections: {
      get open() {
        return open.size;
      },
      get most() {
        return most;
      },
    },
    handle(next) {
      handler = next;
    },
    arrived(count, matches = () => true) {
      return new Promise((resolve) => {
        const look = () => {
          if (requests.filter(matches).length < count) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      });
    },
    crash,
    async [Symbol.asyncDispose]() {
      crash();
      await accepting;
    },
  };
}

/** Whether a request is for this op; for `arrived`. */
export function isOp(op: Json): (request: JsonObject) => boolean {
  return (request) => request.op === op;
}

/** One line without its newline, or undefined at an end without one. */
export async function readLine(conn: Deno.Conn): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  const buffer = new Uint8Array(65_536);
  while (true) {
    const count = await conn.read(buffer);
    if (count === null) return undefined;
    const newline = buffer.subarray(0, count).indexOf(0x0a);
    parts.push(buffer.slice(0, newline === -1 ? count : newline));
    if (newline === -1) continue;
    const decoder = new TextDecoder();
    return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  }
}

/** Writes all of the bytes. */
export async function writeAll(conn: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await conn.write(rest));
}

function closeQuietly(resource: { close(): void }): void {
  try {
    resource.close();
  } catch {
    // Closed already, by the other end of the test.
  }
}
