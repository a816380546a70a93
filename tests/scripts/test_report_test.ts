/** The plain line at the end of a test run: taken from the report, in agreement with the exit code. */

import { assertAlmostEquals, assertEquals } from "@std/assert";
import { linesCovered, readReport, reportLine, settleReport } from "../../scripts/test_report.ts";
import { ROOT, runChild } from "../../scripts/children.ts";

Deno.test("passed, failed and skipped cases are told apart", () => {
  const xml = `<?xml version="1.0"?>
    <testsuites><testsuite name="a">
      <testcase name="one" time="0.1">
      </testcase>
      <testcase name="two"><failure message="no">text</failure></testcase>
      <testcase name="three"><skipped/></testcase>
      <testcase name="four"/>
      <testcase name="five"><error message="no"/></testcase>
    </testsuite></testsuites>`;
  assertEquals(readReport(xml), { passed: 2, failed: 2, skipped: 1 });
});

Deno.test("no report is no passed test", () => {
  assertEquals(readReport(""), { passed: 0, failed: 0, skipped: 0 });
});

Deno.test("a run that failed outside of any case counts as a failure, a failed case only once", () => {
  assertEquals(settleReport({ passed: 3, failed: 0, skipped: 0 }, 1).failed, 1);
  assertEquals(settleReport({ passed: 3, failed: 2, skipped: 0 }, 1).failed, 2);
  assertEquals(settleReport({ passed: 3, failed: 0, skipped: 0 }, 0).failed, 0);
});

Deno.test("a run that met no test case is a failure, one of skipped cases is not", () => {
  assertEquals(settleReport({ passed: 0, failed: 0, skipped: 0 }, 0).failed, 1);
  assertEquals(settleReport({ passed: 0, failed: 0, skipped: 1 }, 0).failed, 0);
});

Deno.test("the line names skipped tests only when there are some", () => {
  assertEquals(reportLine({ passed: 3, failed: 0, skipped: 0 }), "3 passed, 0 failed");
  assertEquals(reportLine({ passed: 3, failed: 1, skipped: 2 }), "3 passed, 1 failed, 2 skipped");
});

Deno.test("coverage is lines hit of lines found over all files", () => {
  assertAlmostEquals(linesCovered("SF:a\nLF:10\nLH:5\nend\nSF:b\nLF:30\nLH:30\n"), 87.5);
  assertEquals(linesCovered(""), 0);
});

Deno.test("the real runner's report is read rightly, and the script's exit code agrees", async () => {
  const dir = await Deno.makeTempDir({ prefix: "ocs-report-" });
  try {
    const file = `${dir}/made_up_test.ts`;
    await Deno.writeTextFile(
      file,
      `Deno.test("good < & good", () => {});
       Deno.test({ name: "skipped", ignore: true, fn() {} });
       Deno.test("bad", () => { throw new Error("<failure> </testcase>"); });`,
    );
    const bad = await runChild(["run", "--allow-all", `${ROOT}/scripts/test.ts`, file], {
      quiet: true,
    });
    assertEquals(bad.stdout.trimEnd().split("\n").at(-1), "1 passed, 1 failed, 1 skipped");
    assertEquals(bad.code, 1);
    await Deno.writeTextFile(file, `Deno.test("good", () => {});`);
    const good = await runChild(["run", "--allow-all", `${ROOT}/scripts/test.ts`, file], {
      quiet: true,
    });
    assertEquals(good.stdout.trimEnd().split("\n").at(-1), "1 passed, 0 failed");
    assertEquals(good.code, 0);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
