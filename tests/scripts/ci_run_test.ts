/** What .ci/run says at its end, with a made-up npx in the place of the real one. */

import { assertEquals } from "@std/assert";
import { ROOT } from "../../scripts/children.ts";

/** What each task prints and ends with; a task that is not named ends well in silence. */
type Tasks = Readonly<Record<string, string>>;

const GOOD: Tasks = {
  test: "echo '5 passed, 0 failed, 1 skipped'",
  conformance: "echo '3 passed, 0 failed'",
};

/** The last line and the exit code of `.ci/run`. */
async function ciRun(tasks: Tasks): Promise<readonly [line: string | undefined, code: number]> {
  const dir = await Deno.makeTempDir({ prefix: "ocs-ci-" });
  try {
    await Deno.mkdir(`${dir}/.ci`);
    await Deno.mkdir(`${dir}/bin`);
    await Deno.copyFile(`${ROOT}/.ci/run`, `${dir}/.ci/run`);
    // Called as: npx -y deno@VERSION task NAME ...
    const cases = Object.entries(tasks).map(([name, does]) => `${name}) ${does} ;;`);
    const npx = ["#!/bin/sh", 'case "$4" in', ...cases, "esac", ""].join("\n");
    await Deno.writeTextFile(`${dir}/bin/npx`, npx, { mode: 0o755 });
    const { code, stdout } = await new Deno.Command("bash", {
      args: [`${dir}/.ci/run`],
      env: { PATH: `${dir}/bin:${Deno.env.get("PATH")}` },
      stderr: "null",
    }).output();
    return [new TextDecoder().decode(stdout).trimEnd().split("\n").at(-1), code];
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test({
  name: "the last line of .ci/run is the sum of what the steps reported, its exit code agrees",
  ignore: Deno.build.os === "windows",
  async fn() {
    assertEquals(await ciRun(GOOD), ["13 passed, 0 failed, 2 skipped", 0]);
    const bad = { ...GOOD, conformance: "echo '2 passed, 1 failed'; exit 1" };
    assertEquals(await ciRun(bad), ["12 passed, 1 failed, 2 skipped", 1]);
    assertEquals(await ciRun({ ...GOOD, demo: "exit 3" }), ["13 passed, 1 failed, 2 skipped", 1]);
    assertEquals(await ciRun({ ...GOOD, check: "exit 1" }), ["13 passed, 1 failed, 2 skipped", 1]);
  },
});

Deno.test({
  name: "a suite that ends well but reports no test makes .ci/run fail",
  ignore: Deno.build.os === "windows",
  async fn() {
    for (const says of ["true", "echo '0 passed, 0 failed'"]) {
      const silent = { ...GOOD, conformance: says };
      assertEquals(await ciRun(silent), ["10 passed, 1 failed, 2 skipped", 1], says);
    }
  },
});
