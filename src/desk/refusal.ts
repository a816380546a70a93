/** Why the desk refuses a request, raised where the reason is found and answered in one place. */

import type { JsonObject } from "../host/json.ts";

/** Readable marks of failures that carry no code (gui-protocol.md 2.2, "legacy read failure"). */
const NO_CODE = "";

/** A request that is answered with `ok:false` and a code of gui-protocol.md 2.6. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /** `extra` holds further fields of the answer. */
  constructor(readonly code: string, message: string, readonly extra: JsonObject = {}) {
    super(message);
  }

  /** The answer as it goes over the wire. */
  reply(): JsonObject {
    return this.code === NO_CODE
      ? { ok: false, error: this.message }
      : { ok: false, status: "failed", code: this.code, error: this.message, ...this.extra };
  }
}

/** A failure of `query`: neither code nor status (gui-protocol.md 4.8). */
export function codelessRefusal(message: string): Refusal {
  return new Refusal(NO_CODE, message);
}
