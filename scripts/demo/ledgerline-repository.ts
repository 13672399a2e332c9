import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git } from '../github-front/git-objects.ts';

const examples = join(import.meta.dirname, '../../examples');

interface PastCommit {
  message: string;
  by: 'Ines Aalto' | 'Tomas Rehak';
  at: string;
  /** Paths below the example that came with it; the last commit brings all the others. */
  paths: string[];
}

const history: PastCommit[] = [
  {
    message: 'Dates, money and recurrence rules',
    by: 'Ines Aalto',
    at: '2025-06-10T09:12:00+02:00',
    paths: [
      'package.json',
      'package-lock.json',
      'LICENSE',
      'src/calendar',
      'src/money',
      'src/recurrence',
      'src/support/errors.js',
      'test/calendar.test.js',
      'test/money.test.js',
      'test/recurrence.test.js',
    ],
  },
  {
    message: 'Books and statements',
    by: 'Ines Aalto',
    at: '2025-07-22T16:40:00+02:00',
    paths: ['src/billing', 'src/support', 'test/book.test.js', 'test/statement.test.js', 'test/support.test.js'],
  },
  {
    message: 'Export statements as CSV, JSON and Markdown',
    by: 'Tomas Rehak',
    at: '2025-09-04T11:05:00+02:00',
    paths: ['src/exporters', 'src/index.js', 'test/exporters.test.js'],
  },
  { message: 'Document rules and exporters', by: 'Tomas Rehak', at: '2025-11-18T14:30:00+01:00', paths: ['docs'] },
  { message: 'Release 1.4.2', by: 'Ines Aalto', at: '2026-03-02T10:00:00+01:00', paths: ['.'] },
];

/**
 * Makes a git repository of the example in `folder`, with a small history that ends in exactly the example's files.
 * Authors and times are fixed, so that it has the same commits everywhere. Gives their number.
 */
export async function makeLedgerline(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  await git(folder, ['init', '-q', '-b', 'main']);
  for (const { message, by, at, paths } of history) {
    for (const path of paths) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await cp(join(examples, 'ledgerline', path), join(folder, path), { recursive: true });
    }
    await git(folder, ['add', '-A', '-f']);
    await git(folder, ['commit', '-q', '-m', message], person(by, at));
  }
  return history.length;
}

/** The issue that a user filed there: its first heading is the title. */
export async function ledgerlineIssue(): Promise<{ title: string; body: string }> {
  const text = await readFile(join(examples, 'ledgerline-issue.md'), 'utf8');
  const end = text.indexOf('\n');
  return { title: text.slice(0, end).replace(/^#\s*/, ''), body: text.slice(end).trim() };
}

function person(name: string, at: string): Record<string, string> {
  const email = `${name.split(' ')[0]?.toLowerCase()}@ledgerline.example`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: at,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: at,
  };
}
