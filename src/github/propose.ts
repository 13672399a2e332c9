import type { Octokit } from '@octokit/rest';
import { ForgeError } from '../domain/errors.ts';
import { isEmptyPatch } from '../domain/patch.ts';
import type { Proposal, ProposalEnd } from '../domain/ports/forge.ts';
import { commitPatch } from './commit-patch.ts';
import type { AppIdentity } from './installations.ts';
import { boundTo } from './issue-comments.ts';
import { repeatable } from './patient-requests.ts';
import { openPullRequest } from './pull-request.ts';
import { standsNoMore } from './standing.ts';

export const branchOf = (number: number): string => `fathom/issue-${number}`;

const refused = (reason: string): ProposalEnd => ({ kind: 'refused', reason });

/**
 * Commits the patch to the issue's branch and opens or updates its one draft pull request. Started again, it finds what
 * it did before. Refusals that a person can understand and act upon are values.
 *
 * @param options `cleaner`: a client that still works once `signal` has ended the other
 * @throws InputError when it is asked to write anywhere but to the issue's own branch; ForgeError
 */
export async function propose(
  octokit: Octokit,
  identity: AppIdentity,
  proposal: Proposal,
  { gitPath, signal, cleaner }: { gitPath: string; signal: AbortSignal; cleaner: Octokit },
): Promise<ProposalEnd> {
  const { issue, branch, baseBranch } = proposal;
  if (branch !== branchOf(issue.number) || baseBranch === branch) throw boundTo(issue, `branch ${branch}`);
  if (isEmptyPatch(proposal.patch)) return refused('There is nothing to change.');
  const before = await standsNoMore(octokit, proposal);
  if (before !== undefined) return refused(before);
  try {
    const commit = await commitPatch(octokit, proposal, await messageOf(octokit, proposal), { gitPath, signal });
    if (typeof commit === 'string') return refused(commit);
    const meanwhile = await standsNoMore(octokit, proposal);
    if (meanwhile !== undefined) return refused(meanwhile);
    const moved = await moveBranch(octokit, identity, proposal, commit, { signal, cleaner });
    if (moved.kind === 'taken') return refused(moved.reason);
    const undoMove = () => undo(cleaner, proposal, moved.kind);
    return await openWhereItStands(octokit, identity, proposal, undoMove).catch(async (error: unknown) => {
      // A branch that cannot be removed now is found and used by the next run.
      if (signal.aborted || isForbidden(error)) await undoMove().catch(() => undefined);
      throw error;
    });
  } catch (error) {
    if (isForbidden(error)) return refused(notAllowed);
    throw error;
  }
}

/** With the branch there, the issue is looked at a last time. */
async function openWhereItStands(
  octokit: Octokit,
  identity: AppIdentity,
  proposal: Proposal,
  undoMove: () => Promise<void>,
): Promise<ProposalEnd> {
  const reason = await standsNoMore(octokit, proposal);
  if (reason === undefined) return openPullRequest(octokit, identity, proposal, undoMove);
  await undoMove();
  return refused(reason);
}

const isForbidden = (error: unknown): boolean => error instanceof ForgeError && error.failure === 'forbidden';

const notAllowed =
  'GitHub does not let the App write there. It may lack a permission (`contents` and `pull_requests`, each to write), ' +
  'or a rule protects the branch.';

/** The requester as co-author, by the address that GitHub gives to everyone. */
async function messageOf(octokit: Octokit, { commitMessage, requestedBy }: Proposal): Promise<string> {
  const user = await octokit.rest.users.getByUsername({ username: requestedBy }).catch((error: unknown) => {
    if (error instanceof ForgeError && ['not-found', 'forbidden'].includes(error.failure)) return undefined;
    throw error;
  });
  if (user === undefined) return commitMessage;
  const { id, login } = user.data;
  const host = new URL(octokit.request.endpoint.DEFAULTS.baseUrl).hostname.replace(/^api\./, '');
  return `${commitMessage.trimEnd()}\n\nCo-authored-by: ${login} <${id}+${login}@users.noreply.${host}>\n`;
}

