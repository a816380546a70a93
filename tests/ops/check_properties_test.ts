import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Json } from "../../src/host/json.ts";
import { isJsonObject } from "../../src/host/json.ts";
import { checkExecute, checkRead } from "../../src/ops/check.ts";
import type { Param } from "../../src/ops/spec.ts";
import { EXECUTE_ENVELOPE, EXECUTE_OPS, READ_OPS } from "../../src/ops/table.ts";
import { object } from "./support/facts.ts";

/** JSON as it comes out of the parser. */
const json = fc.jsonValue({ maxDepth: 4 }).map((value): Json => JSON.parse(JSON.stringify(value)));

const row = fc.constantFrom(...EXECUTE_OPS);
const read = fc.constantFrom(...READ_OPS);

/** Requests that get past the first checks: a known op, its keys and some others, any values. */
const nearly = row.chain((spec) =>
  fc.record(
    Object.fromEntries(
      [...spec.params, ...EXECUTE_ENVELOPE].map((param) => [param.name, valueFor(param)]),
    ),
    { requiredKeys: [] },
  ).chain((parameters) =>
    fc.record({ extra: fc.dictionary(fc.string(), json, { maxKeys: 2 }) }).map(({ extra }) =>
      object({ ...extra, ...parameters, op: spec.op, request_id: "r-1" })
    )
  )
);

Deno.test("Any JSON value as request is either valid or refused in words; nothing is thrown", () => {
  fc.assert(fc.property(json, (value) => {
    const checked = checkExecute(value, {});
    assert(checked.ok || checked.message.length > 0);
  }));
});

Deno.test("A request of a known op is valid, or the refusal names the op and one of its parameters", () => {
  let valid = 0;
  fc.assert(
    fc.property(nearly, (request) => {
      const checked = checkExecute(request, {});
      if (checked.ok) {
        valid++;
        return;
      }
      const { message } = checked;
      if (request.op === "batch" && /^steps\[\d+\]: /.test(message)) return;
      assert(message.includes(String(request.op)), message);
      const named = /^Parameter '([^'.[]+)/.exec(message)?.[1] ??
        /^Missing (\w+)/.exec(message)?.[1] ?? "";
      const known = EXECUTE_OPS.find((spec) => spec.op === request.op)?.params ?? [];
      const names = [...known, ...EXECUTE_ENVELOPE].map((param) => param.name);
      assert(names.includes(named) || named in request, message);
    }),
    { numRuns: 2000 },
  );
  assert(valid > 100, "Too few of the requests were valid for this to mean much");
});

