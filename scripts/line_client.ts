/** A client of a program's lines that costs as little as possible: for measuring, not for checking. */

import { isJsonObject, type JsonObject } from "../src/host/json.ts";

/** One request at a time over the pipes of a process. */
export class LineClient implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #output: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  #rest = "";
  #nextId = 1;

  constructor(
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#child = new Deno.Command(command, {
      args: [...args],
      env: { ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#output = this.#child.stdout.getReader();
  }

  /** Sends a notification. */
  async notify(method: string): Promise<void> {
    await this.#send({ jsonrpc: "2.0", method });
  }

  /** Sends a request and gives its answer, passing over notifications. */
  async request(method: string, params: JsonObject): Promise<JsonObject> {
    const id = this.#nextId++;
    await this.#send({ jsonrpc: "2.0", id, method, params });
    for (;;) {
      const answer: unknown = JSON.parse(await this.#line());
      if (isJsonObject(answer) && answer.id === id) return answer;
    }
  }

  async #send(message: JsonObject): Promise<void> {
    await this.#input.write(this.#encoder.encode(`${JSON.stringify(message)}\n`));
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const { value } = await this.#output.read();
      if (value === undefined) throw new Error("The program ended before it answered.");
      this.#rest += this.#decoder.decode(value, { stream: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#child.status;
    await this.#output.cancel();
  }
}
