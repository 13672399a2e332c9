import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainFailure, failureReason, readTestResults } from '../../src/environment/read-test-results.ts';

const sample = (name: string): string => readFileSync(join(import.meta.dirname, 'samples', `${name}.txt`), 'utf8');

describe('reading what a test run printed', () => {
  it.each([
    ['pytest-failures', [2, 5, 2], ['test_sums.py::Sums::test_differs', 'test_plain.py::test_each[2]']],
    ['pytest-quiet-passes', [1, 0, 0], []],
    ['unittest-failures', [1, 2, 1], ['test_differs (test_sums.Sums.test_differs)']],
    ['unittest-passes', [1, 0, 0], []],
    ['node-tap-failures', [1, 2, 2], ['differs', 'throws']],
    ['node-spec-failures', [1, 2, 2], ['differs', 'throws']],
    ['node-spec-passes', [1, 0, 0], []],
    ['vitest-failures', [1, 2, 1], ['sums.test.mjs > a group > differs', 'sums.test.mjs > a group > throws']],
    ['vitest-passes', [1, 0, 3], []],
    ['jest-failures', [1, 1, 1], ['a group › differs']],
    ['mocha-failures', [1, 1, 1], ['a group › differs']],
    ['tap-nested-failures', [3, 2, 2], ['test/a.js > a group > differs > two is three', 'test/a.js > throws > boom']],
    ['tap-summary', [3, 2, 2], ['two is three', 'boom']],
    ['tap-load-error', [1, 1, 0], ['test/c.js']],
    ['ava-failures', [2, 2, 2], ['test › differs', 'test › throws']],
    ['ava-passes', [1, 0, 0], []],
    ['ava-tap-failures', [2, 2, 2], ['differs', 'throws']],
    ['prove-failures', [3, 2, 1], ['two is three', 'inner']],
    ['prove-verbose', [2, 2, 1], ['two is three', 'inner']],
    ['go-verbose', [1, 1, 1], ['TestDiffers']],
    ['cargo-failures', [1, 1, 1], ['tests::differs']],
    ['rspec-failures', [1, 1, 1], ['./spec/sums_spec.rb:8']],
    ['minitest-failures', [1, 1, 1], ['TestSums#test_differs']],
    ['phpunit-failures', [1, 1, 1], ['Tests\\SumsTest::testDiffers']],
    ['phpunit-passes', [2, 0, 0], []],
    ['maven-failures', [3, 1, 1], ['org.example.SumsTest.differs']],
    ['gradle-failures', [1, 1, 1], ['SumsTest > differs()']],
  ])('finds counts and failing tests in %s', (name, [passed, failed, skipped], failing) => {
    const results = readTestResults(sample(name));
    expect(results.counts).toEqual({ passed, failed, skipped });
    expect(results.failing).toEqual(expect.arrayContaining(failing));
    if (failing.length === 0) expect(results.failing).toEqual([]);
  });

  it('gives no counts where go prints none, but names what failed', () => {
    expect(readTestResults(sample('go-failures'))).toEqual({ framework: 'go', failing: ['TestDiffers'] });
  });

  it('counts a suite that fails with its tests as no test of its own', () => {
    expect(readTestResults(sample('node-tap-failures')).failing).toEqual(['differs', 'throws']);
    expect(readTestResults(sample('node-spec-failures')).failing).toEqual(['differs', 'throws']);
  });

  it('reads subtests in braces, whose points come after the line that names them', () => {
    const output =
      'TAP version 13\nnot ok 1 - outer {\n    ok 1 - fine\n    not ok 2 - differs\n    1..2\n}\n1..1\n# failed 1 test\n';
    const counts = { passed: 1, failed: 1, skipped: 0 };
    expect(readTestResults(output)).toEqual({ framework: 'tap', counts, failing: ['outer > differs'] });
  });

  it('counts nothing that a YAML block quotes, and a run that bails out as failed', () => {
    const output =
      '1..2\nnot ok 1 - real\n  ---\n  found: |\n    ok 1 - quoted\n    not ok 2 - quoted\n  ...\nBail out! no disk\n';
    expect(readTestResults(output).counts).toEqual({ passed: 0, failed: 2, skipped: 0 });
  });

  it('takes a program that prints "ok" for no test', () => {
    expect(readTestResults('ok\nok then\nnot ok at all\n')).toEqual({ failing: [] });
  });

  it('adds up what several test binaries report', () => {
    const one = 'test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n';
    expect(readTestResults(one + one).counts).toEqual({ passed: 4, failed: 0, skipped: 2 });
  });

  it.each(['', 'all good\n', '3 apples in 2s', 'OK', 'Tests: many'])('reads nothing into %j', (output) => {
    expect(readTestResults(output)).toEqual({ failing: [] });
  });

  it('reads Windows line ends', () => {
    expect(readTestResults('..\r\nRan 2 tests in 0.001s\r\n\r\nOK\r\n').counts).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
    });
  });
});

