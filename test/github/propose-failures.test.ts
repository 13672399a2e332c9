import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IssueRef } from '#src/domain/ports/forge.ts';
import { edit, type RepairFront, startRepairFront } from './repair-front.ts';

let repair: RepairFront;
let front: RepairFront['front'];
let forge: ReturnType<RepairFront['forge']>;
let issue: IssueRef;

beforeAll(async () => {
  repair = await startRepairFront();
  front = repair.front;
});
beforeEach(async () => {
  front.faults.clear();
  forge = repair.forge();
  issue = await repair.openIssue('widget');
  front.requests.length = 0;
});
afterAll(() => front.stop());

const signal = () => new AbortController().signal;
const at = '/repos/acme/widget';
const propose = (how = forge) => how.propose(repair.proposal(issue, edit('fixed\n')), signal());
const branch = () => `fathom/issue-${issue.number}`;
const limit = {
  status: 403,
  headers: { 'retry-after': '7' },
  body: { message: 'You have exceeded a secondary rate limit.' },
};

describe('a proposal ends with a reason and leaves nothing behind, as we believe GitHub refuses, where', () => {
  test.each([
    ['a rule keeps the branch from being created', 'git/refs', 422, 'refused to create'],
    ['the App may not create branches', 'git/refs', 403, 'permission'],
    ['the App may not open pull requests', 'pulls', 403, 'permission'],
    ['GitHub refuses the pull request', 'pulls', 422, 'refused to open'],
  ])('%s', async (_what, path, status, words) => {
    front.faults.add({ method: 'POST', path: `${at}/${path}`, fault: { status, body: { message: 'No' } } });
    expect(await propose()).toMatchObject({ kind: 'refused', reason: expect.stringContaining(words) });
    expect(repair.branches()).not.toContain(branch());
    expect(await repair.pulls(issue)).toEqual([]);
  });
});

describe('a proposal is made once, whatever comes between:', () => {
  test.each([
    ['a secondary limit before the commit', 'git/trees', limit],
    ['a secondary limit before the branch', 'git/refs', limit],
    ['a secondary limit before the pull request', 'pulls', limit],
    ['a token that died before the branch', 'git/refs', { status: 401, body: { message: 'Bad credentials' } }],
    ['a token that died before the pull request', 'pulls', { status: 401, body: { message: 'Bad credentials' } }],
    ['a bad gateway before the commit', 'git/commits', { status: 502 }],
  ])('%s', async (_what, path, fault) => {
    front.faults.add({ method: 'POST', path: `${at}/${path}`, fault, times: 1 });
    expect(await propose()).toMatchObject({ kind: 'opened' });
    expect(await repair.pulls(issue)).toHaveLength(1);
    expect(repair.git('widget', ['rev-list', '--count', `trunk..${branch()}`]).trim()).toBe('1');
  });

  test('every token is taken away, and a new one made', async () => {
    await forge.permission(issue, 'maria');
    front.killInstallationTokens();
    expect(await propose()).toMatchObject({ kind: 'opened' });
    expect(await repair.pulls(issue)).toHaveLength(1);
  });

  test.each([
    ['5xx that does not end', { status: 503 }, 'unreachable'],
    ['a limit that does not lift', limit, 'rate-limited'],
    ['a token that goes on being refused', { status: 401, body: { message: 'Bad credentials' } }, 'unauthorized'],
  ])('after %s it fails by that name, and the next attempt finds what was done', async (_what, fault, failure) => {
    front.faults.add({ method: 'POST', path: `${at}/pulls`, fault });
    await expect(propose()).rejects.toMatchObject({ failure });
    front.faults.clear();
    expect(await propose(repair.forge())).toMatchObject({ kind: 'opened' });
    expect(await repair.pulls(issue)).toHaveLength(1);
    expect(repair.git('widget', ['rev-list', '--count', `trunk..${branch()}`]).trim()).toBe('1');
  });
});
