import type { SuiteDifference } from '../domain/proof.ts';
import type { Evidence } from './judge-proof.ts';
import type { ObservedRun } from './run-check.ts';
import { lastSentences } from './set-up.ts';
import { neverRan } from './suite-difference.ts';

/** What the runs do not show, in sentences for a reviewer. */
export function proofGaps(evidence: Evidence, difference: SuiteDifference | undefined): string[] {
  const { runs, environment, hasTest } = evidence;
  const suite = runs.filter((run) => run.what === 'suite');
  return [
    ...(hasTest ? ['The regression test was written by the agent that wrote the change.'] : []),
    ...unnamedError(runs.find((run) => run.what === 'regression' && run.on === 'base')),
    ...uncounted(runs.find((run) => run.what === 'regression' && run.on === 'base+patch')),
    ...(suite.length === 0 ? [`The repository's own tests were not run: no test command was found or given.`] : []),
    ...suiteGaps(suite),
    ...flakyTests(difference),
    ...(environment.setup !== undefined && !environment.prepared
      ? [
          `The repository's set-up did not finish, so tests ran without its dependencies. ${lastSentences(environment.log)}`.trim(),
        ]
      : []),
  ];
}

function unnamedError(before: ObservedRun | undefined): string[] {
  if (before?.failure.ownWords) {
    return [
      `No known test runner ran the regression test: what it failed for on base is its own message: ${before.failure.line}`,
    ];
  }
  if (before?.failure.reason !== 'error' || before.failure.reported || before.exitCode === 0) return [];
  const { line } = before.failure;
  return [`On base the regression test ends with an error that the issue does not name${line ? `: ${line}` : '.'}`];
}

/** A command that prints an assertion of its own before the change, and nothing after it, has perhaps tested nothing. */
function uncounted(after: ObservedRun | undefined): string[] {
  if (after?.exitCode !== 0 || after.counts !== undefined) return [];
  return [
    'With the change the output of the regression command names no test that ran: its exit code is all there is.',
  ];
}

function suiteGaps([before, after]: ObservedRun[]): string[] {
  if (before === undefined) return [];
  if (before.exitCode === null || after?.exitCode === null) return [`The repository's own tests did not end in time.`];
  if (neverRan(before)) {
    const told = before.failure.line ?? `exit code ${before.exitCode}`;
    return [`The repository's own tests could not be run here, on base or with the change: ${told}`];
  }
  const gaps = [];
  if (before.exitCode !== 0) {
    const names = before.failing.length === 0 ? '' : `: ${before.failing.slice(0, 3).join(', ')}`;
    gaps.push(`Some of the repository's own tests already fail on base (exit code ${before.exitCode})${names}.`);
  }
  if (before.counts === undefined) {
    gaps.push(`The output of the repository's own tests gives no counts, so only their exit codes were compared.`);
  }
  return gaps;
}

function flakyTests(difference: SuiteDifference | undefined): string[] {
  if (!difference || difference.flaky.length === 0) return [];
  const names = difference.flaky.slice(0, 5).join(', ');
  return [`Tests that failed with the change at first and passed when they were run again: ${names}.`];
}
