import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IssueRef, Proposal } from '#src/domain/ports/forge.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { forgeOn, patchOf } from './forge-on-front.ts';

interface Pull {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  state: string;
  user: { login: string };
  head: { ref: string; sha: string };
  base: { ref: string };
  requested_reviewers: { login: string }[];
}
const content = {
  commits: [
    {
      message: 'Start',
      files: {
        'src/a.js': 'one\n',
        'src/b.js': 'two\n',
        'bin/data': Buffer.from([0, 1, 255, 10, 13]),
        'run.sh': '#!/bin/sh\n',
        '읽어 보기.md': 'CRLF\r\nhere\r\n',
      },
    },
  ],
};
const roles = { maria: 'write', rita: 'read' } as const;
let front: GitHubFront;
let forge: ReturnType<typeof forgeOn>['forge'];
let issue: IssueRef;
const signal = () => new AbortController().signal;

beforeAll(async () => {
  front = await startGitHubFront({
    repositories: [
      { owner: 'acme', name: 'widget', private: true, defaultBranch: 'trunk', content, roles },
      { owner: 'acme', name: 'free', private: true, content, roles, drafts: false },
    ],
    users: ['mallory'],
  });
});
beforeEach(async () => {
  front.faults.clear();
  forge = forgeOn(front).forge;
  issue = await openIssue('widget');
  front.requests.length = 0;
});
afterAll(() => front.stop());

async function openIssue(repo: string): Promise<IssueRef> {
  const { number } = await front.as('rita').open(`acme/${repo}`, { title: 'It breaks', body: 'Like this.' });
  return { owner: 'acme', repo, number };
}
function proposalOf(change: (folder: string) => void, at = issue, branch = 'trunk'): Proposal {
  const patch = patchOf(front, `acme/${at.repo}`, branch, change);
  return {
    issue: at,
    branch: `fathom/issue-${at.number}`,
    baseBranch: branch,
    baseSha: patch.base,
    patch,
    title: 'Fix what breaks',
    body: `Fixes #${at.number}\n`,
    commitMessage: 'Fix what breaks\n\nBecause it broke.\n',
    requestedBy: 'maria',
  };
}
const edit = (text: string) => (folder: string) => writeFileSync(`${folder}/src/a.js`, text);
const pulls = (at = issue) =>
  front.admin.call<Pull[]>('GET', `/repos/acme/${at.repo}/pulls?state=all&head=acme:fathom/issue-${at.number}`);
const git = (args: string[], at = issue) =>
  execFileSync('git', ['-c', 'safe.directory=*', '-c', 'core.quotePath=false', ...args], {
    cwd: front.gitFolder(`acme/${at.repo}`),
  }).toString();
const branches = () => git(['for-each-ref', '--format=%(refname:short)', 'refs/heads/fathom']).split('\n');

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

  test("the App is its author, the requester its co-author by GitHub's address, and base its only parent", async () => {
    const proposal = proposalOf(edit('fixed\n'));
    await forge.propose(proposal, signal());
    const made = git(['log', '-1', '--format=%an|%ae|%P', proposal.branch]).trim();
    expect(made).toBe(`fathom|4242+fathom[bot]@users.noreply.github.com|${proposal.baseSha}`);
    const message = git(['log', '-1', '--format=%B', proposal.branch]);
    expect(message).toMatch(
      /^Fix what breaks\n\nBecause it broke\.\n\nCo-authored-by: maria <\d+\+maria@users\.noreply\.github\.com>\n/,
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
    const again = await forgeOn(front).forge.propose(
      { ...proposalOf(edit('fixed\n')), title: 'Better title' },
      signal(),
    );
    expect(again).toEqual({ ...first, kind: 'updated' });
    expect(git(['rev-parse', `fathom/issue-${issue.number}`])).toBe(head);
    await forge.propose(proposalOf(edit('fixed better\n')), signal());
    expect(git(['show', `fathom/issue-${issue.number}:src/a.js`])).toBe('fixed better\n');
    expect(git(['rev-list', '--count', `trunk..fathom/issue-${issue.number}`]).trim()).toBe('1');
    expect(await pulls()).toMatchObject([{ title: 'Fix what breaks' }]);
  });

  test('where drafts are refused it is opened ready, and title and body say so, as we believe GitHub refuses them', async () => {
    const at = await openIssue('free');
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

  test('when GitHub refuses any pull request, the reason is told and no branch is left', async () => {
    front.faults.add({ method: 'POST', path: '/repos/acme/widget/pulls', fault: { status: 422 } });
    expect(await forge.propose(proposalOf(edit('fixed\n')), signal())).toMatchObject({ kind: 'refused' });
    expect(branches()).not.toContain(`fathom/issue-${issue.number}`);
  });

  test('after a maintainer closed it, asking again opens another', async () => {
    await forge.propose(proposalOf(edit('fixed\n')), signal());
    const [first] = await pulls();
    await front.as('maria').call('PATCH', `/repos/acme/widget/pulls/${first?.number}`, { state: 'closed' });
    expect(await forge.propose(proposalOf(edit('fixed otherwise\n')), signal())).toMatchObject({ kind: 'opened' });
    expect((await pulls()).map((pull) => pull.state).sort()).toEqual(['closed', 'open']);
  });
});

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

  test('for an issue that was closed or is gone it opens nothing', async () => {
    const proposal = proposalOf(edit('fixed\n'));
    await front.as('maria').close('acme/widget', issue.number);
    expect(await forge.propose(proposal, signal())).toMatchObject({ reason: expect.stringContaining('closed') });
    await front.deleteIssue('acme/widget', issue.number, 'maria');
    expect(await forge.propose(proposal, signal())).toMatchObject({ kind: 'refused' });
    expect(branches()).not.toContain(proposal.branch);
  });

  test('a missing permission is told as a reason, not as a failure', async () => {
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

  test('stopped in time, it leaves no branch', async () => {
    const stopped = AbortSignal.abort(new Error('stopped by maria'));
    await expect(forge.propose(proposalOf(edit('fixed\n')), stopped)).rejects.toThrow('stopped by maria');
    expect(branches()).not.toContain(`fathom/issue-${issue.number}`);
  });
});
