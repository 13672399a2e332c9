import { describe, expect, it } from 'vitest';
import { deriveLists, judgeTests } from '#src/evaluation/scoring/judge-tests.ts';
import { readTestStatus } from '#src/evaluation/scoring/read-test-status.ts';
import { testCommand } from '#src/evaluation/scoring/test-command.ts';

const output = `
============ short test summary info ============
PASSED tests/test_a.py::test_one
PASSED tests/test_a.py::test_two[a - b]
XFAIL tests/test_a.py::test_three - later
FAILED tests/test_a.py::test_four - AssertionError: PASSED tests/test_a.py::test_five
ERROR tests/test_b.py::test_six
test_year (dates.tests.Leap) ... ok
test_month (dates.tests.Leap) ... FAIL
test_day (dates.tests.Leap) ... skipped 'why'
test_integrate ok
test_limit F
test parser::tests::empty ... ok
--- FAIL: TestGo (0.00s)
FAILED (failures=1)
`;

describe('what became of each test', () => {
  it('is read from the frameworks that SWE-bench’s repositories use', () => {
    expect(Object.fromEntries(readTestStatus(output))).toEqual({
      'tests/test_a.py::test_one': 'passed',
      'tests/test_a.py::test_two[a': 'passed',
      'tests/test_a.py::test_three': 'skipped',
      'tests/test_a.py::test_four': 'failed',
      'tests/test_b.py::test_six': 'failed',
      'test_year (dates.tests.Leap)': 'passed',
      'test_month (dates.tests.Leap)': 'failed',
      'test_day (dates.tests.Leap)': 'skipped',
      test_integrate: 'passed',
      test_limit: 'failed',
      'parser::tests::empty': 'passed',
      TestGo: 'failed',
      '(failures=1)': 'failed',
    });
  });

  it('is failed where a test is printed as failed and as passed', () => {
    expect(readTestStatus('FAILED a::b\nPASSED a::b').get('a::b')).toBe('failed');
    expect(readTestStatus('PASSED a::b\nFAILED a::b').get('a::b')).toBe('failed');
  });
});

describe('an instance is resolved', () => {
  const lists = { failToPass: ['a'], passToPass: ['b', 'c'] };
  const status = (text: string) => readTestStatus(text);

  it('when all its tests pass', () => {
    expect(judgeTests(lists, status('PASSED a\nPASSED b\nPASSED c'), 'here').resolved).toBe(true);
  });

  it.each(['PASSED a\nPASSED b', 'PASSED a\nPASSED b\nFAILED c', 'PASSED b\nPASSED c', ''])('but not by %j', (text) => {
    expect(judgeTests(lists, status(text), 'here').resolved).toBe(false);
  });

  it('by nothing where it has no test that fails before', () => {
    expect(judgeTests({ failToPass: [], passToPass: [] }, status(''), 'here').resolved).toBe(false);
  });

  it('and its lists can be had from runs before and with the fix', () => {
    const before = status('FAILED a\nPASSED b\nPASSED gone');
    expect(deriveLists(before, status('PASSED a\nPASSED b\nPASSED new\nFAILED bad'))).toEqual({
      failToPass: ['a', 'new'],
      passToPass: ['b'],
    });
  });
});

describe('the command of an instance’s tests', () => {
  const instance = {
    ...{ instance_id: 'i', repo: 'o/n', base_commit: 'a'.repeat(40), problem_statement: 'x', patch: 'x' },
    test_patch: "--- a/tests/it's.py\n+++ b/tests/it's.py\n@@ -1 +1 @@\n-x\n+y\n",
  };

  it('runs its files, whatever they are called', () => {
    expect(testCommand(instance, 'pytest')).toBe(
      `python -m pytest -rA --tb=no -p no:cacheprovider 'tests/it'\\''s.py'`,
    );
    expect(testCommand({ ...instance, test_command: 'run {files}' }, undefined)).toBe(`run 'tests/it'\\''s.py'`);
    expect(testCommand({ ...instance, repo: 'sympy/sympy' }, undefined)).toContain('bin/test -C --verbose');
  });

  it('is the repository’s own where that is not pytest', () => {
    expect(testCommand(instance, 'npm test')).toBe('npm test');
  });
});
