/** What most end-to-end tests begin with: a desk, a bridge on it, and calls that must succeed. */

import { AssertionError } from "@std/assert";
import { type DeskOptions, startDesk } from "../../src/desk/desk.ts";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import { BridgeProgram, type Program } from "../support/bridge_program.ts";
import { arrayIn, objectIn } from "../support/expect.ts";
import { readLine, writeAll } from "../support/protocol_server.ts";

/** Where a session is and how it is talked to without the bridge. */
export interface Session {
  readonly sessionId: string;
  readonly port: number;
  readonly token: string;
}

/** A desk within the test's own process. */
export interface DeskHere extends Session, AsyncDisposable {
  readonly configDir: string;
  readonly automationDir: string;
  /** Ends it, and its descriptor with it; the directory stays. */
  stop(): Promise<void>;
}

/** A temporary directory in its real spelling, removed at the end of the test. */
export async function scratch(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "ocs-e2e-" }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/**
 * Starts a desk; what it is slow at, and who sits at it, is said in `options`. Its directory goes
 * with it, unless one is given that others use as well.
 */
export async function deskHere(options: Partial<DeskOptions> = {}): Promise<DeskHere> {
  const own = options.directory === undefined ? await scratch() : undefined;
  const configDir = options.directory ?? own?.path ?? "";
  const desk = await startDesk({
    directory: configDir,
    executable: "/opt/ocs/OpenCADStudio",
    version: "2026.45",
    ...options,
  });
  const session = sessionIn(JSON.parse(await Deno.readTextFile(desk.descriptorPath)));
  return {
    ...session,
    configDir,
    automationDir: `${configDir}/automation`,
    stop: () => desk.stop(),
    async [Symbol.asyncDispose]() {
      await desk.stop();
      await own?.[Symbol.asyncDispose]();
    },
  };
}

/** What a descriptor says about its session. */
export function sessionIn(descriptor: unknown): Session {
  const { session_id, port, token } = objectIn(descriptor, "a descriptor");
  if (typeof session_id !== "string" || typeof port !== "number" || typeof token !== "string") {
    throw new AssertionError("The descriptor has no session_id, port or token.");
  }
  return { sessionId: session_id, port, token };
}

/** One exchange with the session itself, past the bridge. */
export async function askDirectly(session: Session, request: JsonObject): Promise<JsonObject> {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port: session.port });
  const line = `${JSON.stringify({ ...request, token: session.token })}\n`;
  await writeAll(conn, new TextEncoder().encode(line));
  return objectIn(JSON.parse(await readLine(conn) ?? "null"), `the answer to ${request.op}`);
}

/** Starts the bridge as a client would, hands shaken. */
export async function bridgeAt(
  program: Program,
  configDir: string,
  args: readonly string[] = [],
): Promise<BridgeProgram> {
  const bridge = BridgeProgram.start({ program, args: ["--config-dir", configDir, ...args] });
  await bridge.initialize();
  return bridge;
}

/** The envelope of a modern request, to be spread into its `params`. */
export function modern(capabilities: JsonObject = {}): JsonObject {
  return {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    },
  };
}

/** A picture and what was said about it. */
export interface Taken {
  readonly metadata: JsonObject;
  /** The PNG of the image block; absent when there was none. */
  readonly png?: Uint8Array<ArrayBuffer>;
  readonly content: readonly JsonObject[];
}

/** Calls tools in one session, as a model does. */
export class Agent {
  #count = 0;

  constructor(readonly bridge: BridgeProgram, readonly sessionId: string) {}

  /** What the call answered; it must not be an error. */
  async tool(name: string, args: JsonObject): Promise<JsonObject> {
    const result = await this.bridge.callTool(name, args);
    if (result.isError === true || !isJsonObject(result.structuredContent)) {
      throw new AssertionError(`${name} failed: ${textOf(result)}`);
    }
    return result.structuredContent;
  }