Deno.test("A request that was found valid is found valid again, unchanged and with the same warnings", () => {
  fc.assert(
    fc.property(nearly, (request) => {
      const first = checkExecute(request, {});
      if (!first.ok) return;
      const again = checkExecute(first.request, {});
      assert(again.ok);
      assertEquals(again, first);
      // What is forwarded is what the line to the editor will hold.
      assertEquals(JSON.parse(JSON.stringify(first.request)), first.request);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("A key that is null is as good as one that is not there", () => {
  fc.assert(
    fc.property(nearly, fc.string(), fc.nat(), (request, odd, pick) => {
      const keys = [...Object.keys(request), odd];
      const key = keys[pick % keys.length] ?? odd;
      const absent = Object.fromEntries(Object.entries(request).filter(([name]) => name !== key));
      const withNull = Object.fromEntries(
        [...Object.entries(request).filter(([name]) => name !== key), [key, null]],
      );
      assertEquals(checkExecute(withNull, {}), checkExecute(absent, {}));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("An example that lost a required parameter is refused by that name", () => {
  for (const spec of EXECUTE_OPS) {
    for (const param of spec.params.filter((each) => each.required)) {
      const { [param.name]: _gone, ...rest } = spec.example;
      const checked = checkExecute({ ...rest, request_id: "r" }, {});
      assert(!checked.ok && checked.message.startsWith(`Missing ${param.name} for ${spec.op}. `));
    }
  }
});

Deno.test("An example with one parameter of a wrong type is refused by that name", () => {
  fc.assert(
    fc.property(row, fc.nat(), json, (spec, pick, value) => {
      const params = [...spec.params, ...EXECUTE_ENVELOPE];
      const param = params[pick % params.length];
      if (param === undefined || value === null || param.type === "any") return;
      if (sameKind(param, value)) return;
      const checked = checkExecute({ ...spec.example, request_id: "r", [param.name]: value }, {});
      const message = checked.ok ? `accepted ${JSON.stringify(value)}` : checked.message;
      assert(message.startsWith(`Parameter '${param.name}`), message);
      assert(message.includes(` of ${spec.op} must be `), message);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("Any op and any parameters of a read are valid or refused in words", () => {
  const given = fc.oneof(
    json,
    read.chain((spec) =>
      fc.record(
        Object.fromEntries(spec.params.map((param) => [param.name, valueFor(param)])),
        { requiredKeys: [] },
      )
    ),
  );
  fc.assert(
    fc.property(fc.oneof(read.map((spec): Json => spec.op), json), given, (op, parameters) => {
      const checked = checkRead(op, parameters);
      if (!checked.ok) {
        assert(checked.message.length > 0);
        return;
      }
      assertEquals(checkRead(op, checked.request), checked);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("A policy lets through exactly what it names, steps of a batch included", () => {
  const names = fc.subarray(EXECUTE_OPS.map((spec) => spec.op));
  fc.assert(
    fc.property(names, names, fc.boolean(), row, (listed, denied, listing, spec) => {
      const policy = { ...(listing && { allow: new Set(listed) }), deny: new Set(denied) };
      const allowed = (op: string) => !denied.includes(op) && (!listing || listed.includes(op));
      const request = { ...spec.example, request_id: "r" };
      const steps = spec.op === "batch" ? ["run"] : [];
      assertEquals(checkExecute(request, policy).ok, [spec.op, ...steps].every(allowed));
      if (!spec.batchable) return;
      const batch = { op: "batch", request_id: "r", steps: [spec.example] };
      assertEquals(checkExecute(batch, policy).ok, ["batch", spec.op].every(allowed));
    }),
  );
});

/** Mostly what the parameter takes, sometimes anything. */
function valueFor(param: Param): fc.Arbitrary<Json> {
  return fc.oneof({ weight: 6, arbitrary: rightFor(param) }, { weight: 1, arbitrary: json });
}

function rightFor(param: Param): fc.Arbitrary<Json> {
  const coordinate = fc.integer({ min: -1000, max: 1000 });
  const handle = fc.constantFrom("4C", "0x1f", "A0");
  switch (param.type) {
    case "string":
      return fc.string();
    case "boolean":
      return fc.boolean();
    case "number":
    case "integer":
      return fc.nat();
    case "point":
      return fc.array(coordinate, { minLength: 2, maxLength: 3 });
    case "window":
      return fc.array(coordinate, { minLength: 4, maxLength: 4 });
    case "handle":
      return handle;
    case "handles":
      return fc.array(handle, { minLength: 1, maxLength: 3 });
    case "enum":
    case "enum_ci":
      return fc.constantFrom(...(param.values ?? []));
    case "action_name":
      return fc.constant("undo");
    case "object":
      return fc.dictionary(fc.string(), json, { maxKeys: 2 });
    case "any":
      return json;
    default:
      return fc.oneof(fc.constant(exampleOf(param.name)), fc.array(json, { maxLength: 2 }));
  }
}

/** The value that the example of some op gives to a parameter of that name. */
function exampleOf(name: string): Json {
  for (const spec of EXECUTE_OPS) {
    const value = spec.example[name];
    if (value !== undefined && Array.isArray(value)) return value;
  }
  return [];
}

/** Whether a value is of the JSON kind that the parameter takes: such ones are no wrong type. */
function sameKind(param: Param, value: Json): boolean {
  switch (param.type) {
    case "boolean":
      return typeof value === "boolean";
    case "number":
    case "integer":
      return typeof value === "number";
    case "object":
      return isJsonObject(value);
    case "array":
    case "handles":
    case "point":
    case "window":
      return Array.isArray(value);
    default:
      return typeof value === "string";
  }
}
