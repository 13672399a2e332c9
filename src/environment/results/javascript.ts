import { after, distinct, numberOf, type ResultReader } from './test-results.ts';

/** node --test in TAP ("# pass 2", "not ok 1 - name") and in its own format ("ℹ pass 2", "✖ name (1ms)"). */
export const readNode: ResultReader = (lines) => {
  const total = (name: string): number | undefined => {
    const found = [...after(lines, `# ${name} `), ...after(lines, `ℹ ${name} `)].filter((text) => /^\d+$/.test(text));
    return found.length === 0 ? undefined : Number(found.at(-1));
  };
  const passed = total('pass');
  // Other reporters of TAP give the first two as well.
  if (passed === undefined || total('tests') === undefined || total('cancelled') === undefined) return undefined;
  const skipped = (name: string): boolean => /# (?:TODO|SKIP)\b/i.test(name);
  const failing = [...tapFailures(lines), ...specFailures(lines)].filter((name) => !skipped(name));
  return {
    framework: 'node',
    counts: {
      passed,
      failed: (total('fail') ?? 0) + (total('cancelled') ?? 0),
      skipped: (total('skipped') ?? 0) + (total('todo') ?? 0),
    },
    failing: distinct(failing),
  };
};

/** A suite fails with its tests, and is not one itself; TAP says so two lines further down. */
const tapFailures = (lines: string[]): string[] =>
  lines.flatMap((line, index) => {
    const text = line.trim();
    const suite = lines.slice(index + 1, index + 5).some((next) => next.trim() === "type: 'suite'");
    return text.startsWith('not ok ') && !suite ? [text.replace(/^not ok \d+ (?:- )?/, '')] : [];
  });

function specFailures(lines: string[]): string[] {
  const suites = new Set(after(lines, '▶ '));
  const names = after(lines, '✖ ').map((text) => text.replace(/ \([\d.]+ms\)$/, ''));
  return names.filter((name) => name !== 'failing tests:' && !suites.has(name));
}

/** vitest: "Tests  1 failed | 2 passed (3)"; a file that could not be loaded is a failed suite and counts no test. */
export const readVitest: ResultReader = (lines) => {
  const summary = lines.findLast((line) => /^\s*Tests {2}/.test(line));
  if (summary === undefined) return undefined;
  const parts = summary
    .trim()
    .slice('Tests'.length)
    .replace(/\(\d+\)$/, '')
    .split('|');
  const failing = after(lines, 'FAIL ').map((text) => text.trim().split(' [ ', 1)[0] ?? text);
  return {
    framework: 'vitest',
    counts: {
      passed: numberOf(parts, 'passed'),
      failed: numberOf(parts, 'failed'),
      skipped: numberOf(parts, 'skipped', 'todo'),
    },
    failing: distinct(failing),
  };
};

/** jest: "Tests:       1 failed, 2 passed, 3 total", and "● suite › name". */
export const readJest: ResultReader = (lines) => {
  const summary = lines.findLast((line) => line.startsWith('Tests: '));
  if (summary === undefined || !summary.includes(' total')) return undefined;
  const parts = summary.slice('Tests: '.length).split(', ');
  const bullets = after(lines, '● ').filter(
    (text) => !/^(?:Console|Test suite failed to run|Cannot log after)/.test(text),
  );
  return {
    framework: 'jest',
    counts: {
      passed: numberOf(parts, 'passed'),
      failed: numberOf(parts, 'failed'),
      skipped: numberOf(parts, 'skipped', 'todo'),
    },
    failing: distinct(bullets.filter((text) => !text.endsWith('Test suite failed to run'))),
  };
};

/** mocha: "2 passing (10ms)", "1 failing", and a numbered list in which a title ends with a colon. */
export const readMocha: ResultReader = (lines) => {
  const count = (word: string): number | undefined => {
    const line = lines.findLast((text) => new RegExp(`^\\s*\\d+ ${word}\\b`).test(text));
    return line === undefined ? undefined : Number.parseInt(line.trim(), 10);
  };
  const passed = count('passing');
  if (passed === undefined) return undefined;
  return {
    framework: 'mocha',
    counts: { passed, failed: count('failing') ?? 0, skipped: count('pending') ?? 0 },
    failing: distinct(mochaTitles(lines.slice(lines.findLastIndex((line) => /^\s*\d+ failing\b/.test(line)) + 1))),
  };
};

function mochaTitles(lines: string[]): string[] {
  const titles: string[] = [];
  let open: string[] | undefined;
  for (const line of lines) {
    const numbered = /^ {2}\d+\) (.*)$/.exec(line)?.[1];
    if (numbered !== undefined) open = [numbered.trim()];
    else if (open !== undefined) open.push(line.trim());
    if (open?.at(-1)?.endsWith(':')) {
      titles.push(open.join(' › ').slice(0, -1));
      open = undefined;
    } else if (open !== undefined && (open.length > 8 || open.at(-1) === '')) {
      open = undefined;
    }
  }
  return titles;
}
