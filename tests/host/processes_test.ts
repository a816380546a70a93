import { assert, assertEquals, assertThrows } from "@std/assert";
import { parsePs, parseTasklist, processLister, startDetached } from "../../src/host/processes.ts";

Deno.test("a zombie in the output of ps is dead", () => {
  assertEquals(parsePs("    1 Ss\n  42 Z+\n 4321 R+\nrubbish\n\n"), new Set([1, 4321]));
});

Deno.test("tasklist names may contain commas and doubled quotes", () => {
  const text =
    '"System","4","Services","0","140 K"\r\n"a,""b"".exe","5120","Console","1","9 K"\r\n';
  assertEquals(parseTasklist(text), new Set([4, 5120]));
});

Deno.test("the lister sees this very process", async () => {
  const alive = await processLister()();
  assert(alive?.has(Deno.pid));
});

Deno.test("a lister that does not exist establishes nothing", async () => {
  assertEquals(await processLister("/nonexistent/ps")(), undefined);
});

Deno.test({
  name: "a lister that fails or prints no process establishes nothing",
  ignore: Deno.build.os === "windows",
  async fn() {
    assertEquals(await processLister("/bin/false")(), undefined);
    assertEquals(await processLister("/bin/true")(), undefined);
  },
});

Deno.test({
  name: "a started process reports its exit status and gets the extra environment",
  ignore: Deno.build.os === "windows",
  async fn() {
    const started = startDetached("/bin/sh", ["-c", 'exit "$OCS_TEST_STATUS"'], {
      OCS_TEST_STATUS: "7",
    });
    // The child is not waited for by the event loop: something else has to keep it turning.
    const alive = setInterval(() => {}, 1_000);
    const { code } = await started.ended;
    clearInterval(alive);
    assertEquals(code, 7);
  },
});

Deno.test("starting what does not exist throws", () => {
  assertThrows(() => startDetached("/nonexistent/editor", [], {}), Deno.errors.NotFound);
});
