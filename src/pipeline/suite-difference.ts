import type { SuiteDifference } from '../domain/proof.ts';
import type { ObservedRun } from './run-check.ts';

/** Test by test. `reruns` are further runs with the change of those that failed only there. */
export function suiteDifference(
  before: ObservedRun,
  after: ObservedRun,
  reruns: ObservedRun[] = [],
): SuiteDifference | undefined {
  if (neverRan(before) || neverRan(after)) return undefined;
  const onBase = new Set(before.failing);
  const withChange = new Set(after.failing);
  const fresh = after.failing.filter((name) => !onBase.has(name));
  const passed = (name: string) => reruns.some((run) => ranTests(run) && !run.failing.includes(name));
  return {
    broken: fresh.filter((name) => !passed(name)),
    flaky: fresh.filter(passed),
    mended: before.failing.filter((name) => !withChange.has(name)),
    known: after.failing.filter((name) => onBase.has(name)),
  };
}

/** The suite itself could not be run: nothing was tested, whatever its exit code. */
export const neverRan = ({ failure, counts, exitCode }: ObservedRun): boolean =>
  exitCode !== 0 && ['no-runner', 'broken'].includes(failure.reason) && (counts?.passed ?? 0) === 0;

const ranTests = ({ counts, exitCode }: ObservedRun): boolean =>
  exitCode !== null && (counts === undefined ? exitCode === 0 : counts.passed > 0);
