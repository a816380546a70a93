/** The gate of the house on made-up graphs: it must find what it is there to find. */

import { assertEquals } from "@std/assert";
import { faultsOf, LINE_LIMIT, type Module } from "../../scripts/module_graph.ts";

function module(path: string, ...imports: readonly string[]): Module {
  return { path, imports, lines: 10 };
}

Deno.test("a house with all arrows downward has no faults", () => {
  assertEquals(
    faultsOf([
      module("main.ts", "src/cli/run.ts"),
      module("src/cli/run.ts", "src/tools/face.ts", "src/desk/desk.ts", "src/host/log.ts"),
      module("src/tools/face.ts", "src/mcp/face.ts", "src/editor/side.ts", "src/ops/table.ts"),
      module("src/mcp/face.ts", "src/host/json.ts"),
      module("src/desk/desk.ts", "src/editor/types.ts", "src/ops/table.ts", "src/image/png.ts"),
      module("src/editor/types.ts", "src/host/json.ts"),
      module("src/host/build.ts", "deno.json"),
    ]),
    [],
  );
});

Deno.test("an arrow that runs up is a fault, in every folder", () => {
  for (
    const [from, to] of [
      ["src/host/log.ts", "src/mcp/face.ts"],
      ["src/mcp/face.ts", "src/tools/face.ts"],
      ["src/editor/side.ts", "src/tools/face.ts"],
      ["src/ops/table.ts", "src/editor/types.ts"],
      ["src/image/png.ts", "src/ops/table.ts"],
      ["src/tools/face.ts", "src/cli/run.ts"],
      ["src/tools/face.ts", "src/desk/desk.ts"],
      ["src/desk/desk.ts", "src/tools/face.ts"],
    ] as const
  ) {
    const faults = faultsOf([module(from, to), module(to)]);
    assertEquals(faults.length, 1, `${from} → ${to}`);
    assertEquals(faults[0]?.startsWith(`${from} imports ${to}: `), true, faults[0]);
  }
});

Deno.test("mcp and editor do not know each other, and ops knows neither", () => {
  const pairs = [["mcp", "editor"], ["editor", "mcp"], ["ops", "mcp"], ["ops", "editor"]] as const;
  for (const [from, to] of pairs) {
    assertEquals(faultsOf([module(`src/${from}/a.ts`, `src/${to}/b.ts`)]).length, 1);
  }
});

Deno.test("desk takes only the wire types of editor", () => {
  assertEquals(faultsOf([module("src/desk/a.ts", "src/editor/types.ts")]), []);
  assertEquals(faultsOf([module("src/desk/a.ts", "src/editor/session.ts")]).length, 1);
});

Deno.test("main.ts imports only the command line, and src nothing outside of itself", () => {
  assertEquals(faultsOf([module("main.ts", "src/tools/face.ts")]).length, 1);
  assertEquals(faultsOf([module("src/cli/run.ts", "scripts/compile.ts")]).length, 1);
  assertEquals(faultsOf([module("src/cli/run.ts", "deno.json")]).length, 1);
});

Deno.test("a circle is found, also one within a folder and one of a single file", () => {
  assertEquals(
    faultsOf([
      module("src/ops/a.ts", "src/ops/b.ts"),
      module("src/ops/b.ts", "src/ops/c.ts"),
      module("src/ops/c.ts", "src/ops/a.ts"),
    ]),
    [
      "These import each other in a circle: " +
      "src/ops/a.ts → src/ops/b.ts → src/ops/c.ts → src/ops/a.ts.",
    ],
  );
  assertEquals(faultsOf([module("src/ops/a.ts", "src/ops/a.ts")]).length, 1);
});

Deno.test("two ways to one module are no circle", () => {
  assertEquals(
    faultsOf([
      module("src/ops/a.ts", "src/ops/b.ts", "src/ops/c.ts"),
      module("src/ops/b.ts", "src/ops/d.ts"),
      module("src/ops/c.ts", "src/ops/d.ts"),
      module("src/ops/d.ts"),
    ]),
    [],
  );
});

Deno.test("a file is too long from one line above the limit", () => {
  assertEquals(faultsOf([{ ...module("src/ops/a.ts"), lines: LINE_LIMIT }]), []);
  assertEquals(faultsOf([{ ...module("src/ops/a.ts"), lines: LINE_LIMIT + 1 }]), [
    `src/ops/a.ts has ${LINE_LIMIT + 1} lines, more than ${LINE_LIMIT}.`,
  ]);
});
