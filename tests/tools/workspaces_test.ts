/** Tests of keeping paths inside the workspaces (bridge.md 11). */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ToolError } from "../../src/host/faults.ts";
import { confine, systemPaths } from "../../src/tools/workspaces.ts";

interface Place {
  readonly workspace: string;
  readonly outside: string;
}

async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const place = { workspace: `${root}/work`, outside: `${root}/workshop` };
  await Deno.mkdir(`${place.workspace}/plans`, { recursive: true });
  await Deno.mkdir(place.outside);
  try {
    await work(place);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function refused({ workspace }: Place, path: string, words: string): Promise<void> {
  const error = await assertRejects(
    () => confine([{ name: "path", path }], [workspace]),
    ToolError,
    undefined,
    path,
  );
  assertStringIncludes(error.message, words);
  assertStringIncludes(error.message, `Allowed places: ${workspace}.`);
}

Deno.test("paths inside are accepted, whether they exist or not", async () => {
  await inPlace(async ({ workspace }) => {
    const inside = [
      "",
      "/",
      "/plan.dxf",
      "/plans/new/deep/plan.dxf",
      "/plans/../plan.dxf",
      "//a.dxf",
    ];
    await confine(inside.map((rest) => ({ name: "path", path: workspace + rest })), [workspace]);
  });
});

Deno.test("paths outside, relative ones and neighbours with the same beginning are refused", async () => {
  await inPlace(async (place) => {
    await refused(place, "plan.dxf", "is not absolute");
    await refused(place, "./plan.dxf", "is not absolute");
    await refused(place, "", "is not absolute");
    await refused(place, "/etc/plan.dxf", "lies outside");
    await refused(place, `${place.outside}/plan.dxf`, "lies outside");
    await refused(place, `${place.workspace}/../workshop/plan.dxf`, "lies outside");
    await refused(place, `${place.workspace}/../plan.dxf`, "lies outside");
    await refused(place, `${place.workspace}/none/../../workshop/p.dxf`, "cannot be shown");
    await refused(place, `${place.workspace}/a\0.dxf`, "zero byte");
  });
});

Deno.test("links are followed: one that leads out is refused, one that leads in is accepted", async () => {
  await inPlace(async (place) => {
    const { workspace, outside } = place;
    await Deno.symlink(outside, `${workspace}/out`);
    await refused(place, `${workspace}/out/plan.dxf`, "lies outside");
    await Deno.symlink(workspace, `${outside}/in`);
    await confine([{ name: "path", path: `${outside}/in/plan.dxf` }], [workspace]);
  });
});

Deno.test("a way back up starts where the links before it lead, not where they stand", async () => {
  await inPlace(async (place) => {
    const { workspace, outside } = place;
    await Deno.symlink(outside, `${workspace}/out`);
    await Deno.symlink(`${workspace}/plans`, `${outside}/in`);
    // Within the sandbox the runtime goes by the spelling: no lookup may be asked about it.
    const lookup = {
      ...systemPaths,
      realPath(path: string) {
        assert(!path.includes(".."), path);
        return systemPaths.realPath(path);
      },
    };
    const check = (path: string) => confine([{ name: "path", path }], [workspace], lookup);
    await assertRejects(() => check(`${workspace}/out/../plan.dxf`), ToolError, "lies outside");
    await assertRejects(() => check(`${workspace}/plans/../../x.dxf`), ToolError, "lies outside");
    await check(`${outside}/in/../plan.dxf`);
    await check(`${workspace}/plans/./.././plans/../plan.dxf`);
  });
});

Deno.test("a link whose target is missing is refused, since saving would create the target", async () => {
  await inPlace(async (place) => {
    await Deno.symlink(`${place.outside}/new.dxf`, `${place.workspace}/plan.dxf`);
    await refused(place, `${place.workspace}/plan.dxf`, "cannot be shown");
    await Deno.symlink(`${place.outside}/new`, `${place.workspace}/folder`);
    await refused(place, `${place.workspace}/folder/plan.dxf`, "cannot be shown");
  });
});

Deno.test("a workspace that is named through a link allows what lies in it", async () => {
  await inPlace(async ({ workspace, outside }) => {
    await Deno.symlink(workspace, `${outside}/link`);
    await confine([{ name: "path", path: `${workspace}/a.dxf` }], [`${outside}/link`]);
  });
});

Deno.test("several workspaces allow any of them, none allows everything", async () => {
  await inPlace(async ({ workspace, outside }) => {
    const path = `${outside}/a.dxf`;
    await confine([{ name: "path", path }], [workspace, outside]);
    await confine([{ name: "path", path: "relative" }], []);
  });
});

Deno.test("the message names where the path stands", async () => {
  const error = await assertRejects(
    () => confine([{ name: "steps[2].path", path: "x.dxf" }], ["/plans"]),
    ToolError,
  );
  assertEquals(
    error.message,
    'The steps[2].path "x.dxf" is not absolute. Allowed places: /plans. Use an absolute path ' +
      "inside one of them.",
  );
});

Deno.test("Windows paths: drives, either slash, any case", async () => {
  const lookup = {
    realPath: (path: string) =>
      ["C:\\", "C:\\Plans"].some((known) => known.toLowerCase() === path.toLowerCase())
        ? Promise.resolve(path)
        : Promise.reject(new Deno.errors.NotFound()),
    lstat: () => Promise.reject(new Deno.errors.NotFound()),
  };
  const check = (path: string) => confine([{ name: "path", path }], ["C:\\Plans"], lookup, true);
  await check("c:\\plans\\a.dxf");
  await check("C:/Plans/a.dxf");
  await check("C:\\Elsewhere\\..\\Plans\\a.dxf");
  for (
    const path of [
      "\\Plans\\a.dxf",
      "C:a.dxf",
      "C:\\Plans2\\a.dxf",
      "D:\\Plans\\a.dxf",
      "C:\\Plans\\..\\a.dxf",
    ]
  ) {
    await assertRejects(() => check(path), ToolError);
  }
});
