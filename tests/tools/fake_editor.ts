/** An editor's side whose answers a test scripts, and a bench to call tools on it. */

import type {
  Discovery,
  EditorSession,
  EditorSide,
  ExecuteOptions,
  LiveSession,
  SkippedDescriptor,
  Waiting,
} from "../../src/editor/types.ts";
import type { BridgeIdentity } from "../../src/host/build.ts";
import { InfrastructureError } from "../../src/host/faults.ts";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import type { CallContext, ServerFace, ToolResult } from "../../src/mcp/face.ts";
import type { CaptureDisk } from "../../src/tools/capture_disk.ts";
import { createFace, type FaceOptions } from "../../src/tools/face.ts";
import { FakeClock } from "../support/fake_clock.ts";

/** What a session was asked. */
export interface Asked {
  readonly how: "read" | "execute" | "batch" | "poll" | "dismiss";
  readonly request: JsonObject;
  readonly options?: ExecuteOptions;
}

type Answer = (request: JsonObject, waiting: Waiting) => JsonObject | Promise<JsonObject>;

/** One scripted session. */
export class FakeSession implements EditorSession {
  readonly asked: Asked[] = [];
  state: JsonObject | undefined;
  onRead: Answer = () => ({ ok: true });
  onExecute: Answer = (request) => ({ ok: true, status: "completed", ...named(request) });
  onBatch: Answer = (request) => ({ ok: true, status: "completed", ...named(request) });
  onPoll: Answer = (request) => ({ ok: true, status: "running", ...named(request) });

  constructor(readonly sessionId: string) {
    this.state = { session_id: sessionId, document_id: 1, revision: 4 };
  }

  lastState(): JsonObject | undefined {
    return this.state;
  }

  async read(op: string, parameters: JsonObject, waiting: Waiting): Promise<JsonObject> {
    this.asked.push({ how: "read", request: { op, ...parameters } });
    return await this.onRead({ op, ...parameters }, waiting);
  }

  async execute(request: JsonObject, options: ExecuteOptions, waiting: Waiting) {
    this.asked.push({ how: "execute", request, options });
    return await this.onExecute(request, waiting);
  }

  async batch(request: JsonObject, options: ExecuteOptions, waiting: Waiting) {
    this.asked.push({ how: "batch", request, options });
    return await this.onBatch(request, waiting);
  }

  async poll(requestId: string, waiting: Waiting): Promise<JsonObject> {
    this.asked.push({ how: "poll", request: { request_id: requestId } });
    return await this.onPoll({ request_id: requestId }, waiting);
  }

  dismiss(requestId: string): Promise<void> {
    this.asked.push({ how: "dismiss", request: { request_id: requestId } });
    return Promise.resolve();
  }

  /** What was asked in one of the ways. */
  of(how: Asked["how"]): readonly JsonObject[] {
    return this.asked.filter((asked) => asked.how === how).map((asked) => asked.request);
  }
}

/** The scripted editor's side. */
export class FakeEditor implements EditorSide {
  readonly directory = "/config/automation";
  readonly sessionsById = new Map<string, FakeSession>();
  readonly #listeners = new Set<() => void>();
  /** How often any method that may do I/O was called. */
  touched = 0;
  launches: boolean[] = [];
  skipped: readonly SkippedDescriptor[] = [];
  closed = 0;

  constructor(...ids: string[]) {
    for (const id of ids) this.sessionsById.set(id, new FakeSession(id));
  }

  the(id: string): FakeSession {
    const session = this.sessionsById.get(id);
    if (session === undefined) throw new Error(`the test has no session ${id}`);
    return session;
  }

  discover(signal: AbortSignal): Promise<Discovery> {
    signal.throwIfAborted();
    this.touched++;
    const { directory, skipped } = this;
    return Promise.resolve({ directory, live: this.#live(), skipped });
  }

  sessions(launchIfNone: boolean, { signal }: Waiting): Promise<Discovery> {
    this.launches.push(launchIfNone);
    return this.discover(signal);
  }

  session(sessionId: string): Promise<EditorSession> {
    this.touched++;
    const session = this.sessionsById.get(sessionId);
    if (session !== undefined) return Promise.resolve(session);
    return Promise.reject(new InfrastructureError(`No session ${sessionId}`));
  }

  known(): readonly EditorSession[] {
    return [...this.sessionsById.values()];
  }

  onSessionsChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.closed++;
    return Promise.resolve();
  }

  /** The editor ended or another one appeared. */
  change(edit: (sessions: Map<string, FakeSession>) => void): void {
    edit(this.sessionsById);
    for (const listener of this.#listeners) listener();
  }

  #live(): readonly LiveSession[] {
    return [...this.sessionsById.values()].map(({ sessionId, state }) => ({
      sessionId,
      port: 1,
      state: state ?? {},
    }));
  }
}

/** A captures folder in memory: what the fake editor writes and what is left. */
export class FakeDisk implements CaptureDisk {
  readonly files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; modifiedMs: number }>();
  folders: string[] = [];

