import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Json } from "../../src/host/json.ts";
import { checkExecute } from "../../src/ops/check.ts";
import { EXECUTE_OPS } from "../../src/ops/table.ts";
import { accepted, ask, parsed, refusal } from "./support/verdicts.ts";

Deno.test("The example of every op is valid, without warnings, and forwarded as it stands", () => {
  for (const row of EXECUTE_OPS) {
    const request = { request_id: "r-1", ...row.example };
    assertEquals(accepted(request), { request, warnings: [] }, row.op);
  }
});

Deno.test("The row of the op comes with a valid request", () => {
  const checked = checkExecute(ask("getpoint"), {});
  assertEquals(checked.ok && checked.op.kind, "pick");
});

Deno.test("A missing parameter is answered with the op's own example, ready to be pasted", () => {
  assertEquals(
    refusal(ask("open")),
    'Missing path for open. Example request: {"op":"open","request_id":"open-1","path":"/drawings/plan.dxf"}',
  );
});

Deno.test("A missing request id is answered with the op's own example", () => {
  assertEquals(
    refusal({ op: "run", cmd: "LINE 0,0 1,1" }),
    'Missing request_id for run. Example request: {"op":"run","request_id":"run-1","cmd":"CIRCLE 20,15 4"}',
  );
});

Deno.test("The example in the message of a missing field is itself valid, for every op", () => {
  for (const row of EXECUTE_OPS) {
    const message = refusal({ op: row.op });
    const head = `Missing request_id for ${row.op}. Example request: `;
    assertStringIncludes(message, head);
    const example = parsed(message.slice(head.length));
    assertEquals(accepted(example).warnings, []);
  }
});

Deno.test("An any-of rule names the ways out", () => {
  assertStringIncludes(
    refusal(ask("text_replace", { replace: "B" })),
    "Missing find or pairs for text_replace. Example request: {",
  );
  accepted(ask("text_replace", { find: "A" }));
  accepted(ask("text_replace", { pairs: [{ find: "A" }] }));
  assertStringIncludes(
    refusal(ask("entities_copy_to", { handles: ["4C"] })),
    "Missing target_document_id or document_id for entities_copy_to. Example request: {",
  );
  accepted(ask("entities_copy_to", { handles: ["4C"], document_id: 3 }));
  accepted(ask("entities_copy_to", { handles: ["4C"], target_document_id: 3 }));
});

Deno.test("input asks for what its kind needs", () => {
  const handle = "4C";
  const point = [1, 2, 0];
  const gaps: [Record<string, Json>, string][] = [
    [{ kind: "token" }, "text"],
    [{ kind: "point" }, "point"],
    [{ kind: "entity", point }, "handle"],
    [{ kind: "entity", handle }, "point"],
    [{ kind: "structure", point }, "handle"],
    [{ kind: "structure", handle }, "point"],
  ];
  for (const [parameters, field] of gaps) {
    assertStringIncludes(refusal(ask("input", parameters)), `Missing ${field} for input. Example`);
  }
  for (const kind of ["text", "selection", "enter"]) accepted(ask("input", { kind }));
  accepted(ask("input", { kind: "token", text: "U" }));
  for (const kind of ["entity", "structure"]) accepted(ask("input", { kind, handle, point }));
});

Deno.test("scale needs a factor and mirror an axis, however the action is spelled", () => {
  const transform = (action: string) => ask("entities_transform", { handles: ["4C"], action });
  assertStringIncludes(refusal(transform("scale")), "Missing factor for entities_transform.");
  assertStringIncludes(refusal(transform("SCALE")), "Missing factor for entities_transform.");
  assertStringIncludes(refusal(transform("Mirror")), "Missing axis for entities_transform.");
  accepted(transform("move"));
  accepted(ask("entities_transform", { handles: ["4C"] }));
});

Deno.test("Area window needs a window, in plot and in page_setup_set", () => {
  assertStringIncludes(
    refusal(ask("plot", { path: "/a.pdf", area: "Window" })),
    "Missing window for plot.",
  );
  assertStringIncludes(
    refusal(ask("page_setup_set", { layout: "A1", area: "window" })),
    "Missing window for page_setup_set.",
  );
  accepted(ask("plot", { path: "/a.pdf", area: "window", window: [0, 0, 1, 1] }));
});

