import { assertEquals } from "@std/assert";
import { clampWaitMs, isCongested, isRefusal, pauseMs, phaseOf } from "../../src/editor/settled.ts";

Deno.test("waits are clamped to 60 s, for picks to 600 s, and default to 30 s", () => {
  assertEquals(clampWaitMs("mutation", undefined), 30_000);
  assertEquals(clampWaitMs("mutation", -5), 0);
  assertEquals(clampWaitMs("mutation", 600_000), 60_000);
  assertEquals(clampWaitMs("capture", 600_000), 60_000);
  assertEquals(clampWaitMs("pick", 599_000), 599_000);
  assertEquals(clampWaitMs("pick", 1e9), 600_000);
  assertEquals(clampWaitMs("pick", NaN), 30_000);
});

Deno.test("polling backs off from 50 to 250 ms after two seconds", () => {
  assertEquals([0, 1_999, 2_000, 60_000].map(pauseMs), [50, 50, 250, 250]);
});

Deno.test("only the transport's own busy says nothing about the operation", () => {
  assertEquals(isCongested({ ok: false, code: "busy", error: "queue full" }), true);
  assertEquals(isCongested({ ok: false, code: "response_timeout", error: "" }), true);
  assertEquals(isCongested({ ok: false, status: "failed", code: "busy", error: "" }), false);
});

Deno.test("a refusal has a code, a settled failure has none, a time-out is neither", () => {
  assertEquals(isRefusal({ ok: false, status: "failed", code: "stale_state" }), true);
  assertEquals(isRefusal({ ok: false, status: "failed", error: "x" }), false);
  assertEquals(isRefusal({ ok: false, code: "response_timeout" }), false);
});

Deno.test("the phase names the prompt of a pick, the saving, or the op", () => {
  assertEquals(
    phaseOf({ op: "getpoint", prompt: "Insertion point" }),
    "waiting for the person to pick: Insertion point",
  );
  assertEquals(
    phaseOf({ op: "user_select", prompt: " " }),
    "waiting for the person to pick: user_select",
  );
  assertEquals(phaseOf({ op: "save_verified" }), "saving");
  assertEquals(phaseOf({ op: "capture" }), "taking the picture");
  assertEquals(phaseOf({ op: "plot" }), "plot");
});
