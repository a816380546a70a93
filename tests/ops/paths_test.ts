import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/host/json.ts";
import { pathArguments } from "../../src/ops/paths.ts";
import { EXECUTE_OPS } from "../../src/ops/table.ts";

const found = (request: JsonObject) =>
  pathArguments(request).map(({ name, path, mode }) => [name, path, mode]);

Deno.test("Every op that names a file gives it out, with how it is used", () => {
  const expected: [JsonObject, string[][]][] = [
    [{ op: "open", path: "/a.dxf" }, [["path", "/a.dxf", "read"]]],
    [{ op: "new", template: "/t.dwt" }, [["template", "/t.dwt", "read"]]],
    [{ op: "save", path: "/a.dxf" }, [["path", "/a.dxf", "write"]]],
    [{ op: "save_verified", path: "/a.dxf" }, [["path", "/a.dxf", "write"]]],
    [{ op: "plot", path: "/a.pdf" }, [["path", "/a.pdf", "write"]]],
    [{ op: "embed_image", path: "/a.png" }, [["path", "/a.png", "read"]]],
    [{ op: "wblock", path: "/b.dxf", template: "/t.dwt" }, [
      ["path", "/b.dxf", "write"],
      ["template", "/t.dwt", "read"],
    ]],
  ];
  for (const [request, paths] of expected) assertEquals(found(request), paths, String(request.op));
});

Deno.test("Ops without a file give nothing, nor does a path that is left out", () => {
  for (const request of [{ op: "save" }, { op: "new" }, { op: "undo" }, { op: "nope" }, {}]) {
    assertEquals(found(request), []);
  }
  assertEquals(found({ op: "undo", path: "/a" }), []);
});

Deno.test("A plot style counts only when it is a path", () => {
  assertEquals(found({ op: "page_setup_set", layout: "A", plot_style: "mono.ctb" }), []);
  assertEquals(found({ op: "page_setup_set", layout: "A", plot_style: "C:\\x\\mono.ctb" }), [
    ["plot_style", "C:\\x\\mono.ctb", "read"],
  ]);
});

Deno.test("A plot with one file per page also gives the page's own file where it is known", () => {
  assertEquals(found({ op: "plot", path: "/d/a.PDF", per_page: true, layout: "A1 ../Süd" }), [
    ["path", "/d/a.PDF", "write"],
    ["path", "/d/a-A1____Süd.pdf", "write"],
  ]);
  assertEquals(found({ op: "plot", path: "/d/a.pdf", per_page: true })[1]?.[1], "/d/a-Model.pdf");
  assertEquals(found({ op: "plot", path: "/d/a.pdf", per_page: true, layout: "ALL" }).length, 1);
  assertEquals(found({ op: "plot", path: "/d/a.pdf", per_page: false, layout: "A" }).length, 1);
});

Deno.test("Steps of a batch give theirs, with the step", () => {
  const steps = [{ op: "undo" }, { op: "open", path: "/a.dxf" }, { op: "save", path: "/b.dxf" }];
  assertEquals(pathArguments({ op: "batch", steps }), [
    { op: "open", parameter: "path", name: "steps[1].path", path: "/a.dxf", mode: "read", step: 1 },
    {
      op: "save",
      parameter: "path",
      name: "steps[2].path",
      path: "/b.dxf",
      mode: "write",
      step: 2,
    },
  ]);
});

Deno.test("Every parameter that sounds like a file is one", () => {
  const named = EXECUTE_OPS.flatMap((row) =>
    row.params.filter((param) => /path|template|file/.test(param.name))
  );
  assertEquals(named.filter((param) => param.path === undefined), []);
});
