/** One operation from its request to its end: sent once, recovered, waited for, dismissed (4.4, 5). */

import { sleep } from "../host/clock.ts";
import { InfrastructureError, ToolError } from "../host/faults.ts";
import type { JsonObject } from "../host/json.ts";
import { DEADLINES } from "./exchange.ts";
import { describeFault, mayHaveArrived, wasSilent } from "./exchange_faults.ts";
import { freshId } from "./memory.ts";
import { isCongested, isPending, pauseMs, phaseOf, PICK_CEILING_MS } from "./settled.ts";
import type { Talk } from "./talk.ts";
import type { EditorReply, ExecuteOptions, Waiting } from "./types.ts";

/** How an operation is followed. */
export interface Following {
  readonly talk: Talk;
  /** Called with every answer about the operation, the first one included. */
  readonly seen: (reply: EditorReply) => void;
  /**
   * Called when the caller gave up: the operation must be dismissed once `sending`, its first
   * exchange, is through.
   */
  readonly abandoned: (sending: Promise<EditorReply | undefined>) => void;
}

/** How often `operation` is asked in vain before the outcome is called unknown. */
const VAIN_ASKS = 3;

/** Reads that show whether an operation took effect; any other op: query. */
const TRUTH: Readonly<Record<string, string>> = {
  new: "state (documents)",
  open: "state (documents)",
  close: "state (documents)",
  activate: "state (document_id)",
  switch_document: "state (document_id)",
  save: "state (documents: path, dirty)",
  save_verified: "state (documents: path, dirty)",
  select: "get_selection",
  undo: "history",
  redo: "history",
  sysvar: "header",
  user_select: "state (operation) and get_selection",
  getpoint: "state (operation)",
  capture: "state; a capture changes nothing, so take another one",
};

/**
 * Sends a filled request once and follows it until it is settled or `untilMs` has come; then the
 * answer is `running`. A lost answer is recovered through `operation`, never repeated. Raises
 * ToolError for a request that is too large and a pick that reached its ceiling,
 * InfrastructureError when the editor is gone or the outcome unknown, and the signal's reason.
 */
export async function operate(
  following: Following,
  request: JsonObject & { readonly request_id: string },
  options: ExecuteOptions & { readonly untilMs: number },
  waiting: Waiting,
): Promise<EditorReply> {
  const { talk, seen } = following;
  const { signal } = waiting;
  signal.throwIfAborted();
  // Not given the signal: an answer that is under way tells whether there is something to dismiss.
  const sending = talk.ask(request);
  let outcome;
  try {
    outcome = await unlessAborted(sending, signal);
  } catch (error) {
    following.abandoned(sending.then((late) =>
      // With the answer lost, the operation may be pending all the same.
      late.kind === "reply" ? late.reply : mayHaveArrived(late.fault) ? undefined : NOTHING_DONE
    ));
    throw error;
  }
  try {
    const first = await firstReply(talk, request, outcome, options.untilMs, signal);
    seen(first);
    return await followed(following, request, first, options, waiting);
  } catch (error) {
    if (signal.aborted) following.abandoned(Promise.resolve(undefined));
    throw error;
  }
}

/** Asks the editor to end whatever is pending; whether it does is its own affair (bridge.md 5.2). */
export async function retract(talk: Talk): Promise<EditorReply | undefined> {
  const outcome = await talk.ask(
    { op: "cancel", request_id: freshId() },
    undefined,
    DEADLINES.dismissal,
  );
  return outcome.kind === "reply" ? outcome.reply : undefined;
}

/** Stands for a request that never reached the editor. */
const NOTHING_DONE: EditorReply = { ok: false, status: "failed" };

type Outcome = Awaited<ReturnType<Talk["ask"]>>;

async function firstReply(
  talk: Talk,
  request: JsonObject & { readonly request_id: string },
  outcome: Outcome,
  untilMs: number,
  signal: AbortSignal,
): Promise<EditorReply> {
  const op = String(request.op);
  if (outcome.kind === "fault") {
    if (!mayHaveArrived(outcome.fault)) throw await talk.trouble(op, outcome.fault);
    const { kind } = outcome.fault;
    return await recover(
      talk,
      request,
      describeFault(outcome.fault),
      kind === "silent",
      untilMs,
      signal,
    );
  }
  const { reply } = outcome;
  if (reply.code === "session_changed") throw await talk.gone(op);
  if (reply.code !== "response_timeout") return reply;
  const lost = "said that its window did not take up the request in time";
  return await recover(talk, request, lost, true, untilMs, signal);
}

