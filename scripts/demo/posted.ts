import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '../github-front/git-objects.ts';
import type { GitHubFront } from '../github-front/github-front.ts';
import { githubPage } from '../pictures/github-page.ts';
import { ISSUE, REPOSITORY } from './stage-github.ts';

interface PullRequest {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  url: string;
  headSha: string;
  diff: string;
}

/** What Fathom left on GitHub. */
export interface Posted {
  /** Its comments on the issue, oldest first. */
  comments: string[];
  pullRequest: PullRequest | undefined;
}

interface ListedPull {
  number: number;
  title: string;
  body: string | null;
  draft: boolean;
  html_url: string;
  head: { ref: string; sha: string };
}

/** Reads what was posted, as anybody reads it on GitHub. */
export async function readPosted(front: GitHubFront): Promise<Posted> {
  const comments = await front.admin.comments(REPOSITORY, ISSUE);
  const own = comments.filter((comment) => comment.user.login === front.bot.login).map((comment) => comment.body);
  const pulls = await front.admin.call<ListedPull[]>('GET', `/repos/${REPOSITORY}/pulls?state=open`);
  const [pull] = pulls;
  if (pull === undefined) return { comments: own, pullRequest: undefined };
  const { number, title, draft, head } = pull;
  const diff = await diffOf(front, head);
  return {
    comments: own,
    pullRequest: { number, title, body: pull.body ?? '', draft, url: pull.html_url, headSha: head.sha, diff },
  };
}

/** Keeps what was posted as files in `folder`: as Markdown, and as pages that look like GitHub's. */
export async function keepPosted(folder: string, { comments, pullRequest }: Posted): Promise<void> {
  await mkdir(folder, { recursive: true });
  const diagnosis = comments.at(-1) ?? '';
  const frame = { author: 'fathom', said: `commented on issue #${ISSUE}` };
  const files: Record<string, string> = {
    'diagnosis.md': diagnosis,
    'diagnosis.html': githubPage({ title: 'Diagnosis', markdown: diagnosis, frame }),
  };
  if (pullRequest !== undefined) Object.assign(files, pullRequestFiles(pullRequest));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), `${text.trimEnd()}\n`);
}

function pullRequestFiles({ title, body, draft, diff }: PullRequest): Record<string, string> {
  const badge = draft ? 'Draft' : 'Open';
  const frame = { author: 'fathom', said: 'wants to merge 1 commit', heading: title, badge };
  return {
    'pull-request.md': `# ${title}\n\n${body}`,
    'pull-request.html': githubPage({ title, markdown: body, frame }),
    'change.diff': diff,
  };
}

function diffOf(front: GitHubFront, head: { ref: string; sha: string }): Promise<string> {
  const range = `main...${head.ref}`;
  return git(front.gitFolder(REPOSITORY), ['diff', '--no-ext-diff', '--no-textconv', '--no-color', range]);
}
