import { after, distinct, figureOf, type ResultReader } from './test-results.ts';

/** ctest: "50% tests passed, 1 tests failed out of 2", and a list of those that failed. */
export const readCtest: ResultReader = (lines) => {
  const at = lines.findLastIndex((line) => /^\d+% tests passed, \d+ tests? failed out of \d+$/.test(line));
  if (at === -1) return undefined;
  const [failed = 0, all = 0] = [...(lines[at] ?? '').matchAll(/\d+/g)].slice(1).map(([number]) => Number(number));
  const listed = lines
    .slice(at)
    .flatMap((line) => /^\s*\d+ - (.{1,300}) \((?:Failed|Timeout|SEGFAULT|Not Run|.{1,80})\)$/.exec(line)?.[1] ?? []);
  const skipped = lines.filter((line) => /\*\*\*Skipped\b/.test(line)).length;
  const counts = { passed: Math.max(all - failed - skipped, 0), failed, skipped };
  return { framework: 'ctest', counts, failing: distinct(listed) };
};

/** Automake's harness: "# PASS:  2", "# FAIL:  1", and a line for each test. */
export const readAutomake: ResultReader = (all) => {
  const lines = withoutLogs(all);
  const total = (name: string): number =>
    lines.reduce(
      (sum, line) => sum + (line.startsWith(`# ${name}: `) ? Number.parseInt(line.slice(name.length + 3), 10) || 0 : 0),
      0,
    );
  if (!lines.some((line) => /^# TOTAL: +\d+$/.test(line))) return undefined;
  const failing = [...after(lines, 'FAIL: '), ...after(lines, 'XPASS: '), ...after(lines, 'ERROR: ')];
  return {
    framework: 'automake',
    counts: {
      passed: total('PASS'),
      failed: total('FAIL') + total('XPASS') + total('ERROR'),
      skipped: total('SKIP') + total('XFAIL'),
    },
    failing: distinct(failing),
  };
};

/** With VERBOSE=yes `test-suite.log` is printed too, under its own heading and with the same counts once more. */
function withoutLogs(lines: string[]): string[] {
  let inLog = false;
  return lines.filter((line) => {
    if (line.endsWith('test-suite.log')) inLog = true;
    else if (line.startsWith('Testsuite summary for ')) inLog = false;
    return !inLog || !line.startsWith('# ');
  });
}

/** Check, the C library: "66%: Checks: 3, Failures: 1, Errors: 0". */
export const readCheck: ResultReader = (lines) => {
  const summary = lines.findLast((line) => /^\d+%: Checks: \d+, Failures: \d+, Errors: \d+$/.test(line));
  if (summary === undefined) return undefined;
  const parts = summary.slice(summary.indexOf(' ') + 1).split(', ');
  const failed = figureOf(parts, 'Failures', 'Errors');
  const failing = lines.flatMap((line) => /^\S+:\d+:[FE]:[^:]*:([^:]+:\d+): /.exec(line)?.[1] ?? []);
  const counts = { passed: Math.max(figureOf(parts, 'Checks') - failed, 0), failed, skipped: 0 };
  return { framework: 'check', counts, failing: distinct(failing) };
};
