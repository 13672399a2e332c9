import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
const proposalOf = (change: (folder: string) => void, at = issue, branch?: string) =>
  repair.proposal(at, change, branch);
const pulls = (at = issue) => repair.pulls(at);
const git = (args: string[]) => repair.git('widget', args);
const branches = () => repair.branches();

describe('the commit', () => {
  test('it holds exactly the bytes, modes, links, renames and deletions of the patch', async () => {
    const proposal = proposalOf((folder) => {
      writeFileSync(`${folder}/bin/data`, Buffer.from([255, 0, 13, 10, 0]));
      writeFileSync(`${folder}/읽어 보기.md`, 'CRLF\r\n그대로\r\n');
      chmodSync(`${folder}/run.sh`, 0o755);
      mkdirSync(`${folder}/lib/deep`, { recursive: true });
      renameSync(`${folder}/src/b.js`, `${folder}/lib/deep/c.js`);
      rmSync(`${folder}/src/a.js`);
      symlinkSync('../run.sh', `${folder}/lib/link`);
      writeFileSync(`${folder}/empty`, '');
    });
    await forge.propose(proposal, signal());
    const changes = git(['diff', '--binary', '--full-index', '-M', 'trunk', proposal.branch]);
    expect(changes).toBe(Buffer.from(proposal.patch.diff, 'base64').toString());
    expect(git(['ls-tree', proposal.branch, 'run.sh', 'lib/link'])).toMatch(/^120000 .*lib\/link\n100755 .*run.sh\n$/);
  });

  test('the App is its author, the requester its co-author by the address that this GitHub gives, and base its only parent', async () => {
    const proposal = proposalOf(edit('fixed\n'));
    await forge.propose(proposal, signal());
    const made = git(['log', '-1', '--format=%an|%ae|%P', proposal.branch]).trim();
    expect(made).toBe(`fathom|4242+fathom[bot]@users.noreply.github.com|${proposal.baseSha}`);
    const message = git(['log', '-1', '--format=%B', proposal.branch]);
    expect(message).toMatch(
      /^Fix what breaks\n\nBecause it broke\.\n\nCo-authored-by: maria <\d+\+maria@users\.noreply\.127\.0\.0\.1>\n/,
    );
  });

  test('a change that does not apply, lists too little, or touches a workflow is refused with a sentence', async () => {
    const good = proposalOf(edit('fixed\n'));
    const other = proposalOf((folder) => writeFileSync(`${folder}/src/b.js`, 'other\n'));
    const hidden = { ...good, patch: { ...good.patch, diff: other.patch.diff } };
    expect(await forge.propose(hidden, signal())).toMatchObject({ kind: 'refused' });
    const two = proposalOf((folder) => {
      writeFileSync(`${folder}/src/a.js`, 'x\n');
      writeFileSync(`${folder}/new.js`, 'x\n');
    });
    const less = { ...two, patch: { ...two.patch, files: two.patch.files.filter((file) => file.path !== 'new.js') } };
    expect(await forge.propose(less, signal())).toMatchObject({ reason: expect.stringContaining('`new.js`') });
    const workflow = proposalOf((folder) => {
      mkdirSync(`${folder}/.github/workflows`, { recursive: true });
      writeFileSync(`${folder}/.github/workflows/x.yml`, 'on: push\n');
    });
    expect(await forge.propose(workflow, signal())).toMatchObject({ reason: expect.stringContaining('workflows') });
    const nothing = { ...good, patch: { ...good.patch, files: [], diff: '' } };
    expect(await forge.propose(nothing, signal())).toMatchObject({ kind: 'refused' });
    expect(branches()).not.toContain(good.branch);
  });
});

