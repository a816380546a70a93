/** What can go wrong in one exchange with the editor, told apart (bridge.md 4.1). */

import { InfrastructureError, ToolError } from "../host/faults.ts";

/** Largest request line, newline included, in bytes (gui-protocol.md 1.3). */
export const REQUEST_CAP = 1_048_576;

/** Largest answer line, newline included, in bytes (gui-protocol.md 1.3). */
export const ANSWER_CAP = 16_777_216;

/**
 * A failed exchange. After `refused`, `unreachable`, `unconnected` and `request_too_large` the
 * editor has heard nothing; after any other the outcome of the request is unknown.
 */
export type ExchangeFault =
  | { readonly kind: "refused" }
  /** `seen` is in our own words. */
  | { readonly kind: "unreachable"; readonly seen: string }
  /** Time ran out before there was a connection to ask on. */
  | { readonly kind: "unconnected"; readonly deadlineMs: number }
  | { readonly kind: "closed_without_a_byte" }
  | { readonly kind: "silent"; readonly deadlineMs: number }
  | {
    readonly kind: "half_answer";
    readonly bytes: number;
    readonly ended: "closed" | "deadline";
  }
  | { readonly kind: "not_json"; readonly bytes: number }
  | { readonly kind: "too_large" }
  | { readonly kind: "request_too_large"; readonly bytes: number };

/** Whether the request may have reached the editor before the exchange failed. */
export function mayHaveArrived(fault: ExchangeFault): boolean {
  switch (fault.kind) {
    case "refused":
    case "unreachable":
    case "unconnected":
    case "request_too_large":
      return false;
    case "closed_without_a_byte":
    case "silent":
    case "half_answer":
    case "not_json":
    case "too_large":
      return true;
  }
}

/** Whether time ran out before the editor had said a word. */
export function wasSilent(fault: ExchangeFault): boolean {
  return fault.kind === "silent" || fault.kind === "unconnected";
}

/** What was seen, as the tail of a sentence that begins with "the editor on port N". */
export function describeFault(fault: ExchangeFault): string {
  switch (fault.kind) {
    case "refused":
      return "refused the connection: nothing listens there any more";
    case "unreachable":
      return `could not be reached: ${fault.seen}`;
    case "unconnected":
      return `had no connection free for this within ${
        fault.deadlineMs / 1000
      } s: nothing was sent`;
    case "closed_without_a_byte":
      return "closed the connection without a byte: it does not know our token, or it already " +
        "serves eight connections";
    case "silent":
      return `did not answer within ${fault.deadlineMs / 1000} s`;
    case "half_answer":
      return fault.ended === "closed"
        ? `broke off after ${fault.bytes} bytes of its answer`
        : `had sent only ${fault.bytes} bytes of its answer when time ran out`;
    case "not_json":
      return `answered ${fault.bytes} bytes that are not a JSON object`;
    case "too_large":
      return "answered more than 16 MiB";
    case "request_too_large":
      return "was not asked";
  }
}

/** The error for a request that is over the cap; nothing was sent. */
export function requestTooLarge(bytes: number): ToolError {
  return new ToolError(
    `Request is too large: ${bytes} bytes on the wire, the editor takes at most ${REQUEST_CAP}. ` +
      "Nothing was sent. Split it, for example into several entities_create calls.",
  );
}

/** The error for a failed exchange about `op`, with what to do `next`. */
export function exchangeError(
  op: string,
  port: number,
  fault: ExchangeFault,
  next: string,
): InfrastructureError | ToolError {
  if (fault.kind === "request_too_large") return requestTooLarge(fault.bytes);
  return new InfrastructureError(
    `Asked the editor for '${op}': the editor on port ${port} ${describeFault(fault)}. ${next}`,
  );
}
