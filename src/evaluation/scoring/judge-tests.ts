import type { TestVerdict } from './outcome.ts';
import type { TestStatus } from './read-test-status.ts';

export interface TestLists {
  failToPass: string[];
  passToPass: string[];
}

/**
 * SWE-bench's rule: resolved when every test that the fix repairs passes, and every test that passed before and with the
 * fix still does. A test that was not seen did not pass.
 */
export function judgeTests(lists: TestLists, status: Map<string, TestStatus>, how: string): TestVerdict {
  const count = (names: string[]) => ({
    passed: names.filter((name) => status.get(name) === 'passed').length,
    total: names.length,
  });
  const failToPass = count(lists.failToPass);
  const passToPass = count(lists.passToPass);
  const resolved =
    failToPass.total > 0 && failToPass.passed === failToPass.total && passToPass.passed === passToPass.total;
  return { resolved, failToPass, passToPass, how };
}

/**
 * The lists of an instance that brings none, from its tests before and with its fix; empty lists where the fix turns no
 * test from failing to passing, so that it cannot be scored.
 */
export function deriveLists(before: Map<string, TestStatus>, fixed: Map<string, TestStatus>): TestLists {
  const passing = [...fixed].filter(([, status]) => status === 'passed').map(([name]) => name);
  return {
    failToPass: passing.filter((name) => before.get(name) !== 'passed'),
    passToPass: passing.filter((name) => before.get(name) === 'passed'),
  };
}
