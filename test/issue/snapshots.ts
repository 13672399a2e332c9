import { hashOfIssue, type IssueSnapshot } from '../../src/domain/issue-snapshot.ts';

/** A snapshot of an issue with this Markdown, asked for by a label. */
export function snapshotOf(body: string, rest: Partial<Pick<IssueSnapshot, 'title' | 'comments'>> = {}): IssueSnapshot {
  const issue = { title: rest.title ?? 'It breaks', body, comments: rest.comments ?? [] };
  return { ...issue, trigger: { kind: 'label', actor: 'alice', at: '2025-03-01T10:00:00Z' }, hash: hashOfIssue(issue) };
}
