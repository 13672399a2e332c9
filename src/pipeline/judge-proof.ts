import type { Proof, ProofRun } from '../domain/proof.ts';
import type { PreparedEnvironment } from './artefacts.ts';
import type { ObservedRun } from './prove.ts';

interface Evidence {
  image: string;
  runs: ObservedRun[];
  environment: PreparedEnvironment;
  /** True where the change brings a regression test and the Resolver named the command that runs it. */
  hasTest: boolean;
}

type Judgement = Pick<Proof, 'verdict' | 'reason'>;

/** What the runs show, and what they do not. */
export function judgeProof(evidence: Evidence): Proof {
  const { image, runs } = evidence;
  return {
    ...verdictOf(evidence),
    image,
    runs: runs.map(({ reason: _reason, ...run }) => run),
    doesNotShow: doesNotShow(evidence),
  };
}

function verdictOf({ runs, hasTest }: Evidence): Judgement {
  const find = (what: ProofRun['what'], on: ProofRun['on']) => runs.find((run) => run.what === what && run.on === on);
  if (!hasTest)
    return { verdict: 'no-test', reason: 'The change brings no regression test that could be run by itself.' };
  const before = find('regression', 'base');
  const after = find('regression', 'base+patch');
  if (!before || !after) return { verdict: 'not-run', reason: 'The regression test was not run.' };
  return (
    notReproduced(before) ??
    notFixed(after) ??
    suiteWorse(find('suite', 'base'), find('suite', 'base+patch')) ?? {
      verdict: 'proven',
      reason: 'The regression test fails on the base commit and passes with the change.',
    }
  );
}

function notReproduced(before: ObservedRun): Judgement | undefined {
  if (before.exitCode === 0) {
    return {
      verdict: 'not-reproduced',
      reason: 'The regression test passes on the base commit, so it shows no fault.',
    };
  }
  if (before.exitCode === null) {
    return { verdict: 'not-reproduced', reason: 'The regression test did not end on the base commit.' };
  }
  if (before.reason === 'broken') {
    const reason = 'The regression test could not be loaded on the base commit, which is no proof of the fault.';
    return { verdict: 'not-reproduced', reason };
  }
  if (before.reason === 'unknown') {
    // A command such as `grep` also fails before and passes after, and has tested nothing.
    const reason = 'The regression command fails on the base commit, but its output shows no failing test.';
    return { verdict: 'not-reproduced', reason };
  }
  return undefined;
}

function notFixed(after: ObservedRun): Judgement | undefined {
  if (after.exitCode !== 0)
    return { verdict: 'not-fixed', reason: 'The regression test fails with the change as well.' };
  if (after.counts && after.counts.passed === 0) {
    return { verdict: 'not-fixed', reason: 'With the change the regression command ran no test.' };
  }
  return undefined;
}

/** Failures that are there on base are not blamed on the change. */
function suiteWorse(before: ObservedRun | undefined, after: ObservedRun | undefined): Judgement | undefined {
  if (!before || !after || after.exitCode === 0) return undefined;
  if (before.exitCode === 0) {
    return { verdict: 'suite-worse', reason: `The repository's tests pass on base and fail with the change.` };
  }
  const known = new Set(before.failing);
  const fresh = after.failing.filter((name) => !known.has(name));
  if (fresh.length === 0) return fewerRan(before, after);
  return { verdict: 'suite-worse', reason: `Tests that fail only with the change: ${fresh.slice(0, 5).join(', ')}.` };
}

/** A suite that breaks off names no failing test; that fewer pass, or that it can no longer be loaded, gives it away. */
function fewerRan(before: ObservedRun, after: ObservedRun): Judgement | undefined {
  const worse =
    (after.exitCode === null && before.exitCode !== null) ||
    (after.reason === 'broken' && before.reason !== 'broken') ||
    (after.counts?.passed ?? 0) < (before.counts?.passed ?? 0);
  if (!worse) return undefined;
  return { verdict: 'suite-worse', reason: `Fewer of the repository's tests pass with the change than on base.` };
}

function doesNotShow({ runs, environment, hasTest }: Evidence): string[] {
  const suite = runs.filter((run) => run.what === 'suite');
  return [
    ...(hasTest ? ['The regression test was written by the agent that wrote the change.'] : []),
    ...(suite.length === 0 ? [`The repository's own tests were not run: no test command was found or given.`] : []),
    ...(suite.some((run) => run.exitCode === null) ? [`The repository's own tests did not end in time.`] : []),
    ...(suite[0] && suite[0].exitCode !== 0 && suite[0].exitCode !== null
      ? [`The repository's own tests already fail on base (exit code ${suite[0].exitCode}).`]
      : []),
    ...(environment.setup !== undefined && !environment.prepared
      ? [`The repository's set-up did not finish, so tests ran without its dependencies.`]
      : []),
  ];
}
