/** The handler of an editor with one slot: picks stay open until the test answers or cancels them. */

import type { JsonObject } from "../../src/host/json.ts";
import { settled } from "./protocol_server.ts";

/** An editor with its one pending pick. */
export interface PickEditor {
  handle(request: JsonObject): JsonObject;
  /** The request id of the open pick. */
  readonly open: () => string | undefined;
  /** A person answers the open pick. */
  answer(result: JsonObject): void;
}

const failed = (code: string) => ({ ok: false, status: "failed", code, error: code });

/** Picks as gui-protocol.md section 6 has them; every other mutation completes at once. */
export function pickEditor(): PickEditor {
  let pending: string | undefined;
  const done = new Map<string, JsonObject>();
  const finish = (more: JsonObject): JsonObject => {
    const id = pending ?? "";
    pending = undefined;
    const reply = settled({ request_id: id }, more);
    done.set(id, reply);
    return reply;
  };
  return {
    open: () => pending,
    answer: (result) => void finish({ result }),
    handle(request) {
      const id = String(request.request_id);
      if (request.op === "query") return { ok: true };
      if (request.op === "operation") {
        if (pending === id) return { ok: true, status: "running", request_id: id };
        return done.get(id) ?? failed("unknown_operation");
      }
      if (pending !== undefined) {
        if (request.op !== "cancel") {
          return pending === id ? { ok: true, status: "running", request_id: id } : failed("busy");
        }
        return finish({ status: "cancelled", result: { cancelled: true } });
      }
      if (request.op === "cancel") return failed("document_required");
      const before = done.get(id);
      if (before !== undefined) return before;
      if (request.op === "getpoint" || request.op === "user_select") {
        pending = id;
        return { ok: true, status: "accepted", request_id: id };
      }
      const reply = settled(request);
      done.set(id, reply);
      return reply;
    },
  };
}
