import { createHash } from 'node:crypto';
import { z } from 'zod';

export const SnapshotComment = z.object({
  author: z.string(),
  body: z.string(),
  createdAt: z.iso.datetime(),
});
export type SnapshotComment = z.infer<typeof SnapshotComment>;

/** Who asked for the run and what let them: a label, a command, or the person at the terminal. */
export const Trigger = z.object({
  kind: z.enum(['label', 'command', 'terminal']),
  actor: z.string(),
  /** GitHub's id of the label event or of the comment; absent at the terminal. */
  eventId: z.string().optional(),
  at: z.iso.datetime(),
});
export type Trigger = z.infer<typeof Trigger>;

/** The issue as its Markdown stood when the run was asked for. The only issue text that a stage may read. */
export const IssueSnapshot = z.object({
  title: z.string(),
  body: z.string(),
  author: z.string().optional(),
  comments: z.array(SnapshotComment),
  number: z.int().positive().optional(),
  url: z.url().optional(),
  trigger: Trigger,
  hash: z.string(),
});
export type IssueSnapshot = z.infer<typeof IssueSnapshot>;

/** SHA-256, in hex, over title, body and comments: equal texts have equal hashes whoever asked. */
export function hashOfIssue(issue: Pick<IssueSnapshot, 'title' | 'body' | 'comments'>): string {
  const comments = issue.comments.map((comment) => [comment.author, comment.createdAt, comment.body]);
  return createHash('sha256')
    .update(JSON.stringify([issue.title, issue.body, comments]))
    .digest('hex');
}

/** A piece of the Markdown that a reader of the page could never have seen. */
export const HiddenFragment = z.object({
  kind: z.string(),
  where: z.string(),
  characters: z.int().nonnegative(),
  /** Escaped and shortened so that it can be shown. */
  preview: z.string(),
});
export type HiddenFragment = z.infer<typeof HiddenFragment>;

/** What a person would see of the snapshot, and what was hidden in it. */
export const RenderedIssue = z.object({
  title: z.string(),
  text: z.string(),
  hidden: z.array(HiddenFragment),
});
export type RenderedIssue = z.infer<typeof RenderedIssue>;
