/** One editor session: memory, turns, operations, picks and batches put together (bridge.md 4 to 6). */

import { isJsonObject, type JsonObject } from "../host/json.ts";
import { Batches } from "./batch.ts";
import { freshId } from "./memory.ts";
import { type Following, operate, retract, unlessAborted } from "./operation.ts";
import { Recent } from "./recent.ts";
import {
  cancelledReply,
  clampWaitMs,
  isCongested,
  isPending,
  isPick,
  isRefusal,
  phaseOf,
} from "./settled.ts";
import { Talk, type TalkOptions } from "./talk.ts";
import { Turns } from "./turns.ts";
import type { EditorReply, EditorSession, ExecuteOptions, OpenPicks, Waiting } from "./types.ts";

/** Dismissed ids that are remembered (bridge.md 5.2). */
const DISMISSED_PLACES = 128;

/**
 * So long a mutation waits for dismissals even where its own time is up, in milliseconds: an editor
 * that answers is through with them in a few.
 */
const DISMISSAL_GRACE_MS = 1_000;

/** Operations that are known to go on in the editor. */
const PENDING_PLACES = 128;

type Identified = JsonObject & { readonly request_id: string };

/** A session over one line to its editor. */
export class Session implements EditorSession {
  readonly talk: Talk;
  readonly #turns: Turns;
  readonly #batches = new Batches();
  readonly #running = new Set<string>();
  /** Request ids of operations that were `accepted` or `running` when last heard of, and their op. */
  readonly #pending = new Recent<string, string>(PENDING_PLACES);
  /** Request ids of operations that were dismissed, and whether the dismissal ended them. */
  readonly #dismissed = new Recent<string, Promise<boolean>>(DISMISSED_PLACES);
  /** Dismissals under way: the next mutation would only meet `busy` before they are through. */
  readonly #loose = new Set<Promise<unknown>>();

  constructor(options: TalkOptions) {
    this.talk = new Talk(options);
    this.#turns = new Turns(options.machine.clock);
  }

  get sessionId(): string {
    return this.talk.sessionId;
  }

  lastState(): JsonObject | undefined {
    return this.talk.memory.state;
  }

