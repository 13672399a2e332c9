import type { Octokit } from '@octokit/rest';
import { z } from 'zod';
import { ForgeError } from '../domain/errors.ts';
import { closingReferences } from '../evaluation/backtest/closing-references.ts';
import type { ClosedIssue, IssueSource, MergedFix } from '../evaluation/backtest/mined.ts';

interface Repository {
  owner: string;
  repo: string;
}

const PAGE = 100;
const MOST_DIFF_CHARACTERS = 2_000_000;

/** A repository's past through GitHub's REST API, and through GraphQL for what only that tells. */
export function createGitHubSource(octokit: Octokit, { owner, repo }: Repository, since?: string): IssueSource {
  const where = { owner, repo };
  return {
    closedIssues: () => closedIssues(octokit, where, since),
    mergedFixes: () => mergedFixes(octokit, where),
    history: (issue) => history(octokit, where, issue),
    firstBody: (issue) => firstBody(octokit, where, issue),
    fix: (fix) => fixOf(octokit, where, fix),
  };
}

async function* closedIssues(octokit: Octokit, where: Repository, since?: string): AsyncGenerator<ClosedIssue> {
  const query = { ...where, state: 'closed', sort: 'created', direction: 'asc', per_page: PAGE } as const;
  const pages = octokit.paginate.iterator(octokit.rest.issues.listForRepo, { ...query, ...(since ? { since } : {}) });
  for await (const { data } of pages) {
    for (const issue of data) {
      if (issue.pull_request) continue;
      yield {
        number: issue.number,
        title: issue.title,
        body: issue.body ?? '',
        url: issue.html_url,
        createdAt: issue.created_at,
        labels: issue.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))),
        reason: issue.state_reason ?? undefined,
      };
    }
  }
}

async function mergedFixes(octokit: Octokit, where: Repository): Promise<MergedFix[]> {
  const fixes: MergedFix[] = [];
  const query = { ...where, state: 'closed', sort: 'created', direction: 'asc', per_page: PAGE } as const;
  for await (const { data } of octokit.paginate.iterator(octokit.rest.pulls.list, query)) {
    for (const pull of data) {
      const numbers = closingReferences(`${pull.title}\n${pull.body ?? ''}`, `${where.owner}/${where.repo}`);
      if (!pull.merged_at || numbers.length === 0) continue;
      const [baseSha, headSha] = [pull.base.sha, pull.head.sha];
      fixes.push({ number: pull.number, mergedAt: pull.merged_at, baseSha, headSha, fixes: numbers });
    }
  }
  return fixes;
}

async function history(octokit: Octokit, where: Repository, issue: number) {
  const events = await octokit.paginate(octokit.rest.issues.listEvents, {
    ...where,
    issue_number: issue,
    per_page: PAGE,
  });
  const renamed = events.find((event) => event.event === 'renamed');
  return {
    reopenedAt: events.filter((event) => event.event === 'reopened').map((event) => event.created_at),
    firstTitle: renamed && 'rename' in renamed ? renamed.rename.from : undefined,
  };
}

const EDITS = `query($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { issue(number: $number) { body userContentEdits(last: 1) { nodes { diff } } } }
}`;

const Edits = z.object({
  repository: z.object({
    issue: z.object({
      body: z.string(),
      userContentEdits: z.object({ nodes: z.array(z.object({ diff: z.string().nullable() })) }).nullable(),
    }),
  }),
});

/** GitHub keeps the whole text of each edit; the last in its list is the first that was written. */
async function firstBody(octokit: Octokit, where: Repository, number: number): Promise<string | undefined> {
  try {
    const { issue } = Edits.parse(await octokit.graphql(EDITS, { ...where, number })).repository;
    const oldest = issue.userContentEdits?.nodes.at(-1);
    if (oldest === undefined) return issue.body;
    return oldest.diff ?? undefined;
  } catch {
    // A host without GraphQL, or a token that may not ask it: then the text is as it stands now, and marked so.
    return undefined;
  }
}

async function fixOf(octokit: Octokit, where: Repository, fix: MergedFix) {
  const basehead = `${fix.baseSha}...${fix.headSha}`;
  try {
    const compared = await octokit.rest.repos.compareCommitsWithBasehead({ ...where, basehead, per_page: 1 });
    const format = { mediaType: { format: 'diff' } };
    const asked = await octokit.rest.repos.compareCommitsWithBasehead({ ...where, basehead, ...format });
    const diff = String(asked.data as unknown);
    if (diff.length > MOST_DIFF_CHARACTERS) return undefined;
    return { base: compared.data.merge_base_commit.sha, diff };
  } catch (error) {
    // GitHub refuses diffs that are too large for it (406), and commits that are gone (404).
    if (error instanceof ForgeError && ['unprocessable', 'not-found'].includes(error.failure)) return undefined;
    throw error;
  }
}
