import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';

export const NAME = 'acme/dates';

/** What the past of one issue is like. */
type Past =
  | 'fixed'
  | 'untested'
  | 'duplicate'
  | 'unlinked'
  | 'reopened'
  | 'several'
  | 'tests only'
  | 'not planned'
  | 'two at once'
  | 'open';

/** Thirty issues, in the order in which they were opened. */
export const PAST: Past[] = [
  ...['fixed', 'duplicate', 'fixed', 'unlinked', 'untested', 'fixed', 'reopened', 'fixed', 'not planned', 'fixed'],
  ...['tests only', 'fixed', 'open', 'duplicate', 'untested', 'fixed', 'several', 'unlinked', 'fixed', 'reopened'],
  ...['fixed', 'two at once', 'two at once', 'fixed', 'open', 'untested', 'unlinked', 'fixed', 'duplicate', 'fixed'],
] as Past[];

/** A repository at the emulated GitHub whose issues were dealt with as `PAST` says. */
export async function minedRepository(): Promise<GitHubFront> {
  const files = { 'src/calendar.py': 'def leap(year):\n    return year % 4 == 0\n', 'tests/test_calendar.py': '\n' };
  const front = await startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'dates',
        content: { commits: [{ message: 'Begin', files }] },
        labels: ['duplicate'],
        issues: PAST.map((past, index) => ({ title: `Issue ${index + 1}`, body: `It is ${past}.`, author: 'alice' })),
      },
    ],
    users: ['alice'],
  });
  for (const [index, past] of PAST.entries()) await live(front, index + 1, past);
  return front;
}

async function live(front: GitHubFront, issue: number, past: Past): Promise<void> {
  const { admin } = front;
  switch (past) {
    case 'open':
      return;
    case 'duplicate':
      await admin.label(NAME, issue, 'duplicate');
      return admin.close(NAME, issue);
    case 'unlinked':
      return admin.close(NAME, issue);
    case 'not planned':
      await admin.call('PATCH', `/repos/${NAME}/issues/${issue}`, { state: 'closed', state_reason: 'not_planned' });
      return;
    case 'reopened':
      await fix(front, issue, `Fixes #${issue}`);
      await admin.call('PATCH', `/repos/${NAME}/issues/${issue}`, { state: 'open' });
      return admin.close(NAME, issue);
    case 'several':
      await fix(front, issue, `Fixes #${issue}`);
      return fix(front, issue, `Really fixes #${issue}`, { suffix: '-again' });
    case 'two at once':
      return PAST[issue - 2] === 'two at once' ? undefined : fix(front, issue, `Fixes #${issue}, fixes #${issue + 1}`);
    default:
      return fix(front, issue, `Closes: #${issue}`, { source: past !== 'tests only', test: past !== 'untested' });
  }
}

async function fix(
  { admin }: GitHubFront,
  issue: number,
  body: string,
  { source = true, test = true, suffix = '' } = {},
): Promise<void> {
  const repository = `/repos/${NAME}`;
  const branch = `fix-${issue}${suffix}`;
  const main = await admin.call<{ object: { sha: string } }>('GET', `${repository}/git/ref/heads/main`);
  await admin.call('POST', `${repository}/git/refs`, { ref: `refs/heads/${branch}`, sha: main.object.sha });
  const write = (path: string, text: string) => put(admin, branch, path, text);
  if (source) await write('src/calendar.py', `def leap(year):\n    return year % 4 == 0  # ${issue}${suffix}\n`);
  if (test) await write('tests/test_calendar.py', `# ${issue}${suffix}\n`);
  const pull = await admin.call<{ number: number }>('POST', `${repository}/pulls`, {
    ...{ title: `Repair ${issue}`, body, head: branch, base: 'main' },
  });
  await admin.call('PUT', `${repository}/pulls/${pull.number}/merge`, {});
}

async function put(admin: GitHubFront['admin'], branch: string, path: string, text: string): Promise<void> {
  const at = `/repos/${NAME}/contents/${path}`;
  const { sha } = await admin.call<{ sha: string }>('GET', `${at}?ref=${branch}`);
  const content = Buffer.from(text).toString('base64');
  await admin.call('PUT', at, { message: `Change ${path}`, branch, content, sha });
}
