import type { Proof, ProofRun, SuiteDifference, TestCounts } from '../domain/proof.ts';
import type { PreparedEnvironment } from './artefacts.ts';
import { proofGaps } from './proof-gaps.ts';
import type { ObservedRun } from './run-check.ts';
import { neverRan, suiteDifference } from './suite-difference.ts';

export interface Evidence {
  image: string;
  runs: ObservedRun[];
  /** The tests that failed only with the change, run again with it. */
  reruns: ObservedRun[];
  environment: PreparedEnvironment;
  /** True where the change brings a regression test and the Resolver named the command that runs it. */
  hasTest: boolean;
  repeat?: string;
}

type Judgement = Pick<Proof, 'verdict' | 'reason'>;

/** What the runs show, and what they do not. */
export function judgeProof(evidence: Evidence): Proof {
  const { image, runs, repeat } = evidence;
  const difference = differenceOf(evidence);
  return {
    ...verdictOf(evidence, difference),
    image,
    runs: runs.map(({ failure: _failure, framework: _framework, ...run }) => run),
    ...(difference === undefined ? {} : { difference }),
    ...(repeat === undefined || runs.length === 0 ? {} : { repeat }),
    doesNotShow: proofGaps(evidence, difference),
  };
}

const findRun = (runs: ObservedRun[], what: ProofRun['what'], on: ProofRun['on']) =>
  runs.find((run) => run.what === what && run.on === on);

function differenceOf({ runs, reruns }: Evidence): SuiteDifference | undefined {
  const before = findRun(runs, 'suite', 'base');
  const after = findRun(runs, 'suite', 'base+patch');
  return before && after ? suiteDifference(before, after, reruns) : undefined;
}

function verdictOf({ runs, hasTest }: Evidence, difference: SuiteDifference | undefined): Judgement {
  if (!hasTest)
    return { verdict: 'no-test', reason: 'The change brings no regression test that could be run by itself.' };
  const before = findRun(runs, 'regression', 'base');
  const after = findRun(runs, 'regression', 'base+patch');
  if (!before || !after) return { verdict: 'not-run', reason: 'The regression test was not run.' };
  return (
    notReproduced(before) ??
    notFixed(after) ??
    suiteWorse(findRun(runs, 'suite', 'base'), findRun(runs, 'suite', 'base+patch'), difference) ?? {
      verdict: 'proven',
      reason: 'The regression test fails on the base commit and passes with the change.',
    }
  );
}

const notReproducedBecause = (reason: string): Judgement => ({ verdict: 'not-reproduced', reason });

function notReproduced({ exitCode, failure, again = [] }: ObservedRun): Judgement | undefined {
  if (exitCode === 0)
    return notReproducedBecause('The regression test passes on the base commit, so it shows no fault.');
  if (exitCode === null) return notReproducedBecause('The regression test did not end on the base commit.');
  const told = failure.line === undefined ? '' : `: ${failure.line}`;
  switch (failure.reason) {
    case 'no-runner':
      return { verdict: 'not-run', reason: `The regression test could not be run here${told}` };
    case 'broken':
      return notReproducedBecause(
        `The regression test could not be loaded on the base commit, which is no proof of the fault${told}`,
      );
    case 'absent':
      return notReproducedBecause(
        `On the base commit the regression test only fails because it uses something that is not there${told}`,
      );
    case 'unknown':
      // A command such as `grep` also fails before and passes after, and has tested nothing.
      return notReproducedBecause(
        'The regression command fails on the base commit, but its output shows no failing test.',
      );
    default:
      return again.includes(0)
        ? notReproducedBecause('Run again, the regression test passes on the base commit: it fails only sometimes.')
        : undefined;
  }
}

function notFixed({ exitCode, counts, failing, again = [] }: ObservedRun): Judgement | undefined {
  if (exitCode !== 0) return { verdict: 'not-fixed', reason: 'The regression test fails with the change as well.' };
  if (counts && counts.passed === 0)
    return { verdict: 'not-fixed', reason: 'With the change the regression command ran no test.' };
  if ((counts?.failed ?? 0) + failing.length > 0)
    return { verdict: 'not-fixed', reason: 'The regression command ends well, but its output shows a failing test.' };
  if (again.some((code) => code !== 0))
    return {
      verdict: 'not-fixed',
      reason: 'Run again, the regression test fails with the change: it passes only sometimes.',
    };
  return undefined;
}

/** Failures that are there on base are not blamed on the change, nor are those that come and go. */
function suiteWorse(
  before: ObservedRun | undefined,
  after: ObservedRun | undefined,
  difference: SuiteDifference | undefined,
): Judgement | undefined {
  if (!before || !after) return undefined;
  const worse = (reason: string): Judgement => ({ verdict: 'suite-worse', reason });
  if (difference && difference.broken.length > 0) {
    return worse(`Tests that fail only with the change: ${difference.broken.slice(0, 5).join(', ')}.`);
  }
  if (before.exitCode === 0 && after.exitCode !== 0 && !difference?.flaky.length) {
    return worse(`The repository's tests pass on base and fail with the change.`);
  }
  if (neverRan(after) && !neverRan(before))
    return worse(`The repository's tests can no longer be run with the change.`);
  return brokeOff(before, after, difference?.flaky.length ?? 0) ? worse(fewer(before, after)) : undefined;
}

/** A suite that breaks off names no failing test; that it no longer ends, or that fewer pass, gives it away. */
function brokeOff(before: ObservedRun, after: ObservedRun, flaky: number): boolean {
  if (after.exitCode === null && before.exitCode !== null) return true;
  const cannotLoad = (run: ObservedRun) => run.exitCode !== 0 && run.failure.reason === 'broken';
  if (cannotLoad(after) && !cannotLoad(before)) return true;
  if (before.counts === undefined) return false;
  // Results in another form than before are not this suite's: whoever printed them, they are not counted.
  if (after.counts === undefined || after.framework !== before.framework) return true;
  return fewerRan(before.counts, after.counts) || after.counts.failed > before.counts.failed + flaky;
}

const fewerRan = (before: TestCounts, after: TestCounts): boolean =>
  after.passed < before.passed && after.passed + after.failed < before.passed + before.failed;

function fewer(before: ObservedRun, after: ObservedRun): string {
  const counts = `${before.counts?.passed ?? 'unknown'} before, ${after.counts?.passed ?? 'unknown'} with it`;
  return `Fewer of the repository's tests pass with the change than on base (${counts}).`;
}