  async read(op: string, parameters: JsonObject, waiting: Waiting): Promise<JsonObject> {
    const id = parameters.request_id;
    if (op !== "operation" || typeof id !== "string") {
      return await this.talk.reply({ ...parameters, op }, waiting.signal);
    }
    const batch = this.#batches.look(id);
    if (batch !== undefined) return batch;
    if (await this.#isDismissed(id, waiting)) return cancelledReply(id);
    const reply = await this.talk.reply({ ...parameters, op }, waiting.signal);
    const known = this.#pending.get(id);
    if (known !== undefined) this.#note(id, known, reply);
    return reply;
  }

  async execute(
    request: JsonObject,
    options: ExecuteOptions,
    waiting: Waiting,
  ): Promise<JsonObject> {
    const asked = identified(request);
    const waitMs = clampWaitMs(options.kind, options.waitMs);
    const untilMs = this.#now() + waitMs;
    if (await this.#isDismissed(asked.request_id, waiting)) return cancelledReply(asked.request_id);
    const turn = await this.#turn(asked, untilMs, waiting);
    if (turn === undefined) return queueTimeout(asked);
    try {
      return await this.#operate(asked, { kind: options.kind, waitMs, untilMs }, waiting, turn.end);
    } finally {
      turn.end();
    }
  }

  async batch(request: JsonObject, options: ExecuteOptions, waiting: Waiting): Promise<JsonObject> {
    const id = this.#batches.admit(identified(request));
    if (await this.#isDismissed(id, waiting)) return this.#batches.look(id) ?? cancelledReply(id);
    // A batch waits as long as the longest of its kinds: a pick may be among its steps.
    const waitMs = clampWaitMs(options.kind, options.waitMs);
    const untilMs = this.#now() + waitMs;
    const turn = await this.#turn({ op: "batch", request_id: id }, untilMs, waiting).catch(
      (error: unknown) => {
        // Cancelled in the queue; another call that is running the same batch goes on.
        if (waiting.signal.aborted && !this.#running.has(id)) this.#giveUp(id);
        throw error;
      },
    );
    if (turn === undefined) return this.#batches.look(id) ?? queueTimeout(identified(request));
    this.#running.add(id);
    try {
      return await this.#batches.run(
        id,
        (step, inStep) => {
          const kind = isPick(step.op) ? "pick" : "mutation";
          return this.#operate(step, { kind, waitMs, untilMs }, inStep, () => {});
        },
        () => this.#now() >= untilMs,
        waiting,
      );
    } catch (error) {
      if (waiting.signal.aborted) this.#giveUp(id);
      throw error;
    } finally {
      this.#running.delete(id);
      turn.end();
    }
  }

  async poll(requestId: string, waiting: Waiting): Promise<JsonObject> {
    const batch = this.#batches.request(requestId);
    if (batch === undefined || this.#running.has(requestId)) {
      return await this.read("operation", { request_id: requestId }, waiting);
    }
    return await this.batch(batch, { kind: "mutation", waitMs: 0 }, waiting);
  }

  async dismiss(requestId: string): Promise<void> {
    const step = this.#batches.activeStep(requestId);
    if (step !== undefined) {
      this.#giveUp(requestId);
      await this.dismiss(step);
      return;
    }
    if (this.#pending.has(requestId)) await this.#dismissPending(requestId);
  }

  /** Retracts the picks that are open, unless they are kept, and lets dismissals under way end. */
  async close(picks: OpenPicks): Promise<void> {
    for (const [id, op] of this.#pending.entries()) {
      if (picks === "retract" && isPick(op)) void this.#dismissPending(id);
    }
    await Promise.allSettled([...this.#loose]);
  }

  /** Drops everything that was remembered: the editor is another one now (bridge.md 4.5). */
  drop(): void {
    for (const [id] of this.#pending.entries()) this.#turns.pickClosed(id);
    this.#pending.clear();
    this.#batches.drop();
    this.talk.memory.drop();
  }

  #now(): number {
    return this.talk.machine.clock.now();
  }

  async #turn(asked: Identified, untilMs: number, waiting: Waiting) {
    const left = () => Math.max(0, untilMs - this.#now());
    const turn = await this.#turns.take(left(), waiting.signal);
    if (turn === undefined || this.#loose.size === 0) return turn;
    let ended = false;
    try {
      waiting.phase(`${phaseOf(asked)}: waiting for a dismissal to end`);
      ended = await this.#dismissalsEnd(Math.max(left(), DISMISSAL_GRACE_MS), waiting.signal);
    } finally {
      if (!ended) turn.end();
    }
    return ended ? turn : undefined;
  }

  /** Whether the dismissals under way were through within `boundMs`; a hanging editor's are not. */
  async #dismissalsEnd(boundMs: number, signal: AbortSignal): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const forget = this.talk.machine.clock.after(boundMs, () => resolve(false));
    const through = Promise.allSettled([...this.#loose]).then(() => true);
    try {
      return await unlessAborted(Promise.race([through, late]), signal);
    } finally {
      forget();
    }
  }

  /** One operation; `letOthersIn` is called once it is a pick that is open. */
  async #operate(
    asked: Identified,
    options: ExecuteOptions & { readonly untilMs: number },
    waiting: Waiting,
    letOthersIn: () => void,
  ): Promise<EditorReply> {
    const id = asked.request_id;
    const op = String(asked.op);
    const wire = { ...this.talk.memory.fill(asked), request_id: id };
    const following: Following = {
      talk: this.talk,
      seen: (reply) => {
        this.#note(id, op, reply);
        if (isRefusal(reply)) this.talk.memory.forgetSent(id);
        if (isPick(op) && isPending(reply)) letOthersIn();
      },
      abandoned: (sending) => void this.#dismissing(id, this.#dismissSent(id, op, sending)),
    };
    try {
      return await operate(following, wire, options, waiting);
    } catch (error) {
      // Its outcome may be unknown: closing then looks whether it left a prompt open.
      if (isPick(op) && !this.#dismissed.has(id)) this.#pending.set(id, op);
      throw error;
    }
  }

  /** Keeps the map of pending operations, and with it who may go ahead, up to date. */
  #note(id: string, op: string, reply: EditorReply): void {
    if (isPending(reply)) {
      this.#pending.set(id, op);
      if (isPick(op)) this.#turns.pickOpened(id);
      return;
    }
    this.#over(id);
    // A newer state that names no pick as pending: it was answered while nobody polled.
    const { state } = reply;
    if (!isJsonObject(state) || state !== this.lastState()) return;
    for (const [other, otherOp] of this.#pending.entries()) {
      if (isPick(otherOp) && state.operation !== other) this.#turns.pickClosed(other);
    }
  }

  #over(id: string): void {
    this.#pending.delete(id);
    this.#turns.pickClosed(id);
  }

  /** Whether the editor ended it. What had ended by itself, or goes on, was not dismissed. */
  async #dismissSent(
    id: string,
    op: string,
    sending: Promise<EditorReply | undefined>,
  ): Promise<boolean> {
    const reply = await sending;
    const known = reply === undefined || reply.code === "response_timeout"
      ? await this.#look(id)
      : reply;
    // One that the editor does not know it may only not have taken up yet.
    if (known !== undefined && !isPending(known) && known.code !== "unknown_operation") {
      this.#over(id);
      return known.status === "cancelled";
    }
    return await this.#retract(id, op);
  }

  /** Looks first: a cancel ends whatever pick is open, also one that is not ours. */
  #dismissPending(id: string): Promise<void> {
    const op = this.#pending.get(id) ?? "";
    const dismissal = this.#look(id).then((known) => {
      if (known === undefined || isPending(known)) return this.#retract(id, op);
      this.#over(id);
      return known.status === "cancelled";
    });
    return this.#dismissing(id, dismissal);
  }

  /** What the editor says about an operation; undefined when it cannot say. */
  async #look(id: string): Promise<EditorReply | undefined> {
    const outcome = await this.talk.ask({ op: "operation", request_id: id }, undefined, 5_000);
    return outcome.kind === "fault" || isCongested(outcome.reply) ? undefined : outcome.reply;
  }

