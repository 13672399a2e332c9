import { isUtf8 } from 'node:buffer';

/** A path inside a repository, each character one byte: names on a disk are bytes and need not be UTF-8. */
export type BytePath = string;

export const bytesOf = (path: BytePath): Buffer => Buffer.from(path, 'latin1');

/** The path as text, or undefined where its bytes are not UTF-8. */
export function textOf(path: BytePath): string | undefined {
  const bytes = bytesOf(path);
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

const SHOWN_LENGTH = 300;

/** Safe to print: quotes and escapes whatever could break a line or a terminal. */
export function shownPath(path: BytePath): string {
  if (path.length > SHOWN_LENGTH) return `${shownPath(path.slice(0, SHOWN_LENGTH - 1))}…`;
  const text = textOf(path);
  if (text === undefined) return JSON.stringify(path);
  return /[\p{C}\p{Zl}\p{Zp}"\\`]/u.test(text) ? JSON.stringify(text) : text;
}

/** At most `limit` names, and how many more there are. */
export function shownPaths(paths: BytePath[], limit = 5): string {
  const rest = paths.length - limit;
  const names = paths.slice(0, limit).map(shownPath).join(', ');
  return rest > 0 ? `${names} and ${rest} more` : names;
}

/** Records of NUL-terminated output. */
export function records(output: Buffer): BytePath[] {
  const parts = output.toString('latin1').split('\0');
  parts.pop();
  return parts;
}

/** NUL-terminated input for git's `-z --stdin`. */
export const recordsInput = (lines: string[]): Buffer => bytesOf(lines.map((line) => `${line}\0`).join(''));
