/** Batches of JSON-RPC messages, which only the version 2025-03-26 has (mcp-stdio.md 1.2). */

import type { JsonObject } from "../host/json.ts";
import type { Reply } from "./answers.ts";

/** Collects the answers to one batch and sends them as one line when the last has come. */
export class Batch {
  readonly #send: (answers: readonly JsonObject[]) => void;
  readonly #answers: (JsonObject | undefined)[] = [];
  #open = 0;
  #sealed = false;

  constructor(send: (answers: readonly JsonObject[]) => void) {
    this.#send = send;
  }

  /** A place for one answer, in the order of the requests. */
  reply(): Reply {
    const place = this.#answers.push(undefined) - 1;
    this.#open++;
    return {
      send: (message) => this.#settle(place, message),
      drop: () => this.#settle(place, undefined),
    };
  }

  /** Every message of the batch has been read: it may be answered once nothing is open. */
  seal(): void {
    this.#sealed = true;
    this.#finish();
  }

  #settle(place: number, message: JsonObject | undefined): void {
    this.#answers[place] = message;
    this.#open--;
    this.#finish();
  }

  /** A batch of notifications only, or one that was cancelled as a whole, is not answered. */
  #finish(): void {
    if (!this.#sealed || this.#open > 0) return;
    const answers = this.#answers.filter((answer) => answer !== undefined);
    // What could not be tied to a request comes first, then the answers in the requests' order.
    const [known, anonymous] = [answers.filter(hasId), answers.filter((one) => !hasId(one))];
    if (answers.length > 0) this.#send([...anonymous, ...known]);
  }
}

function hasId(answer: JsonObject): boolean {
  return answer.id !== undefined;
}