  /** Only picks can be taken back: of the rest an editor says that it is busy, and goes on. */
  async #retract(id: string, op: string): Promise<boolean> {
    this.#pending.set(id, op);
    const ended = await retract(this.talk);
    // Busy, the editor goes on with it: a later cancel, or closing, has to find it still.
    if (ended?.code !== "busy") this.#over(id);
    return ended === undefined ? isPick(op) : !isRefusal(ended);
  }

  #dismissing(id: string, dismissal: Promise<boolean>): Promise<void> {
    // A dismissal that fails changes nothing: the outcome stands either way (bridge.md 5.2).
    const dismissed = dismissal.catch(() => false);
    this.#dismissed.set(id, dismissed);
    const ended = dismissed.then(() => {});
    this.#loose.add(ended);
    return ended.finally(() => this.#loose.delete(ended));
  }

  /** Waits for a dismissal that is under way, since only then there is something true to say. */
  async #isDismissed(id: string, waiting: Waiting): Promise<boolean> {
    const dismissal = this.#dismissed.get(id);
    return dismissal !== undefined && await unlessAborted(dismissal, waiting.signal);
  }

  #giveUp(batchId: string): void {
    this.#dismissed.set(batchId, Promise.resolve(true));
    this.#batches.abandon(batchId);
  }
}

function identified(request: JsonObject): Identified {
  const id = request.request_id;
  return { ...request, request_id: typeof id === "string" && id !== "" ? id : freshId() };
}

/** Nothing was sent: the mutation before it took longer than this one may wait. */
function queueTimeout(asked: Identified): EditorReply {
  return {
    ok: false,
    status: "failed",
    code: "busy",
    request_id: asked.request_id,
    error: `Another operation of this session is still running, so '${String(asked.op)}' was not ` +
      "sent. Ask ocs_read op operation for that one, then send this again with the same request_id.",
  };
}