  makeFolder(path: string): Promise<void> {
    this.folders.push(path);
    return Promise.resolve();
  }

  readPlainFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const file = this.files.get(path);
    if (file === undefined) return Promise.reject(new Deno.errors.NotFound(path));
    return Promise.resolve(file.bytes);
  }

  /** What the editor does: there is nothing to write to once the folder is gone. */
  write(path: string, bytes: Uint8Array<ArrayBuffer>): void {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!this.folders.includes(folder)) throw new Deno.errors.NotFound(path);
    this.files.set(path, { bytes, modifiedMs: 0 });
  }

  remove(path: string): Promise<void> {
    if (!this.folders.includes(path)) return Promise.reject(new Deno.errors.NotFound(path));
    this.folders = this.folders.filter((folder) => folder !== path);
    for (const name of this.files.keys()) if (name.startsWith(`${path}/`)) this.files.delete(name);
    return Promise.resolve();
  }

  list() {
    return Promise.resolve([]);
  }
}

/** The identity that tests use. */
export const IDENTITY: BridgeIdentity = {
  name: "ocs-bridge",
  version: "1.2.3",
  build_rev: "abc1234",
  build_profile: "dev",
  tool_schema: "d".repeat(64),
};

/** Where captures go in tests. */
export const CAPTURES = "/config/automation/captures";

/** A face over a fake editor, with everything a test looks at. */
export interface Bench {
  readonly editor: FakeEditor;
  readonly face: ServerFace;
  readonly clock: FakeClock;
  readonly disk: FakeDisk;
}

/** Puts a face together; sessions "s1" unless others are named. */
export function bench(
  options: Partial<FaceOptions> = {},
  editor: FakeEditor = new FakeEditor("s1"),
): Bench {
  const clock = new FakeClock();
  const disk = new FakeDisk();
  const face = createFace({
    editor,
    identity: IDENTITY,
    policy: { readOnly: false, workspaces: [] },
    schemaStyle: "full",
    capturesDirectory: CAPTURES,
    clock,
    files: { captures: disk },
    listProcesses: () => Promise.resolve(new Set([4711])),
    pid: 4711,
    ...options,
  });
  return { editor, face, clock, disk };
}

/** A call's context; phases are collected. */
export function call(
  overrides: Partial<CallContext> = {},
): CallContext & { readonly phases: string[] } {
  const phases: string[] = [];
  return {
    id: 1,
    era: "modern",
    protocolVersion: "2026-07-28",
    signal: new AbortController().signal,
    tasks: false,
    phase: (message) => void phases.push(message),
    ...overrides,
    phases,
  };
}

/** Calls a tool that is expected to answer at once. */
export async function answer(
  face: ServerFace,
  name: string,
  args: JsonObject,
  context: CallContext = call(),
): Promise<ToolResult> {
  const result = await face.callTool(name, args, context);
  if ("task" in result) throw new Error("the call became a task");
  return result;
}

/** The JSON of the text block. */
export function textJson(result: ToolResult): JsonObject {
  const [block] = result.content;
  if (block?.type !== "text") throw new Error("the first block is no text");
  return JSON.parse(block.text);
}

function named(request: JsonObject): JsonObject {
  return { request_id: request.request_id };
}

/** The object under a key; the test fails when there is none. */
export function objectAt(json: JsonObject, key: string): JsonObject {
  const value = json[key];
  if (isJsonObject(value)) return value;
  throw new Error(`${key} is no object: ${JSON.stringify(value)}`);
}

/** The bytes of the image block; the test fails when there is none. */
export function imageOf(result: ToolResult): Uint8Array<ArrayBuffer> {
  for (const block of result.content) {
    if (block.type === "image") return Uint8Array.fromBase64(block.data);
  }
  throw new Error("the result holds no image");
}