Deno.test("A missing key of a list item is named with its place", () => {
  assertStringIncludes(
    refusal(ask("set_properties", { collection: "header", updates: [{ path: "/x" }] })),
    "Missing updates[0].value for set_properties. Example request: {",
  );
  assertStringIncludes(
    refusal(ask("entities_create", { entities: [{ center: [0, 0] }] })),
    "Missing entities[0].type for entities_create.",
  );
});

Deno.test("A wrong type names parameter, op, what was expected and what was seen", () => {
  const cases: [string, Record<string, Json>, string][] = [
    ["run", { cmd: 5 }, "Parameter 'cmd' of run must be a string, but it is 5."],
    [
      "close",
      { discard: "yes" },
      "Parameter 'discard' of close must be true or false, but it is the string \"yes\".",
    ],
    [
      "activate",
      { document_id: 1.5 },
      "Parameter 'document_id' of activate must be an integer, at least 0, but it is 1.5.",
    ],
    [
      "click",
      { point: [1] },
      "Parameter 'point' of click must be a point [x,y] or [x,y,z] of finite numbers, but it is [1].",
    ],
    [
      "select",
      { window: [1, 2, 3] },
      "Parameter 'window' of select must be a window [x0,y0,x1,y1] of four finite numbers, but it is [1,2,3].",
    ],
    [
      "entities_delete",
      { handles: [] },
      "Parameter 'handles' of entities_delete must be a non-empty array of handles, hex strings such as \"4C\", but it is an array of 0 items.",
    ],
    [
      "entities_delete",
      { handles: ["4C", "G"] },
      'Parameter \'handles[1]\' of entities_delete must be a handle, a hex string such as "4C", but it is the string "G".',
    ],
    [
      "entities_delete",
      { handles: [76] },
      "Parameter 'handles[0]' of entities_delete must be a handle, a hex string such as \"4C\", but it is 76.",
    ],
    [
      "input",
      { kind: "Point", point: [0, 0] },
      "Parameter 'kind' of input must be one of text, token, point, entity, structure, selection, enter, but it is the string \"Point\".",
    ],
    [
      "entities_transform",
      { handles: ["4C"], action: "spin" },
      "Parameter 'action' of entities_transform must be one of move, copy, rotate, scale, mirror, array, but it is the string \"spin\".",
    ],
    ["sysvar", { set: [1] }, "Parameter 'set' of sysvar must be an object, but it is [1]."],
    [
      "sysvar",
      { get: "clayer" },
      "Parameter 'get' of sysvar must be an array of strings, but it is the string \"clayer\".",
    ],
    [
      "set_properties",
      { collection: "layers", updates: [] },
      "Parameter 'updates' of set_properties must be a non-empty array of objects, but it is an array of 0 items.",
    ],
    [
      "set_properties",
      { collection: "layers", updates: ["x"] },
      "Parameter 'updates[0]' of set_properties must be an object, but it is the string \"x\".",
    ],
    [
      "set_properties",
      { collection: "layers", updates: [{ path: 1, value: 1 }] },
      "Parameter 'updates[0].path' of set_properties must be a string, but it is 1.",
    ],
    [
      "embed_image",
      { path: "/a.png", source_points: [[0, 0], {}] },
      "Parameter 'source_points[1]' of embed_image must be a point [x,y] or [x,y,z] of finite numbers, but it is an object.",
    ],
    [
      "run",
      { cmd: "REGEN", selection: [1] },
      "Parameter 'selection[0]' of run must be a string, but it is 1.",
    ],
    [
      "run",
      { cmd: "REGEN", revision: "12" },
      "Parameter 'revision' of run must be an integer, at least 0, but it is the string \"12\".",
    ],
  ];
  for (const [op, parameters, message] of cases) {
    assertEquals(refusal(ask(op, parameters)), message);
  }
});

Deno.test("An action name must be one of the table's, exactly", () => {
  assertStringIncludes(
    refusal(ask("action", { name: "pointer_press", x: 1, y: 2 })),
    "Parameter 'name' of action must be one of close_modal,",
  );
  const request = ask("action", { name: "layer_current", layer: "0", value: "a", x: 1, y: 2 });
  assertEquals(accepted(request).warnings, []);
});

Deno.test("Unknown keys are forwarded with a warning each", () => {
  const request = ask("undo", { steps: 2, count: [1] });
  assertEquals(accepted(request), {
    request,
    warnings: [
      "unknown parameter 'steps' ignored for op 'undo'",
      "unknown parameter 'count' ignored for op 'undo'",
    ],
  });
});

