import { after, distinct, figureOf, numberOf, type ResultReader } from './test-results.ts';

const PART = /^\d+ (?:subtests )?(?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|reruns?)$/;

/** pytest's last line, "1 failed, 2 passed in 0.12s", with or without its rule, and its short summary. */
export const readPytest: ResultReader = (lines) => {
  const summary = lines.map(pytestSummary).findLast((parts) => parts !== undefined);
  if (summary === undefined) return undefined;
  const failing = [...after(lines, 'FAILED '), ...after(lines, 'ERROR ')].filter(
    (name) => !name.startsWith('collecting '),
  );
  return {
    framework: 'pytest',
    counts: {
      passed: numberOf(summary, 'passed', 'xpassed'),
      failed: numberOf(summary, 'failed', 'error', 'errors'),
      skipped: numberOf(summary, 'skipped', 'xfailed'),
    },
    failing: distinct(failing.map((name) => name.split(' - ', 1)[0] ?? name)),
  };
};

function pytestSummary(line: string): string[] | undefined {
  const text = line.trim().replace(/^=+ /, '').replace(/ =+$/, '');
  const at = text.lastIndexOf(' in ');
  if (at === -1 || !/^ in [\d.]+s(?: \([\d:]+\))?$/.test(text.slice(at))) return undefined;
  const parts = text.slice(0, at).split(', ');
  return text.startsWith('no tests ran') || parts.every((part) => PART.test(part)) ? parts : undefined;
}

/** unittest: "Ran 3 tests in 0.001s", then "OK" or "FAILED (failures=1)". */
export const readUnittest: ResultReader = (lines) => {
  const ranAt = lines.findLastIndex((line) => /^Ran \d+ tests? in /.test(line));
  if (ranAt === -1) return undefined;
  const ran = Number.parseInt(lines[ranAt]?.slice(4) ?? '', 10);
  const end = lines.slice(ranAt + 1).find((line) => /^(?:OK|FAILED|NO TESTS RAN)\b/.test(line)) ?? '';
  const details = end
    .slice(end.indexOf('(') + 1)
    .replace(')', '')
    .split(', ');
  const failed = figureOf(details, 'failures', 'errors', 'unexpected successes');
  const skipped = figureOf(details, 'skipped', 'expected failures');
  return {
    framework: 'unittest',
    counts: { passed: Math.max(ran - failed - skipped, 0), failed, skipped },
    failing: distinct([...after(lines, 'FAIL: '), ...after(lines, 'ERROR: ')]),
  };
};
