import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Json } from "../../src/host/json.ts";
import { EXECUTE_OPS } from "../../src/ops/table.ts";
import { accepted, ask, refusal } from "./support/verdicts.ts";

const undo = { op: "undo" };

Deno.test("A batch has 1 to 64 steps", () => {
  accepted(ask("batch", { steps: [undo] }));
  accepted(ask("batch", { steps: new Array(64).fill(undo) }));
  for (const steps of [[], new Array(65).fill(undo)]) {
    assertEquals(
      refusal(ask("batch", { steps })),
      "Parameter 'steps' of batch must be an array of 1 to 64 steps, each an object with op and that op's parameters, " +
        `but it is an array of ${steps.length} items.`,
    );
  }
  assertStringIncludes(refusal(ask("batch")), "Missing steps for batch. Example request: {");
});

Deno.test("Every batchable op may be a step, no other", () => {
  for (const row of EXECUTE_OPS) {
    const request = ask("batch", { steps: [undo, row.example] });
    if (row.batchable) accepted(request);
    else assertStringIncludes(refusal(request), "steps[1]: ");
  }
});

Deno.test("A nested batch and an op that stands alone say what to do instead", () => {
  assertEquals(
    refusal(ask("batch", { steps: [undo, { op: "batch", steps: [undo] }] })),
    "steps[1]: A batch cannot hold another batch; put its steps into this one.",
  );
  assertEquals(
    refusal(ask("batch", { steps: [{ op: "save_verified", path: "/a.dxf" }] })),
    "steps[0]: save_verified cannot be a step of a batch; send it as a request of its own.",
  );
});

Deno.test("Steps are checked by the same table, all before any runs, each fault with its index", () => {
  assertEquals(
    refusal(ask("batch", { steps: [undo, undo, { op: "run" }] })),
    'steps[2]: Missing cmd for run. Example request: {"op":"run","cmd":"CIRCLE 20,15 4"}',
  );
  assertEquals(
    refusal(ask("batch", { steps: [{ op: "run", cmd: 5 }] })),
    "steps[0]: Parameter 'cmd' of run must be a string, but it is 5.",
  );
  assertStringIncludes(
    refusal(ask("batch", { steps: [{ op: "input", kind: "token" }] })),
    "steps[0]: Missing text for input.",
  );
  assertStringIncludes(
    refusal(ask("batch", { steps: [undo, { op: "query" }] })),
    "steps[1]: query is a read; use ocs_read",
  );
  assertStringIncludes(refusal(ask("batch", { steps: [{}] })), "steps[0]: Missing op");
  assertStringIncludes(
    refusal(ask("batch", { steps: ["undo"] })),
    "Parameter 'steps[0]' of batch must be an object with op",
  );
  assertStringIncludes(
    refusal(ask("batch", {
      steps: [undo, { op: "entities_create", entities: [{ type: "Circle", center: [0, 0] }] }],
    })),
    "steps[1]: Missing entities[0].radius for entities_create.",
  );
});

Deno.test("A step with a request id is refused, one with null is not", () => {
  assertEquals(
    refusal(ask("batch", { steps: [undo, { op: "undo", request_id: "s-1" }] })),
    "steps[1]: A step of undo must not carry request_id; the batch's own stands for all steps.",
  );
  assertEquals(
    accepted(ask("batch", { steps: [{ op: "undo", request_id: null }] })).request.steps,
    [undo],
  );
});

Deno.test("What belongs to the batch as a whole is taken out of its steps; document_id stays", () => {
  const step: Record<string, Json> = {
    op: "undo",
    document_id: 3,
    revision: 1,
    geometry_revision: 2,
    camera_revision: 3,
    selection: ["4C"],
    client_id: "me",
  };
  assertEquals(accepted(ask("batch", { steps: [step], revision: 9 })), {
    request: ask("batch", { steps: [{ op: "undo", document_id: 3 }], revision: 9 }),
    warnings: [],
  });
  assertStringIncludes(
    refusal(ask("batch", { steps: [{ op: "undo", document_id: "3" }] })),
    "steps[0]: Parameter 'document_id' of undo must be an integer",
  );
});

Deno.test("Steps lose their nulls, get their z and their warnings with the step's index", () => {
  const steps = [undo, { op: "click", point: [1, 2], modifiers: null, speed: 4 }];
  assertEquals(accepted(ask("batch", { steps })), {
    request: ask("batch", { steps: [undo, { op: "click", point: [1, 2, 0], speed: 4 }] }),
    warnings: ["unknown parameter 'steps[1].speed' ignored for op 'click'"],
  });
});

Deno.test("The policy holds for steps too", () => {
  const request = ask("batch", { steps: [undo, { op: "close" }] });
  const denied = refusal(request, { deny: new Set(["close"]) });
  assertStringIncludes(denied, "steps[1]: ");
  assertStringIncludes(denied, "--deny-ops");
  const listed = refusal(request, { allow: new Set(["batch", "undo"]) });
  assertStringIncludes(listed, "steps[1]: ");
  assertStringIncludes(listed, "--allow-ops");
});
