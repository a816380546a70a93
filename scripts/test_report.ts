/** Reads the test runner's own report (JUnit) and states it in one plain line. Pure. */

/** What a run came to. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the test cases of a JUnit report. */
export function readReport(xml: string): TestReport {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for (const match of xml.matchAll(/<testcase\b[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const inner = match[1] ?? "";
    if (/<(failure|error)\b/.test(inner)) failed++;
    else if (/<skipped\b/.test(inner)) skipped++;
    else passed++;
  }
  return { passed, failed, skipped };
}

/**
 * Brings the runner's exit code and its report together: a run that failed outside of any test case
 * (a module that does not load, no report at all) counts as one failure, and so does one that met
 * no test case at all: it has shown nothing.
 */
export function settleReport(report: TestReport, exitCode: number): TestReport {
  const empty = report.passed + report.failed + report.skipped === 0;
  const unseen = report.failed === 0 && (exitCode !== 0 || empty);
  return unseen ? { ...report, failed: 1 } : report;
}

/** `N passed, N failed`, with `, N skipped` when there are any. */
export function reportLine({ passed, failed, skipped }: TestReport): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Lines hit of lines found over an lcov report, 0 to 100; of nothing, 0. */
export function linesCovered(lcov: string): number {
  const sum = (key: string) =>
    [...lcov.matchAll(new RegExp(`^${key}:(\\d+)$`, "gm"))].reduce(
      (n, one) => n + Number(one[1]),
      0,
    );
  const found = sum("LF");
  return found === 0 ? 0 : 100 * sum("LH") / found;
}