/** Learns from `operation` how a request ended whose answer was lost (bridge.md 4.4). */
async function recover(
  talk: Talk,
  request: JsonObject & { readonly request_id: string },
  lost: string,
  mayStillCome: boolean,
  untilMs: number,
  signal: AbortSignal,
): Promise<EditorReply> {
  const { clock } = talk.machine;
  const op = String(request.op);
  const from = clock.now();
  let lastly = "it knows no such operation";
  for (let vain = 0; vain < VAIN_ASKS;) {
    const outcome = await talk.ask({ op: "operation", request_id: request.request_id }, signal);
    if (outcome.kind === "fault") {
      // Each silence takes a whole deadline: once the caller's wait is over, one is enough.
      const enough = wasSilent(outcome.fault) && clock.now() >= untilMs;
      vain = enough ? VAIN_ASKS : vain + 1;
      lastly = `it ${describeFault(outcome.fault)}`;
      if (outcome.fault.kind === "refused") {
        throw undecided(op, await talk.trouble(op, outcome.fault));
      }
    } else if (outcome.reply.code === "session_changed") {
      throw undecided(op, await talk.gone(op));
    } else if (isCongested(outcome.reply)) {
      lastly = "it is too busy to say";
      if (clock.now() >= untilMs) vain++;
    } else if (outcome.reply.code !== "unknown_operation") {
      return outcome.reply;
    } else if (!mayStillCome || clock.now() >= untilMs) {
      lastly = "it knows no such operation";
      break;
    }
    await sleep(clock, pauseMs(clock.now() - from), signal);
  }
  throw new InfrastructureError(
    `The outcome of '${op}' (request_id ${request.request_id}) is unknown: the editor ${lost}; ` +
      `asked about the operation, ${lastly}. Do not repeat it under a new request_id. See whether ` +
      `it took effect with ocs_read op ${TRUTH[op] ?? "query (and events)"}.`,
  );
}

async function followed(
  following: Following,
  request: JsonObject & { readonly request_id: string },
  first: EditorReply,
  options: ExecuteOptions & { readonly untilMs: number },
  waiting: Waiting,
): Promise<EditorReply> {
  const { talk, seen } = following;
  const { clock } = talk.machine;
  const { request_id } = request;
  const op = String(request.op);
  const from = clock.now();
  let reply = first;
  let vain = 0;
  while (isPending(reply)) {
    waiting.phase(phaseOf(request));
    const left = options.untilMs - clock.now();
    if (left <= 0) break;
    await sleep(clock, Math.min(pauseMs(clock.now() - from), left), waiting.signal);
    const outcome = await talk.ask({ op: "operation", request_id }, waiting.signal);
    if (outcome.kind === "fault") {
      const { fault } = outcome;
      if (fault.kind === "refused" || ++vain >= VAIN_ASKS) {
        throw undecided(op, await talk.trouble(op, fault));
      }
      continue;
    }
    vain = 0;
    if (outcome.reply.code === "session_changed") throw undecided(op, await talk.gone(op));
    // The editor's queue is full or its window busy: about the operation that says nothing.
    if (isCongested(outcome.reply)) continue;
    reply = outcome.reply;
    seen(reply);
  }
  if (!isPending(reply)) return reply;
  if (options.kind === "pick" && options.waitMs >= PICK_CEILING_MS) {
    return await endedAtCeiling(following, op, request_id);
  }
  return { ...reply, status: "running" };
}

/** Takes the prompt away at the ceiling; an answer that came at that very moment is not lost. */
async function endedAtCeiling(
  { talk, seen }: Following,
  op: string,
  requestId: string,
): Promise<EditorReply> {
  const ended = await retract(talk);
  if (ended !== undefined) seen(ended);
  const ours = ended?.request_id === requestId;
  if (ours && ended.status === "completed") return ended;
  const prompt = ours && ended.status === "cancelled"
    ? "so its prompt was dismissed. Ask the person, then pick again with a new request_id."
    : "and dismissing its prompt was not confirmed: it may still be open. Read operation with " +
      "this request_id to see.";
  throw new ToolError(
    `Nobody answered the pick '${op}' (request_id ${requestId}) within 600 s, ${prompt}`,
  );
}

/** The editor had the request, and nobody can say any more what became of it. */
function undecided(op: string, { message }: Error): InfrastructureError {
  return new InfrastructureError(`${message} Whether '${op}' was done is unknown.`);
}

/** The promise's value, or the signal's reason as soon as it is aborted. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
