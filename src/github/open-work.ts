import type { Octokit } from '@octokit/rest';
import { ForgeError, type ForgeFailure } from '../domain/errors.ts';
import type { Location } from '../domain/finding.ts';
import type { IssueRef, OpenWork, PullRequestEdit, RepositoryRef } from '../domain/ports/forge.ts';
import { findIssue } from './issue-reader.ts';
import { repeatable } from './patient-requests.ts';
import { branchOf } from './propose.ts';

/** Open pull requests that are looked at, the most recently changed first. */
const MOST_PULLS = 100;
const MOST_READ = 30;

type ApiPull = Awaited<ReturnType<Octokit['rest']['pulls']['list']>>['data'][number];

/**
 * Who is at work on an issue: people to whom it is assigned, open pull requests that would close it (by a keyword, by a
 * link, or by a branch that GitHub named after it) and branches that are linked to it. The App's own branch is no one's.
 */
export async function openWork(octokit: Octokit, issue: IssueRef): Promise<OpenWork> {
  const found = await findIssue(octokit, issue);
  const assignees = (found?.assignees ?? []).filter((one) => one.type === 'User').map((one) => one.login);
  const linked = await linkedTo(octokit, issue);
  const pulls = (await openPulls(octokit, issue)).filter(({ head }) => head.ref !== branchOf(issue.number));
  const closing = pulls.filter((pull) => linked.pulls.includes(pull.number) || closes(pull, issue));
  const taken = new Set(pulls.map(({ head }) => head.ref));
  return {
    assignees,
    pullRequests: closing.map(({ number }) => number),
    branches: linked.branches.filter((name) => name !== branchOf(issue.number) && !taken.has(name)),
  };
}

/** Open pull requests that change one of these places, with the first such file. The issue's own one is not among them. */
export async function pullRequestsAt(
  octokit: Octokit,
  issue: IssueRef,
  places: Location[],
): Promise<PullRequestEdit[]> {
  const pulls = (await openPulls(octokit, issue)).filter(({ head }) => head.ref !== branchOf(issue.number));
  const edits: PullRequestEdit[] = [];
  for (const { number } of pulls.slice(0, MOST_READ)) {
    const { owner, repo } = issue;
    const files = await octokit.rest.pulls.listFiles({ owner, repo, pull_number: number, per_page: 100 });
    const hit = places.find(({ path, startLine, endLine }) =>
      files.data.some(
        (file) =>
          (file.previous_filename ?? file.filename) === path &&
          changedLines(file.patch ?? '').some((line) => startLine <= line && line <= endLine),
      ),
    );
    if (hit) edits.push({ number, path: hit.path });
  }
  return edits;
}

async function openPulls(octokit: Octokit, { owner, repo }: RepositoryRef): Promise<ApiPull[]> {
  const how = { state: 'open', sort: 'updated', direction: 'desc', per_page: MOST_PULLS } as const;
  return (await octokit.rest.pulls.list({ owner, repo, ...how })).data;
}

function closes({ body, title, head }: ApiPull, { owner, repo, number }: IssueRef): boolean {
  if (new RegExp(`^(?:[\\w.-]{1,40}/)?(?:issue-?)?${number}-`, 'i').test(head.ref)) return true;
  const name = escaped(`${owner}/${repo}`);
  const issue = `(?:(?:${name})?#|https?://[\\w.:-]{1,80}/${name}/issues/)${number}(?!\\d)`;
  const keyword = new RegExp(`\\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\\s{1,3}${issue}`, 'i');
  return keyword.test(title) || keyword.test((body ?? '').slice(0, MOST_BODY));
}

const MOST_BODY = 65_536;
const escaped = (text: string): string => text.replaceAll(/[^\w/]/g, '\\$&');

const LINKED = `query($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    issue(number: $number) {
      linkedBranches(first: 10) { nodes { ref { name } } }
      closedByPullRequestsReferences(first: 10, includeClosedPrs: false) { nodes { number } }
    }
  }
}`;

interface Linked {
  repository?: {
    issue?: {
      linkedBranches?: { nodes?: ({ ref?: { name: string } | null } | null)[] | null } | null;
      closedByPullRequestsReferences?: { nodes?: ({ number: number } | null)[] | null } | null;
    } | null;
  } | null;
}

/** Links made by hand are known to GitHub's GraphQL API alone. Where that answers nothing of use, there are none. */
async function linkedTo(octokit: Octokit, issue: IssueRef): Promise<{ branches: string[]; pulls: number[] }> {
  const { owner, repo, number } = issue;
  try {
    const found = await octokit.graphql<Linked>(LINKED, { owner, repo, number, request: repeatable });
    const { linkedBranches, closedByPullRequestsReferences: pulls } = found.repository?.issue ?? {};
    return {
      branches: (linkedBranches?.nodes ?? []).flatMap((node) => node?.ref?.name ?? []),
      pulls: (pulls?.nodes ?? []).flatMap((node) => node?.number ?? []),
    };
  } catch (error) {
    const isRefused = error instanceof ForgeError && !PASSING.includes(error.failure);
    if (!isRefused && !(error instanceof Error && error.name === 'GraphqlResponseError')) throw error;
    return { branches: [], pulls: [] };
  }
}

const PASSING: ForgeFailure[] = ['rate-limited', 'unreachable', 'unauthorized'];

const HUNK = /^@@ -(\d+)(?:,\d+)? \+/;

/** Lines of the file before the change that are removed, or after which lines are added. */
function changedLines(patch: string): number[] {
  const lines: number[] = [];
  let at = 0;
  for (const line of patch.split('\n')) {
    const start = HUNK.exec(line)?.[1];
    if (start !== undefined) at = Number(start);
    else if (line.startsWith('+')) lines.push(Math.max(at - 1, 1), at);
    else if (line.startsWith('-')) lines.push(at++);
    else if (!line.startsWith('\\')) at++;
  }
  return lines;
}