type Moved = { kind: 'created' | 'moved' | 'kept' } | { kind: 'taken'; reason: string };
interface Commit {
  sha: string;
  tree: string;
}

async function moveBranch(
  octokit: Octokit,
  identity: AppIdentity,
  proposal: Proposal,
  commit: Commit,
  { signal, cleaner }: { signal: AbortSignal; cleaner: Octokit },
): Promise<Moved> {
  const { owner, repo } = proposal.issue;
  const ref = `heads/${proposal.branch}`;
  signal.throwIfAborted();
  const head = await headOf(octokit, proposal);
  if (head === undefined) {
    const created = await octokit.rest.git
      .createRef({ owner, repo, ref: `refs/${ref}`, sha: commit.sha, request: repeatable })
      .catch(async (error: unknown) => {
        if (error instanceof ForgeError && error.failure === 'unprocessable') return undefined;
        if (signal.aborted) await undoUnanswered(cleaner, proposal, commit).catch(() => undefined);
        throw error;
      });
    if (created !== undefined || (await headOf(octokit, proposal)) === commit.sha) return { kind: 'created' };
    return { kind: 'taken', reason: `GitHub refused to create the branch \`${proposal.branch}\`.` };
  }
  if (await isSame(octokit, proposal, head, commit)) return { kind: 'kept' };
  if (!(await isOwn(octokit, identity, proposal, head))) {
    const reason = `The branch \`${proposal.branch}\` holds commits by somebody else, so it was left alone.`;
    return { kind: 'taken', reason };
  }
  try {
    await octokit.rest.git.updateRef({ owner, repo, ref, sha: commit.sha, force: true });
    return { kind: 'moved' };
  } catch (error) {
    if (!(error instanceof ForgeError && ['unprocessable', 'conflict'].includes(error.failure))) throw error;
    return { kind: 'taken', reason: `GitHub refused to move the branch \`${proposal.branch}\`.` };
  }
}

export async function headOf(
  octokit: Octokit,
  { issue, branch }: Pick<Proposal, 'issue' | 'branch'>,
): Promise<string | undefined> {
  const { owner, repo } = issue;
  try {
    return (await octokit.rest.git.getRef({ owner, repo, ref: `heads/${branch}` })).data.object.sha;
  } catch (error) {
    if (error instanceof ForgeError && error.failure === 'not-found') return undefined;
    throw error;
  }
}

/** An interrupted attempt already brought the same change on the same base. */
async function isSame(octokit: Octokit, proposal: Proposal, head: string, commit: Commit): Promise<boolean> {
  const { owner, repo } = proposal.issue;
  const there = await octokit.rest.git.getCommit({ owner, repo, commit_sha: head });
  const onBase = there.data.parents.length === 1 && there.data.parents[0]?.sha === proposal.baseSha;
  return onBase && there.data.tree.sha === commit.tree;
}

/** Every commit that the branch adds is the App's. Overwriting it then takes nobody's work away. */
export async function isOwn(
  octokit: Octokit,
  identity: AppIdentity,
  proposal: Pick<Proposal, 'issue' | 'baseBranch'>,
  head: string,
): Promise<boolean> {
  const { owner, repo } = proposal.issue;
  const basehead = `${proposal.baseBranch}...${head}`;
  const compared = await octokit.rest.repos.compareCommitsWithBasehead({ owner, repo, basehead });
  const { commits, total_commits: total } = compared.data;
  return total === commits.length && commits.every((commit) => commit.author?.id === identity.bot.id);
}

/** Stopped while the branch was being created: nobody heard whether it was. */
async function undoUnanswered(cleaner: Octokit, proposal: Proposal, commit: Commit): Promise<void> {
  if ((await headOf(cleaner, proposal)) === commit.sha) await undo(cleaner, proposal, 'created');
}

/** Without a pull request a new branch would only lie about. */
async function undo(octokit: Octokit, { issue, branch }: Proposal, moved: Moved['kind']): Promise<void> {
  if (moved !== 'created') return;
  await octokit.rest.git.deleteRef({ owner: issue.owner, repo: issue.repo, ref: `heads/${branch}` });
}