describe('why a test run failed', () => {
  it.each([
    ['pytest-assertion', 'assertion'],
    ['unittest-failures', 'assertion'],
    ['node-tap-failures', 'assertion'],
    ['vitest-failures', 'assertion'],
    ['jest-failures', 'assertion'],
    ['ava-tap-failures', 'assertion'],
    ['tap-nested-failures', 'assertion'],
    ['tap-summary', 'assertion'],
    ['prove-failures', 'assertion'],
    ['ava-failures', 'assertion'],
    ['mocha-failures', 'assertion'],
    ['cargo-failures', 'assertion'],
    ['rspec-failures', 'assertion'],
    ['minitest-failures', 'assertion'],
    ['phpunit-failures', 'assertion'],
    ['maven-failures', 'assertion'],
    ['gradle-failures', 'assertion'],
    ['unittest-error', 'error'],
    ['go-failures', 'assertion'],
  ])('calls %s a failed test', (name, reason) => {
    expect(failureReason(sample(name))).toBe(reason);
  });

  it.each([
    'pytest-collection-error',
    'pytest-syntax-error',
    'pytest-import-in-test',
    'pytest-no-file',
    'pytest-none-selected',
    'unittest-load-error',
    'unittest-none',
    'node-tap-load-error',
    'node-spec-load-error',
    'node-spec-syntax-error',
    'node-no-file',
    'tap-load-error',
    'ava-load-error',
    'prove-load-error',
    'vitest-load-error',
    'vitest-no-file',
    'jest-load-error',
    'go-build-error',
    'cargo-build-error',
    'rspec-load-error',
    'maven-build-error',
  ])('calls %s broken, which proves nothing', (name) => {
    expect(failureReason(sample(name))).toBe('broken');
  });

  it('calls a missing command by its name, which proves nothing', () => {
    expect(failureReason('bash: line 1: pytets: command not found')).toBe('no-runner');
    expect(failureReason('/usr/bin/python3: No module named pytest')).toBe('no-runner');
    expect(failureReason('mocha: inconnu', '', 127)).toBe('no-runner');
    expect(failureReason('npm error code ENOTCACHED\nnpm error request to https://registry failed')).toBe('no-runner');
  });

  it('takes an error that the issue quotes for the reported one, even where it keeps a file from loading', () => {
    const reported = "Importing fails with\n\nModuleNotFoundError: No module named 'nowhere'\n";
    expect(failureReason(sample('pytest-collection-error'), reported)).toBe('error');
    expect(failureReason(sample('pytest-collection-error'), 'There is a ModuleNotFoundError')).toBe('broken');
  });

  it('does not take words that a running test prints for a failed build', () => {
    const output = "E   AssertionError: 'Compilation failed' not found in ''\n1 failed in 0.10s\n";
    expect(failureReason(output)).toBe('assertion');
  });

  it.each([
    "E       AttributeError: module 'sums' has no attribute 'add_all'",
    'TypeError: sums.addAll is not a function',
    "TypeError: add() got an unexpected keyword argument 'strict'",
    "NoMethodError: undefined method `add_all' for #<Sums:0x0001>",
    'ArgumentError: unknown keyword: :strict',
    'Error: Call to undefined method Sums::addAll()',
    'Error: Unknown named parameter $strict',
    `Can't locate object method "add_all" via package "Sums" at t/sums.t line 4.`,
    '** (UndefinedFunctionError) function Sums.add_all/1 is undefined or private',
    "NoSuchMethodError: Class 'Sums' has no instance method 'addAll'.",
  ])('takes a test that uses what is not there for no proof, unless the issue quotes it: %s', (line) => {
    const output = `${line}\n1 failed in 0.10s\n`;
    expect(failureReason(output)).toBe('absent');
    expect(failureReason(output, `It fails with ${line.replace(/^E +/, '')} here.`)).toBe('error');
  });

  it.each([
    "E   AttributeError: 'Sums' object has no attribute 'add_all'",
    'E   TypeError: Sums.add_all() takes 2 positional arguments but 3 were given',
    "NoMethodError: undefined method 'add_all' for nil",
  ])('takes an error about a name for no proof only where the change brings that name: %s', (line) => {
    const reason = (brought: string) =>
      explainFailure(`${line}\n1 failed in 0.10s\n`, '', 1, (name) => name === brought).reason;
    expect(reason('add_all')).toBe('absent');
    expect(reason('other')).toBe('error');
  });

  it('takes what None does not have for a fault of a value', () => {
    const output = "E   AttributeError: 'NoneType' object has no attribute 'add_all'\n1 failed in 0.10s\n";
    expect(explainFailure(output, '', 1, () => true).reason).toBe('error');
  });

  it('tells what kept a conftest from being loaded', () => {
    const output =
      "ImportError while loading conftest '/repo/tests/conftest.py'.\ntests/conftest.py:1: in <module>\n    import nowhere\nE   ModuleNotFoundError: No module named 'nowhere'\n";
    expect(explainFailure(output, '', 4)).toEqual({
      reason: 'broken',
      line: "ModuleNotFoundError: No module named 'nowhere'",
      reported: false,
    });
  });

  it('says whether the issue names the error', () => {
    const output = 'E   ZeroDivisionError: division by zero\n1 failed in 0.10s\n';
    expect(explainFailure(output, 'A mean of nothing raises ZeroDivisionError.')).toMatchObject({ reported: true });
    expect(explainFailure(output, 'It crashes.')).toEqual({
      reason: 'error',
      line: 'ZeroDivisionError: division by zero',
      reported: false,
    });
  });

  it('does not guess where the output says nothing', () => {
    expect(failureReason('')).toBe('unknown');
    expect(failureReason('something else')).toBe('unknown');
  });

  it('reads the last lines of an output that is millions of them', () => {
    const ends = 'E   ZeroDivisionError: division by zero\n1 failed in 0.10s\n';
    const before = 'E   AssertionError: long ago\n';
    expect(explainFailure(`${before}${'\n'.repeat(300_000)}${ends}`)).toMatchObject({ reason: 'error' });
    expect(explainFailure(`${before}${'\n'.repeat(200_000)}${ends}`)).toMatchObject({ reason: 'assertion' });
  });

  it.each([
    '\u001b[',
    '=== ',
    'assertion ',
    '1 failed, ',
    'Tests run: ',
    '✖ ( (',
    'FAILED ::',
    'not ok 1 - \n',
    '1) a\n',
    ' in 1s\n',
  ])('comes to an end with a million characters of %j', (piece) => {
    expect(failureReason(piece.repeat(1_000_000 / piece.length))).toBeTypeOf('string');
  });
});

it('counts the tests of Automake once where their log is printed as well', () => {
  const counts = ['# TOTAL: 2', '# PASS:  1', '# SKIP:  0', '# XFAIL: 0', '# FAIL:  1', '# XPASS: 0', '# ERROR: 0'];
  const bar = '='.repeat(20);
  const log = [bar, '   sums 1: ./test-suite.log', bar, '', ...counts, '', 'FAIL: differs', '============='];
  const summary = [bar, 'Testsuite summary for sums 1', bar, ...counts, bar];
  const output = ['PASS: same', 'FAIL: differs', ...log, ...summary].join('\n');
  expect(readTestResults(output)).toMatchObject({
    counts: { passed: 1, failed: 1, skipped: 0 },
    failing: ['differs'],
  });
});
