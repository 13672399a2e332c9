import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IssueRef } from '#src/domain/ports/forge.ts';
import { edit, type RepairFront, startRepairFront } from './repair-front.ts';

const name = 'acme/widget';
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
});
afterAll(() => front.stop());

const nobody = { assignees: [], pullRequests: [], branches: [] };
let made = 0;

/** A pull request of maria's that changes `path`. */
async function openPull(
  body: string,
  { path = `new-${made}.txt`, text = 'x\n', branch = `work-${made++}` } = {},
): Promise<number> {
  const at = `/repos/${name}`;
  const maria = front.as('maria');
  const { object } = await front.admin.call<{ object: { sha: string } }>('GET', `${at}/git/ref/heads/trunk`);
  await maria.call('POST', `${at}/git/refs`, { ref: `refs/heads/${branch}`, sha: object.sha });
  const there = await front.admin
    .call<{ sha: string }>('GET', `${at}/contents/${path}?ref=${branch}`)
    .catch(() => undefined);
  const content = Buffer.from(text).toString('base64');
  await maria.call('PUT', `${at}/contents/${path}`, {
    message: 'x',
    content,
    branch,
    ...(there && { sha: there.sha }),
  });
  return (
    await maria.call<{ number: number }>('POST', `${at}/pulls`, { title: 'Work', body, head: branch, base: 'trunk' })
  ).number;
}
const close = (number: number) =>
  front.as('maria').call('PATCH', `/repos/${name}/pulls/${number}`, { state: 'closed' });

describe('who is at work on an issue', () => {
  test('is nobody, where nobody is; the App’s own pull request does not count', async () => {
    expect(await forge.openWork(issue)).toEqual(nobody);
    await forge.propose(repair.proposal(issue, edit('fixed\n')), new AbortController().signal);
    expect(await forge.openWork(issue)).toEqual(nobody);
  });

  test('is a person that it is assigned to', async () => {
    await front.as('maria').call('PATCH', `/repos/${name}/issues/${issue.number}`, { assignees: ['maria'] });
    expect(await forge.openWork(issue)).toEqual({ ...nobody, assignees: ['maria'] });
  });

  test.each([
    ['Fixes #N.', true],
    ['closes: #N', true],
    ['It resolved acme/widget#N', true],
    ['fix https://github.com/acme/widget/issues/N', true],
    ['See #N', false],
    ['Fixes #N0', false],
    ['Fixes other/widget#N', false],
    ['prefixes #N', false],
    ['fixes N', false],
  ])('a pull request that says %j is one for it: %j', async (body, counts) => {
    const number = await openPull(body.replace('N', String(issue.number)));
    expect(await forge.openWork(issue)).toEqual({ ...nobody, pullRequests: counts ? [number] : [] });
    await close(number);
    expect(await forge.openWork(issue)).toEqual(nobody);
  });

  test('a pull request from a branch that GitHub named after it is one for it', async () => {
    const number = await openPull('', { branch: `${issue.number}-it-breaks` });
    expect(await forge.openWork(issue)).toEqual({ ...nobody, pullRequests: [number] });
    await close(number);
  });

  test('a branch linked to it counts, as we believe GitHub’s GraphQL tells; where that is refused, there is none', async () => {
    front.linkBranch(name, issue.number, 'maria/quotes');
    expect(await forge.openWork(issue)).toEqual({ ...nobody, branches: ['maria/quotes'] });
    front.faults.add({ method: 'POST', path: '/graphql', fault: { status: 403, body: { message: 'No' } } });
    expect(await forge.openWork(issue)).toEqual(nobody);
    front.faults.clear();
    front.faults.add({ method: 'POST', path: '/graphql', fault: { status: 502 }, times: 1 });
    expect(await forge.openWork(issue)).toEqual({ ...nobody, branches: ['maria/quotes'] });
  });
});

describe('pull requests at a place', () => {
  test('are those that change its lines, and not others of the file', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}\n`);
    const path = 'src/long.js';
    const branch = 'trunk';
    const content = Buffer.from(lines.join('')).toString('base64');
    await front.admin.call('PUT', `/repos/${name}/contents/${path}`, { message: 'Long', content, branch });
    const number = await openPull('', { path, text: lines.with(29, 'changed\n').join('') });
    const at = (startLine: number, endLine: number) => forge.pullRequestsAt(issue, [{ path, startLine, endLine }]);
    expect(await at(28, 32)).toEqual([{ number, path }]);
    expect(await at(30, 30)).toEqual([{ number, path }]);
    expect(await at(40, 60)).toEqual([]);
    expect(await at(1, 28)).toEqual([]);
    expect(await forge.pullRequestsAt(issue, [{ path: 'src/b.js', startLine: 1, endLine: 99 }])).toEqual([]);
    await close(number);
    expect(await at(28, 32)).toEqual([]);
  });
});
