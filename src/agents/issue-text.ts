import type { RenderedIssue } from '../domain/issue-snapshot.ts';

const MAX_CHARACTERS = 60_000;

/** The issue as every agent reads it: title and text, the middle of a very long one left out. */
export function issueText(issue: RenderedIssue): string {
  const text = `# ${issue.title}\n\n${issue.text}`;
  if (text.length <= MAX_CHARACTERS) return text;
  const half = MAX_CHARACTERS / 2;
  return `${text.slice(0, half)}\n\n[… ${text.length - MAX_CHARACTERS} characters left out …]\n\n${text.slice(-half)}`;
}
