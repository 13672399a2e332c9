import type { Octokit } from '@octokit/rest';
import { ForgeError } from '../domain/errors.ts';
import type { Proposal, ProposalEnd } from '../domain/ports/forge.ts';
import type { AppIdentity } from './installations.ts';
import { repeatable } from './patient-requests.ts';

const MOST_TITLE = 250;
const MOST_BODY = 65_000;

const draftInTitle = ' (a draft: not reviewed yet)';
const draftInBody =
  '> **This is a draft.** GitHub refuses draft pull requests in this repository, so this one is marked ready for ' +
  'review. Nobody has reviewed it yet.\n\n';

interface Opened {
  number: number;
  html_url: string;
  draft?: boolean | undefined;
}

/**
 * Opens the issue's pull request, or brings the open one up to date. GitHub answers 422 where drafts are not offered,
 * and there is no way to ask first: then it is opened ready, and says so in title and body.
 *
 * @param undo takes back what was made for it, when there can be no pull request
 */
export async function openPullRequest(
  octokit: Octokit,
  identity: AppIdentity,
  proposal: Proposal,
  undo: () => Promise<void>,
): Promise<ProposalEnd> {
  const existing = await openOne(octokit, proposal);
  if (existing !== undefined) return update(octokit, proposal, existing);
  for (const draft of [true, false]) {
    const opened = await create(octokit, proposal, draft);
    if (opened === undefined) continue;
    await requestReview(octokit, identity, proposal, opened.number);
    return { kind: 'opened', number: opened.number, url: opened.html_url, draft: opened.draft === true };
  }
  await undo();
  return { kind: 'refused', reason: 'GitHub refused to open a pull request with this change.' };
}

async function openOne(octokit: Octokit, { issue, branch }: Proposal): Promise<Opened | undefined> {
  const { owner, repo } = issue;
  const open = await octokit.rest.pulls.list({ owner, repo, head: `${owner}:${branch}`, state: 'open', per_page: 1 });
  return open.data[0];
}

async function update(octokit: Octokit, proposal: Proposal, existing: Opened): Promise<ProposalEnd> {
  const { owner, repo } = proposal.issue;
  const draft = existing.draft === true;
  await octokit.rest.pulls.update({ owner, repo, pull_number: existing.number, ...textOf(proposal, draft) });
  return { kind: 'updated', number: existing.number, url: existing.html_url, draft };
}

/** Undefined when GitHub refuses it by 422 and there is none. Where nobody knows whether it came about, it looks. */
async function create(octokit: Octokit, proposal: Proposal, draft: boolean): Promise<Opened | undefined> {
  const { owner, repo } = proposal.issue;
  const { branch: head, baseBranch: base } = proposal;
  const wanted = { owner, repo, head, base, draft, maintainer_can_modify: true, ...textOf(proposal, draft) };
  try {
    return (await octokit.rest.pulls.create(wanted)).data;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    const there = await openOne(octokit, proposal);
    if (there !== undefined) return there;
    if (error.failure === 'unprocessable') return undefined;
    if (error.failure === 'unreachable') return (await octokit.rest.pulls.create(wanted)).data;
    throw error;
  }
}

function textOf({ title, body }: Proposal, draft: boolean): { title: string; body: string } {
  if (draft) return { title: cut(title, MOST_TITLE), body: cut(body, MOST_BODY) };
  const name = `${cut(title, MOST_TITLE - draftInTitle.length)}${draftInTitle}`;
  return { title: name, body: cut(`${draftInBody}${body}`, MOST_BODY) };
}

/** Cutting may leave half of a character, which JSON could carry and GitHub would not. */
const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

/** Whoever asked may be no possible reviewer, or have left: the pull request stands without. */
async function requestReview(octokit: Octokit, identity: AppIdentity, proposal: Proposal, pull_number: number) {
  const { owner, repo } = proposal.issue;
  if (proposal.requestedBy === identity.bot.login) return;
  const asked = { owner, repo, pull_number, reviewers: [proposal.requestedBy], request: repeatable };
  await octokit.rest.pulls.requestReviewers(asked).catch((error: unknown) => {
    if (!(error instanceof ForgeError)) throw error;
  });
}
