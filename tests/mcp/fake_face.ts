/** A small face for the tests of the client's side: tools whose every step the test decides. */

import { InfrastructureError, ToolError } from "../../src/host/faults.ts";
import type { JsonObject } from "../../src/host/json.ts";
import type {
  CallContext,
  Completion,
  RequestId,
  ServerFace,
  TaskStarted,
  TaskView,
  ToolDefinition,
  ToolResult,
} from "../../src/mcp/face.ts";
import { ErrorCode, ProtocolFault, ResourceNotFound } from "../../src/mcp/faults.ts";

/** One call of the tool `slow`, held until the test lets it go. */
export interface SlowCall {
  readonly args: JsonObject;
  readonly call: CallContext;
  finish(result: ToolResult): void;
  fail(error: unknown): void;
}

export const WORKING: TaskView = {
  taskId: "task-1",
  status: "working",
  statusMessage: "drawing",
  createdAt: "2026-12-01T00:00:00.000Z",
  lastUpdatedAt: "2026-12-01T00:00:00.000Z",
  ttlMs: 3_600_000,
  pollIntervalMs: 250,
};

export const COMPLETED: TaskView = {
  ...WORKING,
  status: "completed",
  result: { content: [{ type: "text", text: "job done" }] },
};

function tool(name: string): ToolDefinition {
  return {
    name,
    title: `The ${name} tool`,
    description: `Does ${name}`,
    inputSchema: { type: "object" },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

const NAMES = ["add", "slow", "job", "link", "refuse", "down", "broken", "circular", "echo"];

/** A face that records what it was asked. */
export class FakeFace implements ServerFace {
  readonly serverInfo = { name: "OpenCADStudio", title: "Open CAD Studio", version: "0.1.0" };
  readonly experimental = { "opencadstudio.build": { name: "fake" } };
  readonly instructions = "Call ocs_sessions first.";
  readonly tools = NAMES.map(tool);
  readonly resourceTemplates = [
    { uriTemplate: "cad://session/{id}/state.json", name: "state", mimeType: "application/json" },
  ];
  /** What `tools/call` was asked, in order. */
  readonly calls: {
    readonly name: string;
    readonly args: JsonObject;
    readonly call: CallContext;
  }[] = [];
  readonly cancelledAnswered: RequestId[] = [];
  readonly cancelledTasks: string[] = [];
  readonly tasks = new Map<string, TaskView>();
  readonly #resourceListeners = new Set<() => void>();
  readonly #taskListeners = new Set<(task: TaskView) => void>();
  readonly #slow: SlowCall[] = [];
  readonly #waiters: ((call: SlowCall) => void)[] = [];

  /** The next call of `slow` that nobody took yet. */
  nextSlow(): Promise<SlowCall> {
    const call = this.#slow.shift();
    return call !== undefined
      ? Promise.resolve(call)
      : new Promise((resolve) => this.#waiters.push(resolve));
  }

  changeResources(): void {
    for (const listener of this.#resourceListeners) listener();
  }

  changeTask(task: TaskView): void {
    this.tasks.set(task.taskId, task);
    for (const listener of this.#taskListeners) listener(task);
  }

  /** How many listeners are installed at the moment. */
  get listeners(): number {
    return this.#resourceListeners.size + this.#taskListeners.size;
  }

  async callTool(
    name: string,
    args: JsonObject,
    call: CallContext,
  ): Promise<ToolResult | TaskStarted> {
    this.calls.push({ name, args, call });
    await Promise.resolve();
    switch (name) {
      case "add":
        return this.#add(args);
      case "echo":
        return { content: [{ type: "text", text: JSON.stringify(args) }] };
      case "slow":
        return await this.#hold(args, call);
      case "job":
        if (!call.tasks) return { content: [{ type: "text", text: "still running" }] };
        this.tasks.set(WORKING.taskId, WORKING);
        return { task: WORKING };
      case "link":
        return {
          content: [{
            type: "resource_link",
            uri: "cad://session/1/viewport.png",
            name: "viewport",
            mimeType: "image/png",
            size: 3,
          }],
        };
      case "refuse":
        throw new ToolError("The op is not known. Use ocs_read with op tools.");
      case "down":
        throw new InfrastructureError("No live session in /tmp/x. Start the editor.");
      case "broken":
        throw new Error("secret detail");
      case "circular": {
        const loop: Record<string, JsonObject> = {};
        loop.self = loop;
        return { content: [], structuredContent: loop };
      }
      default:
        throw new ProtocolFault(
          ErrorCode.invalidParams,
          `Unknown tool: ${name}. Tools: ${NAMES.join(", ")}`,
        );
    }
  }

  #add(args: JsonObject): ToolResult {
    const { a, b } = args;
    if (typeof a !== "number" || typeof b !== "number") {
      throw new ToolError("Invalid arguments: a and b must be numbers.");
    }
    const sum = { sum: a + b };
    return { content: [{ type: "text", text: JSON.stringify(sum) }], structuredContent: sum };
  }

  #hold(args: JsonObject, call: CallContext): Promise<ToolResult> {
    return new Promise((finish, fail) => {
      const held: SlowCall = { args, call, finish, fail };
      const waiter = this.#waiters.shift();
      if (waiter !== undefined) waiter(held);
      else this.#slow.push(held);
    });
  }

  listResources() {
    return Promise.resolve([
      { uri: "cad://session/2/viewport.png", name: "second", mimeType: "image/png" },
      { uri: "cad://session/1/viewport.png", name: "first", mimeType: "image/png", size: 7 },
    ]);
  }

  readResource(uri: string) {
    if (uri !== "cad://session/1/state.json") return Promise.reject(new ResourceNotFound(uri));
    return Promise.resolve([{ uri, mimeType: "application/json", text: "{}" }]);
  }

  complete(
    uri: string,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
  ): Promise<Completion> {
    if (uri !== "cad://session/{id}/state.json") {
      return Promise.reject(new ProtocolFault(ErrorCode.invalidParams, `Unknown template: ${uri}`));
    }
    const values = [`${argument.name}=${argument.value}`, ...Object.keys(context)];
    return Promise.resolve({ values, total: values.length, hasMore: false });
  }

  getTask(taskId: string): Promise<TaskView> {
    const task = this.tasks.get(taskId);
    if (task !== undefined) return Promise.resolve(task);
    return Promise.reject(new ProtocolFault(ErrorCode.invalidParams, `Unknown task: ${taskId}`));
  }

  async cancelTask(taskId: string): Promise<void> {
    await this.getTask(taskId);
    this.cancelledTasks.push(taskId);
  }

  async updateTask(taskId: string): Promise<void> {
    await this.getTask(taskId);
  }

  hasTask(taskId: string): boolean {
    return this.tasks.has(taskId);
  }

  cancelAnswered(id: RequestId): void {
    this.cancelledAnswered.push(id);
  }

  onResourcesChanged(listener: () => void): () => void {
    this.#resourceListeners.add(listener);
    return () => this.#resourceListeners.delete(listener);
  }

  onTaskChanged(listener: (task: TaskView) => void): () => void {
    this.#taskListeners.add(listener);
    return () => this.#taskListeners.delete(listener);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
