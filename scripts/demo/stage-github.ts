import { join } from 'node:path';
import type { GitHubFront } from '../github-front/github-front.ts';
import { startGitHubFront } from '../github-front/start-github-front.ts';
import { ledgerlineIssue, makeLedgerline } from './ledgerline-repository.ts';

export const REPOSITORY = 'ledgerline/ledgerline';
export const LABEL = 'auto-triage';
export const MAINTAINER = 'ines';
export const REPORTER = 'cleaning-co';
export const ISSUE = 1;

export interface StagedGitHub {
  front: GitHubFront;
  title: string;
  commits: number;
}

/** GitHub on this machine with the example, its issue by a user, and a maintainer; `folder` is for the repository. */
export async function stageGitHub(folder: string): Promise<StagedGitHub> {
  const repository = join(folder, 'ledgerline');
  const commits = await makeLedgerline(repository);
  const issue = await ledgerlineIssue();
  const [owner = '', name = ''] = REPOSITORY.split('/');
  const front = await startGitHubFront({
    repositories: [
      {
        owner,
        name,
        content: { repository },
        roles: { [MAINTAINER]: 'write' },
        labels: [LABEL, 'auto-diagnose', 'bug'],
        issues: [{ ...issue, author: REPORTER }],
      },
    ],
  });
  return { front, title: issue.title, commits };
}
