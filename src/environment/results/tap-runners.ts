import { after, distinct, numberOf, type ResultReader } from './test-results.ts';

/** node-tap's own reporters: "Asserts:  2 failed, 3 passed, of 5", and a mark before each failing test. */
export const readTapSummary: ResultReader = (lines) => {
  const summary = lines.findLast((line) => /^Asserts: +\d/.test(line));
  if (summary === undefined) return undefined;
  const parts = summary
    .slice('Asserts:'.length)
    .trim()
    .split(/, *| {2,}/);
  return {
    framework: 'tap',
    counts: {
      passed: numberOf(parts, 'passed', 'pass'),
      failed: numberOf(parts, 'failed', 'fail'),
      skipped: numberOf(parts, 'skip', 'skipped', 'todo'),
    },
    failing: distinct(after(lines, '✖ ')),
  };
};

/** Perl's prove: "Files=2, Tests=6, …" and "Result: FAIL"; a file that fails says how many of its tests did. */
export const readProve: ResultReader = (lines) => {
  const summary = lines.findLast((line) => /^Files=\d+, Tests=\d+,/.test(line));
  if (summary === undefined || !lines.some((line) => /^Result: (?:PASS|FAIL|NOTESTS)$/.test(line))) return undefined;
  const tests = Number(/Tests=(\d+)/.exec(summary)?.[1] ?? 0);
  const files = lines.flatMap((line) => /^(\S+) +\(Wstat: .* Tests: \d+ Failed: (\d+)\)$/.exec(line) ?? []);
  const failed = files.reduce((sum, text, at) => sum + (at % 3 === 2 ? Number(text) : 0), 0);
  const skipped = after(lines, '(less ').reduce((sum, text) => sum + (Number.parseInt(text, 10) || 0), 0);
  const named = after(lines, "#   Failed test '").map((text) => text.replace(/'(?: in .*)?$/, ''));
  const names = named.length > 0 ? named : files.filter((_text, at) => at % 3 === 1);
  const counts = { passed: Math.max(tests - failed - skipped, 0), failed, skipped };
  return { framework: 'prove', counts, failing: distinct(names) };
};

/** ava: "2 tests failed", "1 test passed"; with a failure it prints no number of passes, only their marks. */
export const readAva: ResultReader = (lines) => {
  const parts = lines.flatMap((line) => {
    const match = /^ {2}(\d+) tests? (failed|passed|skipped|todo)$/.exec(line);
    return match ? [`${match[1]} ${match[2]}`] : [];
  });
  const marks = lines.some((line) => line === '  ─');
  if (parts.length === 0 || !marks) return undefined;
  const passes = after(lines, '✔ ').filter((text) => !text.startsWith('[expected fail]'));
  const failing = after(lines, '✘ [fail]: ').map((text) =>
    text.replace(/ (?:Error thrown in test|Rejected promise).*$/, ''),
  );
  return {
    framework: 'ava',
    counts: {
      passed: Math.max(numberOf(parts, 'passed'), passes.length),
      failed: numberOf(parts, 'failed'),
      skipped: numberOf(parts, 'skipped', 'todo'),
    },
    failing: distinct(failing),
  };
};
