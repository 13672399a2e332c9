import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { type FathomError, InputError } from '../domain/errors.ts';
import { hashOfIssue, type IssueSnapshot } from '../domain/issue-snapshot.ts';

const maxCharacters = 1_000_000;

/**
 * Reads an issue from a Markdown file, or from standard input for `-`. Its first heading is the title; without one, its
 * first line is. @throws InputError when there is nothing to read, or it is no text.
 */
export async function readIssue(path: string, now: Date): Promise<IssueSnapshot> {
  const content = await readText(path);
  const source = path === '-' ? 'standard input' : path;
  if (content.includes('\0')) throw problem(source, 'is not text', 'Give the issue as Markdown.');
  if (content.trim() === '') throw problem(source, 'is empty', 'Write the title as `# Title`, then the report.');
  if (content.length > maxCharacters) throw problem(source, 'is longer than 1,000,000 characters', 'Shorten it.');
  const { title, body } = splitTitle(content.trim());
  const at = now.toISOString();
  const issue = { title, body, comments: [] };
  return { ...issue, trigger: { kind: 'terminal', actor: actor(), at }, hash: hashOfIssue(issue) };
}

async function readText(path: string): Promise<string> {
  if (path === '-') return text(process.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EISDIR') throw problem(path, 'is a folder', 'Give a Markdown file with --issue.', cause);
    throw problem(path, 'cannot be read', 'Give a Markdown file with --issue, or `-` for standard input.', cause);
  }
}

function splitTitle(content: string): { title: string; body: string } {
  const lineEnd = content.indexOf('\n');
  const first = lineEnd < 0 ? content : content.slice(0, lineEnd);
  const body = lineEnd < 0 ? '' : content.slice(lineEnd + 1).trim();
  return {
    title: first
      .replace(/^#{1,6} /, '')
      .trim()
      .slice(0, 300),
    body,
  };
}

function actor(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as in some containers.
    return 'terminal';
  }
}

const problem = (source: string, message: string, remedy: string, cause?: unknown): FathomError =>
  new InputError([{ source, message, remedy }], { cause });