Deno.test("Unknown keys of list items are warned about once for the whole list", () => {
  const updates = [{ path: "/a", value: 1, unit: "mm" }, { path: "/b", value: 2, unit: "mm" }];
  const request = ask("set_properties", { collection: "header", updates });
  assertEquals(accepted(request), {
    request,
    warnings: ["unknown parameter 'updates[].unit' ignored for op 'set_properties'"],
  });
});

Deno.test("Keys of every envelope are known", () => {
  const envelope = {
    document_id: 3,
    revision: 1,
    geometry_revision: 2,
    camera_revision: 0,
    selection: [],
    client_id: "me",
  };
  assertEquals(accepted(ask("undo", envelope)).warnings, []);
});

Deno.test("Null counts as absent", () => {
  assertStringIncludes(refusal(ask("open", { path: null })), "Missing path for open.");
  assertStringIncludes(refusal({ op: "undo", request_id: null }), "Missing request_id for undo.");
  assertStringIncludes(
    refusal(ask("input", { kind: "point", point: null })),
    "Missing point for input.",
  );
  assertStringIncludes(refusal(ask("property", { field: "color", value: null })), "Missing value");
  assertEquals(accepted(ask("save", { path: null, document_id: null, oddity: null })), {
    request: ask("save"),
    warnings: [],
  });
});

Deno.test("Null counts as absent in list items too, where the table knows the key", () => {
  assertStringIncludes(
    refusal(ask("set_properties", { collection: "layers", updates: [{ path: null, value: 1 }] })),
    "Missing updates[0].path for set_properties.",
  );
  assertEquals(
    accepted(ask("text_replace", { pairs: [{ find: "A", replace: null }] })).request.pairs,
    [{ find: "A" }],
  );
});

Deno.test("Null stays where any JSON value may stand inside of a list: there it is data", () => {
  const updates = [{ path: "/x", value: null, expected: null }];
  const request = ask("set_properties", { collection: "objects", handle: "4C", updates });
  assertEquals(accepted(request).request, request);
  const set = ask("sysvar", { set: { clayer: null } });
  assertEquals(accepted(set).request, set);
});

Deno.test("Two-number points of input, grip_drag and click get z = 0", () => {
  const point = [4, 3];
  for (
    const [op, parameters] of [
      ["input", { kind: "point", point }],
      ["grip_drag", { handle: "4C", grip_id: 0, point }],
      ["click", { point }],
    ] as const
  ) {
    assertEquals(accepted(ask(op, parameters)).request.point, [4, 3, 0], op);
    assertEquals(accepted(ask(op, { ...parameters, point: [4, 3, 9] })).request.point, [4, 3, 9]);
  }
  const base = accepted(ask("block_define", { name: "D", handles: ["4C"], base: [1, 2] }));
  assertEquals(base.request.base, [1, 2]);
});

Deno.test("Words that may be in any case are; detail is sent as the editor spells it", () => {
  assertEquals(
    accepted(ask("plot", { path: "/a.pdf", orientation: "LANDSCAPE" })).request.orientation,
    "LANDSCAPE",
  );
  assertEquals(accepted(ask("user_select", { detail: "Geometry" })).request.detail, "geometry");
});

Deno.test("A request that is no object is refused, text with a hint", () => {
  assertEquals(
    refusal(undefined),
    "Missing request: give an object with op, request_id and the op's parameters.",
  );
  assertStringIncludes(refusal('{"op":"undo"}'), "Send the object itself, not its JSON as text.");
  assertStringIncludes(refusal([ask("undo")]), "must be an object");
  assertStringIncludes(refusal(7), "but it is 7.");
});

Deno.test("An op that is not there is refused, a read and capture with the tool to use", () => {
  assertStringIncludes(refusal({}), "Missing op in the request.");
  assertStringIncludes(refusal(ask("explode")), 'Unknown op: it is the string "explode".');
  assertStringIncludes(refusal({ op: 7 }), "Unknown op: it is 7.");
  assertEquals(refusal(ask("query")), 'query is a read; use ocs_read with op "query".');
  assertEquals(refusal(ask("capture")), "capture is no operation of ocs_execute; use ocs_capture.");
  assertStringIncludes(refusal(ask("constructor")), "Unknown op");
});

