import type { Octokit } from '@octokit/rest';
import { ForgeError } from '../domain/errors.ts';
import { hashOfIssue, type IssueSnapshot, type SnapshotComment } from '../domain/issue-snapshot.ts';
import type { Forge, IssueRef, IssueState } from '../domain/ports/forge.ts';
import { mayWrite, permissionOf } from './permission.ts';
import { commandOf } from './webhooks/command.ts';

const MOST_COMMENTS = 1_000;
const MOST_EVENTS = 3_000;
/** Asking what each commenter may do costs a request. Whoever comes after so many is not read. */
const MOST_COMMENTERS = 50;

/** Takes secrets out of a text. */
export type Redact = (text: string) => Promise<string>;

type ApiIssue = Awaited<ReturnType<Octokit['rest']['issues']['get']>>['data'];
type ApiComment = Awaited<ReturnType<Octokit['rest']['issues']['listComments']>>['data'][number];

/** Undefined when the issue was deleted, moved to another repository, or is out of the App's reach. */
export async function findIssue(octokit: Octokit, issue: IssueRef): Promise<ApiIssue | undefined> {
  const { owner, repo, number } = issue;
  try {
    return (await octokit.rest.issues.get({ owner, repo, issue_number: number })).data;
  } catch (error) {
    if (error instanceof ForgeError && ['not-found', 'gone', 'not-installed'].includes(error.failure)) return undefined;
    throw error;
  }
}

export async function issueState(
  octokit: Octokit,
  issue: IssueRef,
  trigger: IssueSnapshot['trigger'] | undefined,
  redact: Redact,
): Promise<IssueState | undefined> {
  const found = await findIssue(octokit, issue);
  if (found === undefined) return undefined;
  const comments = await readableComments(octokit, issue, found, trigger);
  return {
    open: found.state === 'open',
    locked: found.locked,
    isPullRequest: found.pull_request !== undefined,
    labels: found.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))),
    hash: hashOfIssue(await cleaned({ title: found.title, body: found.body ?? '', comments }, redact)),
  };
}

type IssueText = Pick<IssueSnapshot, 'title' | 'body' | 'comments'>;

/** Secrets that somebody wrote into an issue go no further. Equal texts stay equal, so that their hashes do. */
async function cleaned({ title, body, comments }: IssueText, redact: Redact): Promise<IssueText> {
  return {
    title: await redact(title),
    body: await redact(body),
    comments: await Promise.all(comments.map(async (one) => ({ ...one, body: await redact(one.body) }))),
  };
}

/** The text is the event's, whatever the issue says by now; author and comments have to be asked for. */
export async function takeSnapshot(
  octokit: Octokit,
  issue: IssueRef,
  trigger: IssueSnapshot['trigger'],
  text: { title: string; body: string },
  redact: Redact,
): Promise<IssueSnapshot> {
  const found = await findIssue(octokit, issue);
  const comments = found === undefined ? [] : await readableComments(octokit, issue, found, trigger);
  const snapshot = await cleaned({ title: text.title, body: text.body, comments }, redact);
  return {
    ...snapshot,
    ...(found?.user && { author: found.user.login }),
    number: issue.number,
    ...(found && { url: found.html_url }),
    trigger,
    hash: hashOfIssue(snapshot),
  };
}

/**
 * Comments that a run may read: written before the trigger and not changed since, by the issue's author or by a person
 * who may write to the repository. What was edited later may say anything, and its old text is not to be had.
 */
async function readableComments(
  octokit: Octokit,
  issue: IssueRef,
  about: ApiIssue,
  trigger: IssueSnapshot['trigger'] | undefined,
): Promise<SnapshotComment[]> {
  const until = trigger === undefined ? Number.POSITIVE_INFINITY : Date.parse(trigger.at);
  const all = about.comments === 0 ? [] : await listComments(octokit, issue);
  const before = all.filter((entry) => Date.parse(entry.created_at) < until && Date.parse(entry.updated_at) < until);
  const byPeople = before.filter((entry) => entry.user?.type === 'User' && commandOf(entry.body ?? '') === undefined);
  const trusted = await trustedAuthors(octokit, issue, about.user?.id, byPeople);
  return byPeople
    .filter((entry) => trusted.has(entry.user?.id ?? 0))
    .map((entry) => ({
      author: entry.user?.login ?? '',
      body: entry.body ?? '',
      createdAt: new Date(entry.created_at).toISOString(),
    }));
}

async function listComments(octokit: Octokit, issue: IssueRef): Promise<ApiComment[]> {
  const { owner, repo, number: issue_number } = issue;
  const all: ApiComment[] = [];
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    owner,
    repo,
    issue_number,
    per_page: 100,
  });
  for await (const page of pages) {
    all.push(...page.data);
    if (all.length >= MOST_COMMENTS) break;
  }
  return all;
}

async function trustedAuthors(
  octokit: Octokit,
  issue: IssueRef,
  reporter: number | undefined,
  comments: ApiComment[],
): Promise<Set<number>> {
  const logins = new Map(comments.map((entry) => [entry.user?.id ?? 0, entry.user?.login ?? '']));
  const trusted = new Set<number>();
  for (const [id, login] of [...logins].slice(0, MOST_COMMENTERS)) {
    if (id === reporter || mayWrite(await permissionOf(octokit, issue, login))) trusted.add(id);
  }
  return trusted;
}

/** A label webhook tells neither the event's id nor its time; the issue's list of events does. */
export async function findLabelEvent(
  octokit: Octokit,
  issue: IssueRef,
  event: Parameters<Forge['labelEvent']>[1],
): ReturnType<Forge['labelEvent']> {
  const { owner, repo, number: issue_number } = issue;
  const same = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase();
  let found: { id: string; at: string } | undefined;
  let seen = 0;
  const asked = { owner, repo, issue_number, per_page: 100 };
  for await (const page of octokit.paginate.iterator(octokit.rest.issues.listEvents, asked)) {
    for (const entry of page.data) {
      const labeled = entry.event === 'labeled' && 'label' in entry && same(entry.label?.name ?? '', event.label);
      const inTime = Date.parse(entry.created_at) <= Date.parse(event.until);
      if (!labeled || !inTime || !same(entry.actor?.login, event.actor)) continue;
      found = { id: String(entry.id), at: new Date(entry.created_at).toISOString() };
    }
    seen += page.data.length;
    if (seen >= MOST_EVENTS) break;
  }
  return found;
}
