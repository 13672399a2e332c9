import type { IssueSnapshot } from '../issue-snapshot.ts';
import type { Patch } from '../patch.ts';

export interface IssueRef {
  owner: string;
  repo: string;
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

export interface Proposal {
  issue: IssueRef;
  branch: string;
  baseBranch: string;
  baseSha: string;
  patch: Patch;
  title: string;
  body: string;
  commitMessage: string;
  requestedBy: string;
}

export type ProposalEnd =
  | { kind: 'opened' | 'updated'; number: number; url: string; draft: boolean }
  | { kind: 'refused'; reason: string };

/** The code host. Every write is bound to the issue it was made for, and looks before it writes. */
export interface Forge {
  permission(issue: IssueRef, actor: string): Promise<Permission>;
  issueState(issue: IssueRef): Promise<IssueState | undefined>;
  snapshot(
    issue: IssueRef,
    trigger: IssueSnapshot['trigger'],
    body: { title: string; body: string },
  ): Promise<IssueSnapshot>;
  /** Creates or edits the one comment with this marker on the issue; `undefined` body deletes it. */
  comment(issue: IssueRef, marker: string, body: string | undefined): Promise<{ url: string } | undefined>;
  propose(proposal: Proposal, signal: AbortSignal): Promise<ProposalEnd>;
  cloneCredential(issue: IssueRef): Promise<{ header: string }>;
}
