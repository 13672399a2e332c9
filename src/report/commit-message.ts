import type { IssueSnapshot } from '../domain/issue-snapshot.ts';
import type { Resolution } from '../domain/patch.ts';
import { sentences } from './first-sentences.ts';
import { oneLine } from './plain-text.ts';
import { defused } from './risky-words.ts';

const SUBJECT = 72;

/** `Fix #12: the issue's title`, without anything in it that GitHub would read as a mention or a second reference. */
export function titleOf({ number, title }: IssueSnapshot, limit = 120): string {
  const start = number === undefined ? 'Fix: ' : `Fix #${number}: `;
  return start + oneLine(defused(oneLine(title, 400)), limit - start.length);
}

/** Subject of at most 72 characters, the Resolver's words wrapped at 72, and the issue that it closes. */
export function commitMessage(issue: IssueSnapshot, { report }: Resolution, run: string): string {
  const said = report ? defused(sentences(report.summary, 4, 800)) : '';
  const closing = issue.number === undefined ? '' : `Fixes #${issue.number}`;
  const parts = [
    titleOf(issue, SUBJECT),
    wrapped(said),
    `Diagnosed and repaired by Fathom, run ${oneLine(run, 60)}.`,
    closing,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let current = '';
  for (const word of oneLine(text, 2_000).split(' ')) {
    if (current !== '' && current.length + 1 + word.length > SUBJECT) {
      lines.push(current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current].join('\n');
}
