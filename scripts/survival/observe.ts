import { execFileSync } from 'node:child_process';
import { branchOf } from '../../src/github/propose.ts';
import { REPOSITORY } from '../leap-front.ts';
import type { ObservedRun } from './judge-run.ts';
import type { Place } from './place.ts';
import type { LedgerRun } from './read-ledger.ts';
import { titleOf } from './scripted-model.ts';

/** Gives the number of the issue that the case is about. */
export async function openIssue({ front }: Place, caseNumber: number): Promise<number> {
  const body = '`days_in_year(1900)` gives 366, but 1900 was no leap year.';
  return (await front.as('rita').open(REPOSITORY, { title: titleOf(caseNumber), body })).number;
}

/** No repair is started beside an open pull request that changes the same lines. */
export async function closePulls({ front }: Place, issue: number): Promise<void> {
  const list = `/repos/${REPOSITORY}/pulls?state=open&per_page=100`;
  const open = await front.admin.call<{ number: number; head: { ref: string } }[]>('GET', list);
  for (const { number } of open.filter(({ head }) => head.ref === branchOf(issue))) {
    await front.admin.call('PATCH', `/repos/${REPOSITORY}/pulls/${number}`, { state: 'closed' });
  }
}

export interface ObservedCase {
  caseNumber: number;
  issue: number;
  /** When its process was killed, and what was kept by then. */
  kill?: { at: number; kept: LedgerRun | undefined };
}

const nothing = { state: 'missing', saved: {}, begun: [] };

/** What there is of a case after its end: on the code host, in the ledger, and of its questions to the model. */
export async function observe(
  place: Place,
  { caseNumber, issue, kill }: ObservedCase,
  runs: LedgerRun[],
): Promise<Omit<ObservedRun, 'expected'>> {
  const { front, model } = place;
  const comments = await front.admin.comments(REPOSITORY, issue);
  const list = `/repos/${REPOSITORY}/pulls?state=all&per_page=100`;
  const pulls = await front.admin.call<{ head: { ref: string } }[]>('GET', list);
  const after = (at: number) => model.calls.filter((call) => call.caseNumber === caseNumber && call.at > at);
  const branch = branchOf(issue);
  const kills = kill && [{ kept: kill.kept ?? nothing, askedAfter: after(kill.at).map(({ agent }) => agent) }];
  return {
    end: runs[0]?.end,
    runs: runs.length,
    comments: comments.filter(({ user }) => user.login === front.bot.login).length,
    branches: branchesOf(place).filter((name) => name === branch).length,
    pulls: pulls.filter(({ head }) => head.ref === branch).length,
    kept: runs[0] ?? nothing,
    kills: kills ?? [],
  };
}

const branchesOf = ({ front }: Place): string[] =>
  execFileSync('git', ['-c', 'safe.directory=*', 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'], {
    cwd: front.gitFolder(REPOSITORY),
    encoding: 'utf8',
  }).split('\n');
