import type { TestCounts } from '../../domain/proof.ts';
import { after, distinct, figureOf, numberOf, type ResultReader } from './test-results.ts';

/** go test prints a line for each test only with `-v`; without it only what failed is known. */
export const readGo: ResultReader = (lines) => {
  const failed = after(lines, '--- FAIL: ');
  const passed = after(lines, '--- PASS: ');
  const packages = lines.some((line) => /^(?:ok {2}|FAIL|---? FAIL:|\?? {3})\t?/.test(line) && line.includes('\t'));
  if (failed.length + passed.length === 0 && !packages) return undefined;
  const name = (text: string): string => text.replace(/ \([\d.]+s\)$/, '');
  return {
    framework: 'go',
    ...(passed.length === 0
      ? {}
      : { counts: { passed: passed.length, failed: failed.length, skipped: after(lines, '--- SKIP: ').length } }),
    failing: distinct(failed.map(name)),
  };
};

/** cargo test prints one result for each test binary. */
export const readCargo: ResultReader = (lines) => {
  const results = lines.filter((line) => line.startsWith('test result: '));
  if (results.length === 0) return undefined;
  const parts = results.flatMap((line) => line.slice(line.indexOf('. ') + 2).split('; '));
  const failing = lines.filter((line) => line.startsWith('test ') && line.endsWith(' ... FAILED'));
  return {
    framework: 'cargo',
    counts: {
      passed: numberOf(parts, 'passed'),
      failed: numberOf(parts, 'failed'),
      skipped: numberOf(parts, 'ignored'),
    },
    failing: distinct(failing.map((line) => line.slice('test '.length, -' ... FAILED'.length))),
  };
};

export const readRspec: ResultReader = (lines) => {
  const summary = lines.findLast((line) => /^\d+ examples?, \d+ failures?/.test(line));
  if (summary === undefined) return undefined;
  const parts = summary.split(', ');
  const failed = numberOf(parts, 'failure', 'failures');
  const skipped = numberOf(parts, 'pending');
  const passed = Math.max(numberOf(parts, 'example', 'examples') - failed - skipped, 0);
  const failing = after(lines, 'rspec ./').map((text) => `./${text.split(' # ', 1)[0]}`);
  return { framework: 'rspec', counts: { passed, failed, skipped }, failing: distinct(failing) };
};

export const readMinitest: ResultReader = (lines) => {
  const summary = lines.findLast((line) => /^\d+ (?:runs|tests), \d+ assertions, /.test(line));
  if (summary === undefined) return undefined;
  const parts = summary.split(', ');
  const failed = numberOf(parts, 'failures', 'errors');
  const skipped = numberOf(parts, 'skips', 'pendings', 'omissions');
  const passed = Math.max(numberOf(parts, 'runs', 'tests') - failed - skipped, 0);
  const failing = lines.filter((line) => /^[A-Z][\w:]*#test_\S+ \[|^[A-Z][\w:]*#test_\S+:$/.test(line));
  const named = failing.map((line) => line.split(' [', 1)[0]?.replace(/:$/, '') ?? line);
  return { framework: 'minitest', counts: { passed, failed, skipped }, failing: distinct(named) };
};

export const readPhpunit: ResultReader = (lines) => {
  const good = lines.findLast((line) => /^OK \(\d+ tests?, /.test(line));
  const bad = lines.findLast((line) => /^Tests: \d+, Assertions: \d+/.test(line));
  const failing = lines.filter((line) => /^\d+\) \S+::\S+/.test(line)).map((line) => line.slice(line.indexOf(' ') + 1));
  if (bad !== undefined) {
    const parts = bad.replace(/\.$/, '').split(', ');
    const counts = counted(
      figureOf(parts, 'Tests'),
      figureOf(parts, 'Failures', 'Errors'),
      figureOf(parts, 'Skipped', 'Incomplete'),
    );
    return { framework: 'phpunit', counts, failing: distinct(failing) };
  }
  if (good === undefined) return undefined;
  return { framework: 'phpunit', counts: counted(Number.parseInt(good.slice('OK ('.length), 10), 0, 0), failing: [] };
};

/** Surefire prints a line for each class, with its time, and one for all of a module. */
export const readMaven: ResultReader = (lines) => {
  const all = lines.filter((line) => line.includes('Tests run: '));
  if (all.length === 0) return undefined;
  const classes = all.filter((line) => line.includes('Time elapsed'));
  const parts = (classes.length > 0 ? classes : all.slice(-1)).flatMap((line) =>
    line.slice(line.indexOf('Tests run: ')).split(', '),
  );
  const failing = lines.filter((line) => /<<< (?:FAILURE|ERROR)!/.test(line) && !line.includes('Tests run: '));
  const name = (line: string): string => line.replace(/^\[ERROR\]\s*/, '').split(/ {2}| --? /, 1)[0] ?? line;
  return {
    framework: 'maven',
    counts: counted(figureOf(parts, 'Tests run'), figureOf(parts, 'Failures', 'Errors'), figureOf(parts, 'Skipped')),
    failing: distinct(failing.map(name)),
  };
};

export const readGradle: ResultReader = (lines) => {
  const summary = lines.findLast((line) => /^\d+ tests? completed, /.test(line));
  if (summary === undefined) return undefined;
  const parts = summary.split(', ');
  const counts = counted(numberOf(parts, 'tests', 'test'), numberOf(parts, 'failed'), numberOf(parts, 'skipped'));
  const failing = lines.filter((line) => line.includes(' > ') && line.endsWith(' FAILED'));
  return { framework: 'gradle', counts, failing: distinct(failing.map((line) => line.slice(0, -' FAILED'.length))) };
};

const counted = (all: number, failed: number, skipped: number): TestCounts => ({
  passed: Math.max(all - failed - skipped, 0),
  failed,
  skipped,
});
