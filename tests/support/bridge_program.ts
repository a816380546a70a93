/** Starts the program as a client would, talks to it in lines, and holds it to its promises. */

import { fileURLToPath } from "node:url";
import { sourceDigest } from "../../scripts/source_digest.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/host/json.ts";

/** The tree under test. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");

/** How the program is run: from source, or as the executable in dist/. */
export interface Program {
  readonly name: "source" | "executable";
  readonly command: string;
  /** Before the program's own arguments. */
  readonly args: readonly string[];
  /** What the runtime itself needs in the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Why it cannot be run here; its tests are then reported as skipped. */
  readonly missing?: string;
}

/** The program run by the Deno that runs the tests. */
export const SOURCE: Program = {
  name: "source",
  command: Deno.execPath(),
  args: ["run", "--quiet", "--allow-all", "--no-prompt", `${ROOT}/main.ts`],
  env: { DENO_DIR: denoDir(), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
};

/** The executable in dist/, when it was made from the source as it is now. */
export const EXECUTABLE: Program = await findExecutable();

/** Both ways to run it. */
export const PROGRAMS: readonly Program[] = [SOURCE, EXECUTABLE];

/** Registers a test for each way to run the program; where one is missing, a skipped one. */
export function testEachProgram(name: string, run: (program: Program) => Promise<void>): void {
  for (const program of PROGRAMS) {
    const why = program.missing === undefined ? "" : `, skipped: ${program.missing}`;
    Deno.test({
      name: `${name} (${program.name}${why})`,
      ignore: program.missing !== undefined,
      fn: () => run(program),
    });
  }
}

/** How to start it. */
export interface StartOptions {
  readonly program?: Program;
  readonly args?: readonly string[];
  /** The whole environment, besides what the runtime needs; nothing is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How long a wait for the program may last before the test is given up, in ms. */
const PATIENCE_MS = 60_000;

/** A program that was started and is ended at the end of the test. */
export class RunningProgram implements AsyncDisposable {
  readonly exited: Promise<Deno.CommandStatus>;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #reading: Promise<unknown>;
  readonly #listeners = new Set<() => void>();
  #stderr = "";
  #ended = false;
  /** Every line on stdout, without its newline. */
  readonly lines: string[] = [];

  constructor(options: StartOptions) {
    const program = options.program ?? SOURCE;
    this.#child = new Deno.Command(program.command, {
      args: [...program.args, ...(options.args ?? [])],
      clearEnv: true,
      env: { ...program.env, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.exited = this.#child.status;
    this.#input = this.#child.stdin.getWriter();
    this.#reading = Promise.all([this.#readLines(), this.#readErrors()]).then(() => {
      this.#ended = true;
      this.#changed();
    });
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** What it has written to stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Writes bytes or text as they are. */
  async write(data: string | Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#input.write(typeof data === "string" ? new TextEncoder().encode(data) : data);
  }

  /** Ends its input, as a client does that is done. */
  async closeInput(): Promise<void> {
    try {
      await this.#input.close();
    } catch {
      // It closed its end first, or the input was closed before: both are the end of input.
    }
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Waits for exit and for the rest of both streams; gives the exit code. */
  async exitCode(): Promise<number> {
    const [status] = await this.#patiently("its exit", Promise.all([this.exited, this.#reading]));
    return status.code;
  }

  /** The first value that `look` finds, now or after any later line; rejects when it ended before. */
  until<T>(what: string, look: () => T | undefined): Promise<T> {
    return this.#patiently(
      what,
      new Promise((resolve, reject) => {
        const check = () => {
          const found = look();
          if (found === undefined && !this.#ended) return;
          this.#listeners.delete(check);
          if (found !== undefined) resolve(found);
          else reject(new Error(`The program ended before ${what}. ${this.#story()}`));
        };
        this.#listeners.add(check);
        check();
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeInput();
    const timer = setTimeout(() => this.#tryKill(), 3_000);
    await this.exited;
    clearTimeout(timer);
    await this.#reading;
  }

  #tryKill(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It ended in the meantime, which is what was wanted.
    }
  }

  async #patiently<T>(what: string, wait: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tired = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`Waited too long for ${what}. ${this.#story()}`)),
        PATIENCE_MS,
      );
    });
    try {
      return await Promise.race([wait, tired]);
    } finally {
      clearTimeout(timer);
    }
  }

  #story(): string {
    const lines = this.lines.slice(-5).map((line) => line.slice(0, 1_000));
    return `Lines: ${lines.join("\n")}\nStderr: ${this.#stderr.slice(-2_000)}`;
  }

  async #readLines(): Promise<void> {
    const decoder = new TextDecoderStream();
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(decoder)) {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      this.lines.push(...parts);
      if (parts.length > 0) this.#changed();
    }
    if (rest !== "") this.lines.push(rest);
  }

  async #readErrors(): Promise<void> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      this.#stderr += text;
      this.#changed();
    }
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The bridge serving a client: every line it writes must be a JSON-RPC message. */
export class BridgeProgram extends RunningProgram {
  #nextId = 1;