describe('the pull request', () => {
  test('it is a draft against the default branch `trunk`, by the App, with the requester as reviewer', async () => {
    const { defaultBranch } = await forge.repository(issue);
    const end = await forge.propose({ ...proposalOf(edit('fixed\n')), baseBranch: defaultBranch }, signal());
    const [pull] = await pulls();
    expect(end).toEqual({ kind: 'opened', number: pull?.number, url: expect.stringContaining('/pull/'), draft: true });
    expect(pull).toMatchObject({
      title: 'Fix what breaks',
      body: `Fixes #${issue.number}\n`,
      draft: true,
      user: { login: 'fathom[bot]' },
      base: { ref: 'trunk' },
      requested_reviewers: [{ login: 'maria' }],
    });
  });

  test('asked again with the same change, nothing new is made; with another, branch and pull request are brought up to date', async () => {
    const first = await forge.propose(proposalOf(edit('fixed\n')), signal());
    const head = git(['rev-parse', `fathom/issue-${issue.number}`]);
    const again = await repair.forge().propose({ ...proposalOf(edit('fixed\n')), title: 'Better title' }, signal());
    expect(again).toEqual({ ...first, kind: 'updated' });
    expect(git(['rev-parse', `fathom/issue-${issue.number}`])).toBe(head);
    await forge.propose(proposalOf(edit('fixed better\n')), signal());
    expect(git(['show', `fathom/issue-${issue.number}:src/a.js`])).toBe('fixed better\n');
    expect(git(['rev-list', '--count', `trunk..fathom/issue-${issue.number}`]).trim()).toBe('1');
    expect(await pulls()).toMatchObject([{ title: 'Fix what breaks' }]);
  });

  test('where drafts are refused it is opened ready, and title and body say so, as we believe GitHub refuses them', async () => {
    const at = await repair.openIssue('free');
    const end = await forge.propose(proposalOf(edit('fixed\n'), at, 'main'), signal());
    expect(end).toMatchObject({ kind: 'opened', draft: false });
    const [pull] = await pulls(at);
    expect(pull?.title).toBe('Fix what breaks (a draft: not reviewed yet)');
    expect(pull?.body).toContain('Nobody has reviewed it yet.');
    const again = await forge.propose(proposalOf(edit('fixed again\n'), at, 'main'), signal());
    expect(again).toMatchObject({ kind: 'updated', draft: false });
    expect((await pulls(at))[0]?.title).toBe(pull?.title);
  });

  test('a reviewer whom GitHub refuses is no failure, as we believe it refuses strangers', async () => {
    const end = await forge.propose({ ...proposalOf(edit('fixed\n')), requestedBy: 'mallory' }, signal());
    expect(end).toMatchObject({ kind: 'opened' });
    expect(await pulls()).toMatchObject([{ requested_reviewers: [] }]);
  });

  test('a requester whose account is gone is no failure', async () => {
    const end = await forge.propose({ ...proposalOf(edit('fixed\n')), requestedBy: 'left-long-ago' }, signal());
    expect(end).toMatchObject({ kind: 'opened' });
    expect(git(['log', '-1', '--format=%B', `fathom/issue-${issue.number}`])).not.toContain('Co-authored-by');
  });

  test.each([
    ['lost its answer', { drop: 'after' as const }],
    ['never arrived', { drop: 'before' as const }],
    ['met a bad gateway', { status: 502 }],
  ])('a pull request whose request %s is there once', async (_name, fault) => {
    front.faults.add({ method: 'POST', path: '/repos/acme/widget/pulls', fault, times: 1 });
    expect(await forge.propose(proposalOf(edit('fixed\n')), signal())).toMatchObject({ draft: true });
    expect(await pulls()).toHaveLength(1);
  });

  test('a branch whose creation lost its answer is used', async () => {
    front.faults.add({ method: 'POST', path: '/repos/acme/widget/git/refs', fault: { drop: 'after' }, times: 1 });
    expect(await forge.propose(proposalOf(edit('fixed\n')), signal())).toMatchObject({ kind: 'opened' });
  });

  test('when GitHub refuses any pull request, as we believe by 422, the reason is told and no branch is left', async () => {
    front.faults.add({ method: 'POST', path: '/repos/acme/widget/pulls', fault: { status: 422 } });
    expect(await forge.propose(proposalOf(edit('fixed\n')), signal())).toMatchObject({ kind: 'refused' });
    expect(branches()).not.toContain(`fathom/issue-${issue.number}`);
  });

  test('a title that is too long is cut between characters', async () => {
    await forge.propose({ ...proposalOf(edit('fixed\n')), title: '🧭'.repeat(200) }, signal());
    const title = (await pulls())[0]?.title ?? '';
    expect(title.length).toBeLessThanOrEqual(250);
    expect(title.isWellFormed()).toBe(true);
  });

  test('after a maintainer closed it, asking again opens another', async () => {
    await forge.propose(proposalOf(edit('fixed\n')), signal());
    const [first] = await pulls();
    await front.as('maria').call('PATCH', `/repos/acme/widget/pulls/${first?.number}`, { state: 'closed' });
    expect(await forge.propose(proposalOf(edit('fixed otherwise\n')), signal())).toMatchObject({ kind: 'opened' });
    expect((await pulls()).map((pull) => pull.state).sort()).toEqual(['closed', 'open']);
  });
});
