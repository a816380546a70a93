/** A client for the tests: it writes lines to a connection in memory and reads what comes back. */

import { assert, assertEquals } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../src/host/json.ts";
import {
  type ConnectionEnd,
  type ConnectionOptions,
  serveConnection,
} from "../../src/mcp/connection.ts";
import { FakeFace } from "./fake_face.ts";

const encoder = new TextEncoder();

/** Bytes in at one end, out at the other. */
export class Pipe {
  readonly #chunks: Uint8Array[] = [];
  readonly #waiting: (() => void)[] = [];
  #closed = false;

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#waiting.shift()?.();
  }

  close(): void {
    this.#closed = true;
    for (const wake of this.#waiting) wake();
  }

  async read(into: Uint8Array): Promise<number | null> {
    while (this.#chunks.length === 0) {
      if (this.#closed) return null;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const chunk = this.#chunks.shift() ?? new Uint8Array();
    const count = Math.min(chunk.length, into.length);
    into.set(chunk.subarray(0, count));
    if (count < chunk.length) this.#chunks.unshift(chunk.subarray(count));
    return count;
  }
}

/** Cuts what the connection writes into lines and hands them out one by one. */
class Inbox {
  readonly lines: string[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #decoder = new TextDecoder();
  #rest = "";
  #taken = 0;

  write(bytes: Uint8Array): Promise<number> {
    const parts = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = parts.pop() ?? "";
    this.lines.push(...parts);
    if (parts.length > 0) { for (const wake of this.#waiting.splice(0)) wake(); }
    return Promise.resolve(bytes.length);
  }

  /** What was written after the last newline. */
  get rest(): string {
    return this.#rest;
  }

  async next(): Promise<unknown> {
    for (;;) {
      const line = this.lines[this.#taken];
      if (line !== undefined) {
        this.#taken++;
        return JSON.parse(line);
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

/** A connected client. */
export class Client {
  readonly face: FakeFace;
  readonly input = new Pipe();
  readonly output = new Inbox();
  readonly ended: Promise<ConnectionEnd>;
  #barriers = 0;

  constructor(options: Partial<ConnectionOptions> & { readonly face?: FakeFace } = {}) {
    const { face = new FakeFace(), ...rest } = options;
    this.face = face;
    this.ended = serveConnection(face, { reader: this.input, writer: this.output, ...rest });
  }

  /** Writes text as it is. */
  raw(text: string): void {
    this.input.push(encoder.encode(text));
  }

  /** Writes values, each on a line of its own, in one go. */
  send(...messages: unknown[]): void {
    this.raw(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  /** Writes a request. */
  request(id: unknown, method: string, params?: JsonObject): void {
    this.send({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
  }

  /** Writes a notification. */
  notify(method: string, params?: JsonObject): void {
    this.send({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) });
  }

  /** The next line that is an object. */
  async next(): Promise<JsonObject> {
    return asObject(await this.output.next());
  }

  /** Writes a request and answers the next line, which must be its answer. */
  async ask(id: string | number, method: string, params?: JsonObject): Promise<JsonObject> {
    this.request(id, method, params);
    const answer = await this.next();
    assertEquals(answer.id, id, JSON.stringify(answer));
    return answer;
  }

  /** As `ask`, but only the result. */
  async result(id: string | number, method: string, params?: JsonObject): Promise<JsonObject> {
    const { result, error } = await this.ask(id, method, params);
    return asObject(result ?? error, result !== undefined);
  }

  /** As `ask`, but only the error. */
  async error(id: string | number, method: string, params?: JsonObject): Promise<JsonObject> {
    const { result, error } = await this.ask(id, method, params);
    return asObject(error ?? result, error !== undefined);
  }

  /** Legacy handshake. */
  async initialize(protocolVersion = "2025-11-25"): Promise<JsonObject> {
    const result = await this.result("init", "initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    this.notify("notifications/initialized");
    return result;
  }

  /**
   * Passes once everything sent before has been taken in and has come to rest: two requests
   * through the whole stack. Fails when any other line comes first, unless that is `expected`.
   */
  async quiet(expected = false): Promise<void> {
    for (let round = 0; round < 2; round++) {
      const id = `quiet-${++this.#barriers}`;
      this.request(id, "resources/list", M);
      let answer = await this.next();
      while (expected && answer.id !== id) answer = await this.next();
      assertEquals(answer.id, id, JSON.stringify(answer));
    }
  }

  /** Closes the input, checks every line ever written, and says how serving ended. */
  async close(): Promise<ConnectionEnd> {
    this.input.close();
    const end = await this.ended;
    this.checkLines();
    return end;
  }

  /** Every line is a JSON-RPC message (or a batch of them), and no line is left half. */
  checkLines(): void {
    assertEquals(this.output.rest, "");
    for (const line of this.output.lines) {
      const value: unknown = JSON.parse(line);
      for (const message of Array.isArray(value) ? value : [value]) {
        assert(isJsonObject(message) && message.jsonrpc === "2.0", line);
        assert(!(Object.hasOwn(message, "method") && Object.hasOwn(message, "id")), line);
      }
    }
  }
}

/** The value as an object, when it is one and `expected` holds. */
export function asObject(value: unknown, expected = true): JsonObject {
  if (isJsonObject(value) && expected) return value;
  throw new Error(`unexpected: ${JSON.stringify(value)}`);
}

/** The value as a list of objects. */
export function asList(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.map((one) => asObject(one));
  throw new Error(`expected a list: ${JSON.stringify(value)}`);
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The modern envelope: `params: { ...M, ... }`. */
export const M = { _meta: META };

/** The modern envelope that declares tasks. */
export const MT = {
  _meta: {
    ...META,
    "io.modelcontextprotocol/clientCapabilities": {
      extensions: { "io.modelcontextprotocol/tasks": {} },
    },
  },
};

/** The modern envelope with more members in `_meta`. */
export function meta(more: JsonObject): { readonly _meta: JsonObject } {
  return { _meta: { ...META, ...more } };
}

/** The `_meta` of every modern result. */
export const SI = {
  "io.modelcontextprotocol/serverInfo": {
    name: "OpenCADStudio",
    title: "Open CAD Studio",
    version: "0.1.0",
  },
};