Deno.test("A request id has 1 to 128 bytes of UTF-8, not characters", () => {
  accepted({ op: "undo", request_id: "x".repeat(128) });
  accepted({ op: "undo", request_id: "é".repeat(64) });
  assertEquals(
    refusal({ op: "undo", request_id: "é".repeat(65) }),
    "Parameter 'request_id' of undo must be a string of 1 to 128 bytes, but it is one of 130 bytes.",
  );
  assertEquals(
    refusal({ op: "undo", request_id: "" }),
    "Parameter 'request_id' of undo must be a string of 1 to 128 bytes, but it is one of 0 bytes.",
  );
  assertEquals(
    refusal({ op: "undo", request_id: 7 }),
    "Parameter 'request_id' of undo must be a string of 1 to 128 bytes, but it is 7.",
  );
});

Deno.test("Faults are reported in the order of bridge.md 2.3", () => {
  const deny = { deny: new Set(["input"]) };
  // From the outside in: each request has every later fault as well.
  assertStringIncludes(refusal("x", deny), "request must be an object");
  assertStringIncludes(refusal({ op: "inputs", kind: 5 }, deny), "Unknown op");
  assertStringIncludes(refusal({ op: "input", kind: 5 }, deny), "Missing request_id");
  assertStringIncludes(refusal({ op: "input", request_id: "", kind: 5 }, deny), "128 bytes");
  assertStringIncludes(refusal(ask("input", { text: 5 }), deny), "--deny-ops");
  assertStringIncludes(refusal(ask("input", { text: 5 })), "Missing kind");
  assertStringIncludes(refusal(ask("input", { kind: "token", space: 5 })), "Missing text");
  assertStringIncludes(refusal(ask("input", { kind: "enter", odd: 1, space: 5 })), "'space'");
});

Deno.test("A denied op is refused, an op that is not on the list too, each naming the option", () => {
  assertStringIncludes(refusal(ask("stop"), { deny: new Set(["stop"]) }), "--deny-ops");
  assertStringIncludes(refusal(ask("stop"), { allow: new Set(["undo"]) }), "--allow-ops");
  const both = { allow: new Set(["undo", "redo"]), deny: new Set(["redo"]) };
  assertStringIncludes(refusal(ask("redo"), both), "--deny-ops");
  accepted(ask("undo"), both);
});

Deno.test("Numbers that JSON can spell but not carry are refused, wherever they stand", () => {
  assertStringIncludes(
    refusal(parsed('{"op":"click","request_id":"a","point":[1e999,0]}')),
    "'point' of click must be a point",
  );
  assertStringIncludes(
    refusal(parsed('{"op":"sysvar","request_id":"a","set":{"ltscale":{"x":[1,1e999]}}}')),
    "Parameter 'set.ltscale.x[1]' of sysvar must be a finite number, but it is Infinity.",
  );
  assertStringIncludes(
    refusal(ask("activate", { document_id: 2 ** 60 })),
    "must be an integer",
  );
});

Deno.test("What the editor's JSON reader would give up on is refused: depth, halved characters", () => {
  const nested = (levels: number): Json => levels === 0 ? 1 : [nested(levels - 1)];
  accepted(ask("property", { field: "x", value: nested(126) }));
  assertStringIncludes(
    refusal(ask("property", { field: "x", value: nested(127) })),
    "of property must be nested at most 127 levels deep",
  );
  const deep = parsed(`{"op":"undo","request_id":"a","x":${"[".repeat(1e5)}${"]".repeat(1e5)}}`);
  assertStringIncludes(refusal(deep), "nested at most 127 levels deep");
  assertStringIncludes(
    refusal(ask("run", { cmd: "TEXT \ud83d" })),
    "Parameter 'cmd' of run must be well-formed Unicode",
  );
  assertStringIncludes(refusal(ask("undo", { "\ud83d": 1 })), "named in well-formed Unicode");
});

Deno.test("A key called __proto__ is one like any other", () => {
  const text = '{"op":"undo","request_id":"a","__proto__":{"path":"x"}}';
  const checked = accepted(parsed(text));
  assertEquals(JSON.stringify(checked.request), text);
  assertEquals(checked.warnings, ["unknown parameter '__proto__' ignored for op 'undo'"]);
  assertStringIncludes(
    refusal(parsed('{"op":"open","request_id":"a","__proto__":{"path":"x"}}')),
    "Missing path for open.",
  );
});

Deno.test("Long strings are cut in messages", () => {
  const message = refusal(ask("close", { discard: "x".repeat(1000) }));
  assertEquals(message.length < 140, true);
});
