import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { IssueRef, Proposal } from '#src/domain/ports/forge.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { forgeOn, patchOf } from './forge-on-front.ts';

export interface Pull {
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
/** A front with a repository that takes drafts and one that does not, and what a test asks of them. */
export async function startRepairFront() {
  const front: GitHubFront = await startGitHubFront({
    repositories: [
      { owner: 'acme', name: 'widget', private: true, defaultBranch: 'trunk', content, roles },
      { owner: 'acme', name: 'free', private: true, content, roles, drafts: false },
    ],
    users: ['mallory'],
  });
  const git = (repo: string, args: string[]) => {
    const plain = ['-c', 'safe.directory=*', '-c', 'core.quotePath=false'];
    return execFileSync('git', [...plain, ...args], { cwd: front.gitFolder(`acme/${repo}`) }).toString();
  };
  return {
    front,
    forge: () => forgeOn(front).forge,
    git,
    branches: () => git('widget', ['for-each-ref', '--format=%(refname:short)', 'refs/heads/fathom']).split('\n'),
    async openIssue(repo: string): Promise<IssueRef> {
      const { number } = await front.as('rita').open(`acme/${repo}`, { title: 'It breaks', body: 'Like this.' });
      return { owner: 'acme', repo, number };
    },
    pulls: ({ repo, number }: IssueRef) =>
      front.admin.call<Pull[]>('GET', `/repos/acme/${repo}/pulls?state=all&head=acme:fathom/issue-${number}`),
    proposal(issue: IssueRef, change: (folder: string) => void, branch = 'trunk'): Proposal {
      const patch = patchOf(front, `acme/${issue.repo}`, branch, change);
      return {
        issue,
        branch: `fathom/issue-${issue.number}`,
        baseBranch: branch,
        baseSha: patch.base,
        patch,
        title: 'Fix what breaks',
        body: `Fixes #${issue.number}\n`,
        commitMessage: 'Fix what breaks\n\nBecause it broke.\n',
        requestedBy: 'maria',
      };
    },
  };
}
export type RepairFront = Awaited<ReturnType<typeof startRepairFront>>;

export const edit = (text: string) => (folder: string) => writeFileSync(`${folder}/src/a.js`, text);
