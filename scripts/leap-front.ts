import { leapFiles } from '../test/cli/leap-repository.ts';
import type { GitHubFront } from './github-front/github-front.ts';
import { startGitHubFront } from './github-front/start-github-front.ts';

export const REPOSITORY = 'acme/dates';

/** GitHub with one small repository whose fault a scripted model repairs, a maintainer and a reporter. */
export const startLeapFront = (): Promise<GitHubFront> =>
  startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'dates',
        content: { commits: [{ message: 'Count days', files: leapFiles }] },
        roles: { maria: 'write' },
        labels: ['auto-triage', 'auto-diagnose'],
      },
    ],
    users: ['rita'],
  });
