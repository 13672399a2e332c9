import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IssueRef } from '#src/domain/ports/forge.ts';
import { forgeOn } from './forge-on-front.ts';
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
const proposalOf = (change: (folder: string) => void) => repair.proposal(issue, change);
const git = (args: string[]) => repair.git('widget', args);
const branches = () => repair.branches();

describe('what it never does', () => {
  test('it writes to no other branch than the issue’s own', async () => {
    const good = proposalOf(edit('fixed\n'));
    for (const branch of [
      'trunk',
      `fathom/issue-${issue.number + 1}`,
      'refs/heads/trunk',
      `fathom/issue-${issue.number}/x`,
    ]) {
      await expect(forge.propose({ ...good, branch }, signal())).rejects.toMatchObject({ code: 'input' });
    }
    const own = { ...good, baseBranch: good.branch };
    await expect(forge.propose(own, signal())).rejects.toMatchObject({ code: 'input' });
    expect(front.requests.filter((entry) => /^(POST|PATCH|PUT|DELETE) \/repos/.test(entry))).toEqual([]);
  });

  test('it does not overwrite what somebody else committed to the branch', async () => {
    await forge.propose(proposalOf(edit('fixed\n')), signal());
    const path = `/repos/acme/widget/contents/note.txt`;
    const branch = `fathom/issue-${issue.number}`;
    await front.as('maria').call('PUT', path, { message: 'By hand', content: 'eA==', branch });
    const end = await forge.propose(proposalOf(edit('fixed again\n')), signal());
    expect(end).toMatchObject({ kind: 'refused', reason: expect.stringContaining('somebody else') });
    expect(git(['log', '-1', '--format=%an: %s', branch]).trim()).toBe('maria: By hand');
  });

  test('a branch that a rule protects is told as a reason, as we believe GitHub refuses', async () => {
    await forge.propose(proposalOf(edit('fixed\n')), signal());
    const path = `/repos/acme/widget/git/refs/heads/fathom/issue-${issue.number}`;
    front.faults.add({ method: 'PATCH', path, fault: { status: 422 } });
    const end = await forge.propose(proposalOf(edit('fixed again\n')), signal());
    expect(end).toMatchObject({ kind: 'refused', reason: expect.stringContaining('refused to move') });
  });

  test('for an issue that was closed or is gone it opens nothing', async () => {
    const proposal = proposalOf(edit('fixed\n'));
    await front.as('maria').close('acme/widget', issue.number);
    expect(await forge.propose(proposal, signal())).toMatchObject({ reason: expect.stringContaining('closed') });
    await front.deleteIssue('acme/widget', issue.number, 'maria');
    expect(await forge.propose(proposal, signal())).toMatchObject({ kind: 'refused' });
    expect(branches()).not.toContain(proposal.branch);
  });

  test.each([
    ['before the branch is made', 'git/commits'],
    ['before the pull request is opened', 'git/refs'],
  ])('for an issue that is closed %s, and no delivery tells of it, it opens nothing', async (_when, path) => {
    const { forge: waiting, clock } = forgeOn(front);
    clock.sleep = () => front.as('maria').close('acme/widget', issue.number);
    const fault = { status: 429 };
    front.faults.add({ method: 'POST', path: `/repos/acme/widget/${path}`, fault, times: 1 });
    const proposal = proposalOf(edit('fixed\n'));
    const end = await waiting.propose(proposal, signal());
    expect(end).toMatchObject({ kind: 'refused', reason: expect.stringContaining('closed') });
    expect(branches()).not.toContain(proposal.branch);
    expect(front.requests).not.toContain('POST /repos/acme/widget/pulls');
  });

  test('for an issue whose label was taken off, or that was locked, it opens nothing', async () => {
    const proposal = proposalOf(edit('fixed\n'));
    const unlabelled = await forge.propose({ ...proposal, label: 'auto-triage' }, signal());
    expect(unlabelled).toMatchObject({ kind: 'refused', reason: expect.stringContaining('label') });
    await front.as('maria').lock('acme/widget', issue.number);
    expect(await forge.propose(proposal, signal())).toMatchObject({ reason: expect.stringContaining('locked') });
    expect(branches()).not.toContain(proposal.branch);
  });

  test('a missing permission is told as a reason, not as a failure, as we believe GitHub refuses', async () => {
    front.faults.add({ method: 'POST', path: '/repos/acme/widget/git/blobs', fault: { status: 403 } });
    const end = await forge.propose(proposalOf(edit('fixed\n')), signal());
    expect(end).toMatchObject({ kind: 'refused', reason: expect.stringContaining('permission') });
  });

  test('stopped while GitHub makes it wait, it goes at once and leaves no branch', async () => {
    const { forge: waiting, clock } = forgeOn(front);
    const stop = new AbortController();
    clock.sleep = async (_ms, ends) => {
      stop.abort(new Error('stopped by maria'));
      ends.throwIfAborted();
    };
    front.faults.add({ method: 'POST', path: '/repos/acme/widget/pulls', fault: { status: 429 } });
    await expect(waiting.propose(proposalOf(edit('fixed\n')), stop.signal)).rejects.toThrow('stopped by maria');
    expect(front.requests).toContain('POST /repos/acme/widget/git/refs');
    expect(branches()).not.toContain(`fathom/issue-${issue.number}`);
  });

  test('stopped while nobody knows whether the branch was created, it leaves none', async () => {
    const { forge: waiting, clock } = forgeOn(front);
    const stop = new AbortController();
    clock.sleep = async (_ms, ends) => {
      stop.abort(new Error('stopped by maria'));
      ends.throwIfAborted();
    };
    front.faults.add({ method: 'POST', path: '/repos/acme/widget/git/refs', fault: { drop: 'after' }, times: 1 });
    await expect(waiting.propose(proposalOf(edit('fixed\n')), stop.signal)).rejects.toThrow('stopped by maria');
    expect(branches()).not.toContain(`fathom/issue-${issue.number}`);
  });

  test('stopped in time, it leaves no branch', async () => {
    const stopped = AbortSignal.abort(new Error('stopped by maria'));
    await expect(forge.propose(proposalOf(edit('fixed\n')), stopped)).rejects.toThrow('stopped by maria');
    expect(branches()).not.toContain(`fathom/issue-${issue.number}`);
  });
});
