import type { Location } from '../finding.ts';
import type { IssueSnapshot } from '../issue-snapshot.ts';
import type { Patch } from '../patch.ts';

export interface RepositoryRef {
  owner: string;
  repo: string;
}

export interface IssueRef extends RepositoryRef {
  number: number;
}

export type Permission = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

export interface IssueState {
  open: boolean;
  locked: boolean;
  isPullRequest: boolean;
  labels: string[];
  /** Hash of the issue as it stands now, comparable with the snapshot's. */
  hash: string;
}

/** Who is at work on an issue already. */
export interface OpenWork {
  /** People to whom it is assigned; no bots. */
  assignees: string[];
  /** Open pull requests that would close it. */
  pullRequests: number[];
  /** Branches that are linked to it and have no such pull request. */
  branches: string[];
}

/** An open pull request, and a file that it changes at one of the places that were asked for. */
export interface PullRequestEdit {
  number: number;
  path: string;
}

export interface Proposal {
  issue: IssueRef;
  /** `fathom/issue-N` and nothing else. */
  branch: string;
  baseBranch: string;
  baseSha: string;
  patch: Patch;
  title: string;
  body: string;
  commitMessage: string;
  requestedBy: string;
  /** The label that asked for it; taken off, nothing is proposed any more. */
  label?: string | undefined;
}

export type ProposalEnd =
  | { kind: 'opened' | 'updated'; number: number; url: string; draft: boolean }
  | { kind: 'refused'; reason: string };

export type Reaction = '+1' | '-1' | 'laugh' | 'confused' | 'heart' | 'hooray' | 'rocket' | 'eyes';

/** What is written on an issue. Every write is bound to the issue that it was made for, and looks before it writes. */
export interface IssueComments {
  /**
   * Creates or edits the one comment with this marker on the issue; `undefined` body deletes it. Undefined where
   * nothing can be written any more: the issue or the App's access to it is gone, or the conversation is locked.
   * @throws ForgeError
   */
  comment(issue: IssueRef, marker: string, body: string | undefined): Promise<{ url: string } | undefined>;
  /** Folds away the own comments whose marker starts with `prefix`, but the one marked `keep`; says how many. */
  foldComments(issue: IssueRef, prefix: string, keep: string, summary: string): Promise<number>;
  /** Reacts to the issue, or to `commentId` on it. Reacting twice is one reaction. */
  react(issue: IssueRef, reaction: Reaction, commentId?: number): Promise<void>;
}

/** The code host, as a run on an issue sees it. @throws ForgeError from every method when it failed for good. */
export interface Forge extends IssueComments {
  /** What the host itself says that `actor` may do; `none` for who is unknown there. */
  permission(issue: IssueRef, actor: string): Promise<Permission>;
  /**
   * Undefined once the issue is gone from there. With the snapshot's trigger, `hash` covers the comments that the
   * snapshot could have held, so that it differs exactly when one of them or the text was changed.
   */
  issueState(issue: IssueRef, trigger?: IssueSnapshot['trigger']): Promise<IssueState | undefined>;
  /** The issue with the text that the event carried and the comments from before it that may be read. */
  snapshot(
    issue: IssueRef,
    trigger: IssueSnapshot['trigger'],
    body: { title: string; body: string },
  ): Promise<IssueSnapshot>;
  /** Id and time of the last event that put `label` on the issue by `actor`, not after `until` (ISO). */
  labelEvent(
    issue: IssueRef,
    event: { label: string; actor: string; until: string },
  ): Promise<{ id: string; at: string } | undefined>;
  /** Who is at work on the issue; the App's own branch and pull request for it do not count. */
  openWork(issue: IssueRef): Promise<OpenWork>;
  /** Open pull requests, but the issue's own, that change lines of these places. Lines are those before their change. */
  pullRequestsAt(issue: IssueRef, places: Location[]): Promise<PullRequestEdit[]>;
  propose(proposal: Proposal, signal: AbortSignal): Promise<ProposalEnd>;
  /** Removes the issue's own branch where an attempt that was interrupted left it without a pull request; says whether. */
  withdraw(issue: IssueRef): Promise<boolean>;
  /** A header for git over HTTP, with a token made for this call that can read this repository and nothing else. */
  cloneCredential(issue: RepositoryRef): Promise<{ header: string; expiresAt: string }>;
}

export interface LabelSpec {
  name: string;
  /** Six hex digits. */
  color: string;
  description: string;
}

/** The code host, as an operator and the configuration see a repository. @throws ForgeError from every method. */
export interface ForgeRepositories {
  repository(ref: RepositoryRef): Promise<{ defaultBranch: string; private: boolean; cloneUrl: string }>;
  /** The commit at which a branch stands; undefined where there is no such branch. */
  branchHead(ref: RepositoryRef, branch: string): Promise<string | undefined>;
  /** Bytes of a file at a revision; undefined where there is none, `too-large` above `limit`. Follows no link. */
  readFile(
    ref: RepositoryRef,
    path: string,
    revision: string,
    limit: number,
  ): Promise<Buffer | 'too-large' | undefined>;
  /** Names of the labels that exist there. */
  labels(ref: RepositoryRef): Promise<string[]>;
  /** Creates the labels that are missing; says which. Only on an operator's request. */
  createLabels(ref: RepositoryRef, labels: LabelSpec[]): Promise<string[]>;
  /** What the App may do there by its installation: permission by name, as `{ issues: 'write' }`. */
  grantedPermissions(ref: RepositoryRef): Promise<Record<string, string>>;
}
