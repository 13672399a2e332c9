import type { Octokit } from '@octokit/rest';
import { ForgeError, InputError } from '../domain/errors.ts';
import type { IssueComments, IssueRef, Reaction } from '../domain/ports/forge.ts';
import type { AppIdentity } from './installations.ts';
import { findIssue } from './issue-reader.ts';
import { repeatable } from './patient-requests.ts';

/** GitHub refuses more than 65,536 characters. Reports are cut well below; this holds where something was added. */
const MOST_CHARACTERS = 65_000;
const ATTEMPTS = 3;

interface OwnComment {
  id: number;
  url: string;
  body: string;
}
interface Place {
  octokit: Octokit;
  issue: IssueRef;
  /** The App's comments there, oldest first. */
  own(): Promise<OwnComment[]>;
}

/**
 * Comments of the App on one issue, found again by a marker that no reader sees. Only comments by the App's own user
 * count, because anyone can copy a marker.
 */
export function createIssueComments(
  octokitFor: (issue: IssueRef) => Octokit,
  identity: () => Promise<AppIdentity>,
): IssueComments {
  const oneByOne = createTurns();
  const placeOf = (issue: IssueRef): Place => {
    const octokit = octokitFor(issue);
    return { octokit, issue, own: async () => ownComments(octokit, issue, (await identity()).bot.id) };
  };
  return {
    comment: (issue, marker, body) =>
      oneByOne(issue, () => unlessGone(placeOf(issue), (place) => put(place, markerOf(marker), body))),
    foldComments: async (issue, prefix, keep, summary) => {
      const work = (place: Place) => fold(place, prefix, markerOf(keep), summary);
      return (await oneByOne(issue, () => unlessGone(placeOf(issue), work))) ?? 0;
    },
    react: (issue, reaction, commentId) => react(octokitFor(issue), issue, reaction, commentId),
  };
}

/** Two writes at once on one issue would both look, find nothing, and both create. */
function createTurns() {
  const running = new Map<string, Promise<unknown>>();
  return async <T>(issue: IssueRef, work: () => Promise<T>): Promise<T> => {
    const key = `${issue.owner}/${issue.repo}#${issue.number}`;
    const mine = (running.get(key) ?? Promise.resolve()).then(work, work);
    running.set(key, mine);
    try {
      return await mine;
    } finally {
      if (running.get(key) === mine) running.delete(key);
    }
  };
}

async function unlessGone<T>(place: Place, work: (place: Place) => Promise<T>): Promise<T | undefined> {
  try {
    return await work(place);
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    if (['not-found', 'gone', 'not-installed'].includes(error.failure)) return undefined;
    const locked = error.failure === 'forbidden' && (await findIssue(place.octokit, place.issue))?.locked;
    if (locked === true) return undefined;
    throw error;
  }
}

async function put(place: Place, marker: string, body: string | undefined): Promise<{ url: string } | undefined> {
  const text = body === undefined ? undefined : withMarker(marker, body);
  for (let attempt = 1; ; attempt += 1) {
    const [first, ...others] = (await place.own()).filter((comment) => comment.body.startsWith(marker));
    for (const extra of text === undefined && first !== undefined ? [first, ...others] : others)
      await remove(place, extra);
    if (text === undefined) return undefined;
    if (first !== undefined) return edit(place, first, text);
    const created = await create(place, text, attempt < ATTEMPTS);
    if (created !== undefined) return created;
  }
}

/** Undefined when nobody knows whether it was created: then the next attempt looks first. */
async function create(place: Place, body: string, mayTryAgain: boolean): Promise<{ url: string } | undefined> {
  const { owner, repo, number: issue_number } = place.issue;
  try {
    const created = await place.octokit.rest.issues.createComment({ owner, repo, issue_number, body });
    return { url: created.data.html_url };
  } catch (error) {
    if (mayTryAgain && error instanceof ForgeError && error.failure === 'unreachable') return undefined;
    throw error;
  }
}

async function edit(place: Place, comment: OwnComment, body: string): Promise<{ url: string }> {
  const { owner, repo } = place.issue;
  if (comment.body !== body) {
    await place.octokit.rest.issues.updateComment({ owner, repo, comment_id: comment.id, body });
  }
  return { url: comment.url };
}

async function remove(place: Place, comment: OwnComment): Promise<void> {
  const { owner, repo } = place.issue;
  await place.octokit.rest.issues.deleteComment({ owner, repo, comment_id: comment.id }).catch((error: unknown) => {
    if (!(error instanceof ForgeError && error.failure === 'not-found')) throw error;
  });
}

const FOLDED = '<!-- fathom:folded -->';

async function fold(place: Place, prefix: string, keep: string, summary: string): Promise<number> {
  const start = markerOf(prefix).slice(0, -END.length);
  const older = (await place.own()).filter(
    ({ body }) => body.startsWith(start) && !body.startsWith(keep) && !body.includes(FOLDED),
  );
  for (const comment of older) {
    const [marker = '', ...rest] = comment.body.split('\n');
    const folded = `<details><summary>${summary}</summary>\n\n${rest.join('\n')}\n\n</details>`;
    await edit(place, comment, withMarker(`${marker}${FOLDED}`, folded));
  }
  return older.length;
}

async function react(octokit: Octokit, issue: IssueRef, content: Reaction, comment_id?: number): Promise<void> {
  const { owner, repo, number: issue_number } = issue;
  const request = repeatable;
  if (comment_id === undefined) {
    await octokit.rest.reactions.createForIssue({ owner, repo, issue_number, content, request });
    return;
  }
  const comment = await octokit.rest.issues.getComment({ owner, repo, comment_id });
  if (!comment.data.issue_url.endsWith(`/${owner}/${repo}/issues/${issue_number}`)) {
    throw boundTo(issue, `comment ${comment_id}`);
  }
  await octokit.rest.reactions.createForIssueComment({ owner, repo, comment_id, content, request });
}

async function ownComments(octokit: Octokit, issue: IssueRef, bot: number): Promise<OwnComment[]> {
  const { owner, repo, number: issue_number } = issue;
  const asked = { owner, repo, issue_number, per_page: 100 };
  const all = await octokit.paginate(octokit.rest.issues.listComments, asked);
  return all
    .filter((comment) => comment.user?.id === bot)
    .map(({ id, html_url, body }) => ({ id, url: html_url, body: body ?? '' }));
}

const END = ' -->';

function markerOf(marker: string): string {
  if (/^[\w:./-]{1,100}$/.test(marker) && !marker.includes('--')) return `<!-- fathom:${marker}${END}`;
  const message = `${JSON.stringify(marker)} cannot mark a comment`;
  throw new InputError([{ source: 'marker', message, remedy: 'Use letters, digits and : . / _ - only.' }]);
}

function withMarker(marker: string, body: string): string {
  const room = MOST_CHARACTERS - marker.length - 1;
  if (body.length <= room) return `${marker}\n${body}`;
  const cut = body.slice(0, room - 100).toWellFormed();
  return `${marker}\n${cut.slice(0, cut.lastIndexOf('\n'))}\n\n*The rest does not fit into a comment.*`;
}

export function boundTo(issue: IssueRef, what: string): InputError {
  const message = `${what} does not belong to ${issue.owner}/${issue.repo}#${issue.number}`;
  return new InputError([{ source: 'forge', message, remedy: 'Writes are bound to the issue of the run.' }]);
}