  /** The text of a call that must end as a tool error. */
  async refusal(name: string, args: JsonObject): Promise<string> {
    return refusalIn(await this.bridge.callTool(name, this.#inSession(args)));
  }

  /** The error of a call that must end as a JSON-RPC error. */
  async failure(name: string, args: JsonObject): Promise<{ code: unknown; message: string }> {
    const params = { name, arguments: this.#inSession(args) };
    const answer = await this.bridge.request("tools/call", params);
    const { code, message } = objectIn(answer.error, `the error in ${JSON.stringify(answer)}`);
    return { code, message: String(message) };
  }

  /** Runs an operation, under a request_id of its own unless one is given. */
  execute(request: JsonObject, more: JsonObject = {}): Promise<JsonObject> {
    return this.tool("ocs_execute", this.operation(request, more));
  }

  /** The arguments of such a call. */
  operation(request: JsonObject, more: JsonObject = {}): JsonObject {
    const identified = { request_id: `e2e-${this.bridge.pid}-${++this.#count}`, ...request };
    return { ocs_session_id: this.sessionId, request: identified, ...more };
  }

  read(op: string, parameters: JsonObject = {}): Promise<JsonObject> {
    return this.tool("ocs_read", { ocs_session_id: this.sessionId, op, parameters });
  }

  /** Opens a drawing and draws `entities` in it; gives their handles. */
  async draw(entities: readonly JsonObject[]): Promise<readonly string[]> {
    await this.execute({ op: "new" });
    const { result } = await this.execute({ op: "entities_create", entities });
    return arrayIn(objectIn(result, "result").handles, "handles").map(String);
  }

  async capture(args: JsonObject = {}): Promise<Taken> {
    const result = await this.bridge.callTool("ocs_capture", this.#inSession(args));
    if (result.isError === true) throw new AssertionError(`ocs_capture failed: ${textOf(result)}`);
    const content = arrayIn(result.content, "content").map((block) => objectIn(block, "a block"));
    const metadata = objectIn(result.structuredContent, "structuredContent");
    const image = content.find((block) => block.type === "image");
    return {
      metadata,
      content,
      ...(image !== undefined && { png: Uint8Array.fromBase64(String(image.data)) }),
    };
  }

  #inSession(args: JsonObject): JsonObject {
    return { ocs_session_id: this.sessionId, ...args };
  }
}

/** The text of a tool result that must be an error. */
export function refusalIn(result: JsonObject): string {
  if (result.isError !== true) {
    throw new AssertionError(`Expected a tool error, got ${textOf(result)}`);
  }
  return textOf(result);
}

/** The first text block of a tool result. */
export function textOf(result: JsonObject): string {
  const [block] = arrayIn(result.content, "content");
  return String(objectIn(block, "the first block").text);
}

/** Asks until the session says what is wanted of it; every look is an exchange of its own. */
export async function untilState(
  session: Session,
  wanted: (state: JsonObject) => boolean,
): Promise<JsonObject> {
  for (let looks = 0; looks < 20_000; looks++) {
    const state = await askDirectly(session, { op: "state" });
    if (wanted(state)) return state;
  }
  throw new AssertionError("The session never came to the state that was waited for.");
}

/** Until an operation is pending, of that request_id if one is given. */
export function untilPending(session: Session, requestId?: string): Promise<JsonObject> {
  return untilState(
    session,
    ({ operation }) => requestId === undefined ? operation !== null : operation === requestId,
  );
}

/** Watches a directory until `look` finds in it what is waited for; gives up after a minute. */
export async function untilFolder(
  directory: string,
  look: () => Promise<boolean>,
): Promise<void> {
  using watcher = Deno.watchFs(directory);
  if (await look()) return;
  const timer = setTimeout(() => watcher.close(), 60_000);
  try {
    for await (const _event of watcher) {
      if (await look()) return;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new AssertionError(`What was waited for never came about in ${directory}.`);
}
