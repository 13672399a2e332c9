import type { RenderedIssue } from '../domain/issue-snapshot.ts';

const MAX_CHARACTERS = 60_000;

/** The issue as every agent reads it: its title once, then its text; the middle of a very long one is left out. */
export function issueText({ title, text }: RenderedIssue): string {
  const rest = text.startsWith(title) ? text.slice(title.length).trimStart() : text;
  const whole = `# ${title}\n\n${rest === '' ? '(The issue has no text beyond its title.)' : rest}`;
  if (whole.length <= MAX_CHARACTERS) return whole;
  const half = MAX_CHARACTERS / 2;
  return `${whole.slice(0, half)}\n\n[… ${whole.length - MAX_CHARACTERS} characters left out …]\n\n${whole.slice(-half)}`;
}
