import { expect, test } from 'vitest';
import { addCounts, countsLine, countsOf } from '../../scripts/testing/test-counts.ts';

const report = (numbers: number[], files: { status: string; assertionResults: unknown[] }[] = []) => {
  const [numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0] = numbers;
  return { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults: files };
};

test('tests of several runs are summed up in one line', () => {
  const sum = addCounts(countsOf(report([10, 1, 2, 1])), countsOf(report([5, 0, 0, 0])));
  expect(countsLine(sum)).toBe('15 passed, 1 failed, 3 skipped');
});

test('a file that cannot be loaded counts as a failed test, so that it cannot go unnoticed', () => {
  const files = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{}] },
    { status: 'passed', assertionResults: [] },
  ];
  expect(countsOf(report([3, 1, 0, 0], files))).toEqual({ passed: 3, failed: 2, skipped: 0 });
});