  /** Starts it in serve mode. */
  static start(options: StartOptions = {}): BridgeProgram {
    return new BridgeProgram(options);
  }

  readonly #messages: JsonObject[] = [];

  /** Every message it has sent so far; throws when a line is not a JSON-RPC message. */
  get messages(): readonly JsonObject[] {
    for (const line of this.lines.slice(this.#messages.length)) {
      this.#messages.push(rpcMessage(line));
    }
    return this.#messages;
  }

  /** Sends one message as a line. */
  send(message: Json): Promise<void> {
    return this.write(`${JSON.stringify(message)}\n`);
  }

  /** Sends a request and gives its answer: the whole message, with `result` or `error`. */
  async request(method: string, params?: JsonObject, id?: string | number): Promise<JsonObject> {
    const own = id ?? `t${this.#nextId++}`;
    await this.send({ jsonrpc: "2.0", id: own, method, ...(params && { params }) });
    return await this.answer(own);
  }

  /** The same, but the answer must carry a result. */
  async result(method: string, params?: JsonObject, id?: string | number): Promise<JsonObject> {
    const answer = await this.request(method, params, id);
    if (!isJsonObject(answer["result"])) {
      throw new Error(`${method} gave no result: ${JSON.stringify(answer)}`);
    }
    return answer["result"];
  }

  /** Sends a notification. */
  notify(method: string, params?: JsonObject): Promise<void> {
    return this.send({ jsonrpc: "2.0", method, ...(params && { params }) });
  }

  /** The answer to the request of that id, whenever it comes. */
  answer(id: string | number): Promise<JsonObject> {
    return this.until(
      `the answer to ${JSON.stringify(id)}`,
      () => this.messages.find((message) => message["id"] === id && !("method" in message)),
    );
  }

  /** The first message, earlier or later, that `wanted` accepts. */
  message(what: string, wanted: (message: JsonObject) => boolean): Promise<JsonObject> {
    return this.until(what, () => this.messages.find(wanted));
  }

  /** The legacy handshake; gives the result of `initialize`. */
  async initialize(protocolVersion = "2025-06-18"): Promise<JsonObject> {
    const result = await this.result("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    await this.notify("notifications/initialized");
    return result;
  }

  /** Calls a tool; gives its result, `isError` ones too. */
  callTool(name: string, args: JsonObject): Promise<JsonObject> {
    return this.result("tools/call", { name, arguments: args });
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    // Parses every line once more at the end: text on stdout fails the test, whatever it looked at.
    void this.messages;
  }
}

/** A line as a JSON-RPC message. */
function rpcMessage(line: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error(`A line on stdout is not JSON: ${line.slice(0, 500)}`);
  }
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") {
    throw new Error(`A line on stdout is not a JSON-RPC message: ${line.slice(0, 500)}`);
  }
  return value;
}

/** What a one-shot command did. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that ends by itself, such as `version`. */
export async function runProgram(options: StartOptions): Promise<Outcome> {
  await using program = new RunningProgram(options);
  await program.closeInput();
  const code = await program.exitCode();
  const stdout = program.lines.map((line) => `${line}\n`).join("");
  return { code, stdout, stderr: program.stderr };
}

function denoDir(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--no-config"],
    stderr: "null",
  }).outputSync();
  const info: unknown = JSON.parse(new TextDecoder().decode(stdout));
  if (!isJsonObject(info) || typeof info["denoDir"] !== "string") {
    throw new Error("deno info does not say where the cache is.");
  }
  return info["denoDir"];
}

async function findExecutable(): Promise<Program> {
  const command = `${ROOT}/dist/ocs-bridge${Deno.build.os === "windows" ? ".exe" : ""}`;
  const program = { name: "executable", command, args: [], env: {} } as const;
  const missing = await whyNoExecutable(command);
  return missing === undefined ? program : { ...program, missing };
}

async function whyNoExecutable(command: string): Promise<string | undefined> {
  try {
    await Deno.stat(command);
  } catch {
    return await tryRead(`${ROOT}/dist/why_none.txt`) ??
      'no executable in dist/, make one with "deno task compile"';
  }
  const made: unknown = JSON.parse(await tryRead(`${ROOT}/dist/ocs-bridge.json`) ?? "null");
  const digest = isJsonObject(made) ? made["source_digest"] : undefined;
  return digest === await sourceDigest(ROOT)
    ? undefined
    : 'the executable in dist/ is of another revision, make it anew with "deno task compile"';
}

async function tryRead(path: string): Promise<string | undefined> {
  try {
    return (await Deno.readTextFile(path)).trim();
  } catch {
    // Not there: nothing is known.
    return undefined;
  }
}
