import type { Octokit } from '@octokit/rest';
import type { IssueRef } from '../domain/ports/forge.ts';
import type { AppIdentity } from './installations.ts';
import { branchOf, headOf, isOwn } from './propose.ts';

/**
 * Removes the issue's branch where an interrupted attempt left it without a pull request: only while it holds nothing but
 * the App's commits, and none was ever opened from it. @returns whether it was removed @throws ForgeError
 */
export async function withdraw(octokit: Octokit, identity: AppIdentity, issue: IssueRef): Promise<boolean> {
  const { owner, repo } = issue;
  const branch = branchOf(issue.number);
  const head = await headOf(octokit, { issue, branch });
  if (head === undefined) return false;
  const asked = { owner, repo, head: `${owner}:${branch}`, state: 'all', per_page: 1 } as const;
  if ((await octokit.rest.pulls.list(asked)).data.length > 0) return false;
  const baseBranch = (await octokit.rest.repos.get({ owner, repo })).data.default_branch;
  if (!(await isOwn(octokit, identity, { issue, baseBranch }, head))) return false;
  await octokit.rest.git.deleteRef({ owner, repo, ref: `heads/${branch}` });
  return true;
}
