/** `ocs_execute`: one operation that changes something, or asks a person (bridge.md 2.3, 5). */

import type { EditorSession, ExecuteOptions, OperationKind } from "../editor/types.ts";
import { ToolError } from "../host/faults.ts";
import type { Json, JsonObject } from "../host/json.ts";
import { isJsonObject } from "../host/json.ts";
import type { ToolDefinition } from "../mcp/face.ts";
import { checkExecute } from "../ops/check.ts";
import { pathArguments } from "../ops/paths.ts";
import { executeArgumentsSchema, type SchemaStyle } from "../ops/schema.ts";
import type { OpPolicy } from "../ops/spec.ts";
import { executeOp } from "../ops/table.ts";
import { finiteNumber, oneOf, optional, SESSION_ID, unknownArguments } from "./arguments.ts";
import { answered, hasFailed, isPending, withWarnings } from "./results.ts";
import { detailed, RESPONSE_DETAILS, type ResponseDetail } from "./state_detail.ts";
import type { Continuation } from "./tasks.ts";
import { type Handled, isLive, type Tool, waitingOf, type Workshop } from "./tool.ts";
import { confine } from "./workspaces.ts";

const NAME = "ocs_execute";

/** Seconds that are waited for without being asked to. */
const DEFAULT_WAIT = 30;

/** The longest waits in seconds, by kind (bridge.md 5.1). */
const LONGEST_WAIT: Readonly<Record<OperationKind, number>> = {
  mutation: 60,
  pick: 600,
  capture: 60,
};

const WAIT = optional("wait_seconds", finiteNumber, DEFAULT_WAIT, { type: "number" });
const DETAIL = optional("response_detail", oneOf(RESPONSE_DETAILS), "compact", { type: "string" });

/** Makes the tool; the schema lists what the policy allows. */
export function executeTool(style: SchemaStyle, ops: OpPolicy): Tool {
  const definition: ToolDefinition = {
    name: NAME,
    title: "Change the drawing",
    description:
      "Runs one operation in a session: draw, edit, run a command, save, ask the person to " +
      "pick. Give every request a fresh request_id and keep it: an answer of running is " +
      "followed up with ocs_read operation, never by sending the work again. batch takes " +
      "several steps at once.",
    inputSchema: executeArgumentsSchema(style, ops),
    outputSchema: {
      type: "object",
      description: "The editor's answer; status completed is the only one that means done.",
      properties: {
        ok: { type: "boolean" },
        status: { type: "string" },
        request_id: { type: "string" },
        state: { type: "object" },
        changed_entities: { type: "array", items: { type: "object" } },
        warnings: { type: "array", items: { type: "string" } },
      },
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  return {
    definition,
    async handle(args, call, workshop) {
      if (workshop.policy.readOnly) {
        throw new ToolError(
          "This bridge runs read-only: ocs_execute is switched off. Use ocs_read and " +
            "ocs_capture, or ask the person to start the bridge without --read-only.",
        );
      }
      const sessionId = SESSION_ID.take(args, NAME);
      const checked = checkExecute(args.request, workshop.ops);
      if (!checked.ok) throw new ToolError(checked.message);
      const { request } = checked;
      const detail = DETAIL.take(args, NAME);
      const kind = kindOf(request);
      const options: ExecuteOptions = { kind, waitMs: waitMs(WAIT.take(args, NAME), kind) };
      await confine(pathArguments(request), workshop.policy.workspaces, workshop.paths);
      const warnings = [...unknownArguments(args, definition), ...checked.warnings];

      const waiting = waitingOf(call);
      const session = await workshop.editor.session(sessionId, waiting);
      waiting.phase(phaseOf(request));
      const reply = request.op === "batch"
        ? await session.batch(request, options, waiting)
        : await session.execute(request, options, waiting);
      const finish = (settled: JsonObject, still = waiting) =>
        shaped(settled, detail, warnings, session, still);
      if (!isPending(reply)) {
        // Asked for again under the same id, what an earlier call left running is settled now.
        workshop.pending.settled(sessionId, String(request.request_id));
        return answered(await finish(reply));
      }
      return goesOn(request, reply, warnings, { session, finish, workshop });
    },
  };
}

/** Whether a person has to answer: a pick, or a batch that holds one. */
function kindOf(request: JsonObject): OperationKind {
  const ops = request.op === "batch" ? stepsOf(request).map((step) => step.op) : [request.op];
  return ops.some((op) => typeof op === "string" && executeOp(op)?.kind === "pick")
    ? "pick"
    : "mutation";
}

function stepsOf(request: JsonObject): readonly JsonObject[] {
  const steps: Json | undefined = request.steps;
  return Array.isArray(steps) ? steps.filter(isJsonObject) : [];
}

/** Clamped, not refused (bridge.md 5.1). */
function waitMs(seconds: number, kind: OperationKind): number {
  return Math.min(Math.max(seconds, 0), LONGEST_WAIT[kind]) * 1000;
}

/** What is being waited for, in words a person can read (bridge.md 5.3). */
export function phaseOf(request: JsonObject): string {
  switch (request.op) {
    case "user_select":
    case "getpoint":
      return typeof request.prompt === "string" && request.prompt.trim() !== ""
        ? `waiting for the person to pick: ${request.prompt}`
        : "waiting for the person to pick";
    case "save":
    case "save_verified":
      return "saving";
    case "open":
      return "opening the drawing";
    case "batch":
      return `running a batch of ${stepsOf(request).length} steps`;
    default:
      return `running ${request.op}`;
  }
}

async function shaped(
  reply: JsonObject,
  detail: ResponseDetail,
  warnings: readonly string[],
  session: EditorSession,
  waiting: Parameters<typeof detailed>[3],
): Promise<JsonObject> {
  const full = hasFailed(reply) && detail === "changed_entities"
    ? await detailed(reply, "compact", session, waiting)
    : await detailed(reply, detail, session, waiting);
  return withWarnings(full, warnings);
}

/** The wait is over and the editor still works on it. */
function goesOn(
  request: JsonObject,
  reply: JsonObject,
  warnings: readonly string[],
  { session, finish, workshop }: {
    readonly session: EditorSession;
    readonly finish: (
      reply: JsonObject,
      waiting?: Parameters<Continuation["finish"]>[1],
    ) => Promise<JsonObject>;
    readonly workshop: Workshop;
  },
): Handled {
  const requestId = typeof request.request_id === "string" ? request.request_id : "";
  const continuation: Continuation = {
    message: phaseOf(request),
    poll: (waiting) => session.poll(requestId, waiting),
    finish: async (settled, waiting) => answered(await finish(settled, waiting)),
    alive: () => isLive(workshop, session.sessionId),
    dismiss: () => session.dismiss(requestId),
    forget: () => {},
  };
  const meanwhile = withWarnings({
    next: `Not done yet. Read operation with parameters {"request_id": ${
      JSON.stringify(requestId)
    }} until it is settled; do not send the work again under another request_id.`,
    ...reply,
    request_id: reply.request_id ?? requestId,
  }, warnings);
  return {
    goesOn: continuation,
    answer: () => answered(meanwhile),
    left: { session, requestId },
  };
}
