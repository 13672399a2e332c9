import { matchPath, type PathMatch } from './path-matching.ts';
import type { FileView, LineRange } from './repository.ts';
import type { SourceFiles } from './source-files.ts';
import { shownLine, shownPath, type TextFile, unreadableBecause } from './text-file.ts';

const DEFAULT_LINES = 300;
const MAX_LINES = 800;
const MAX_CHARACTERS = 48_000;
const LINE_CHARACTERS = 600;
const LISTED = 200;

/** Shows a file by numbered lines, a folder by its names, or says why not. `imports` gives lines for the head of a file. */
export function fileView(
  source: SourceFiles,
  asked: string,
  range: LineRange | undefined,
  imports: (path: string) => string[],
): FileView {
  const match = matchPath(source, asked);
  if (match.kind === 'none') return notFound(asked, match.suggestions);
  if (match.kind === 'link') {
    return unreadable(match.path, `${shownPath(match.path)} is a symbolic link; links are not followed.`);
  }
  const note = match.exact
    ? []
    : [`There is no ${shownPath(asked.slice(0, 300))}; this is ${shownPath(match.path || './')}.`];
  if (match.kind === 'folder') return folderView(source, match.path, note);
  const file = source.text(match.path);
  const why = unreadableBecause(file);
  if (file.kind !== 'text') return unreadable(match.path, [...note, `${shownPath(match.path)} is ${why}.`].join('\n'));
  return textView(match, file, range, [...note, ...imports(match.path)]);
}

function textView(
  match: PathMatch & { path: string },
  file: TextFile & { kind: 'text' },
  asked: LineRange | undefined,
  head: string[],
): FileView {
  const total = file.lines.length;
  const wanted = clamped(asked, total);
  const body: string[] = [];
  let characters = 0;
  let last = wanted.startLine - 1;
  while (last < wanted.endLine && characters < MAX_CHARACTERS) {
    const line = `${last + 1}\t${shownLine(file.lines[last] as string, LINE_CHARACTERS)}`;
    characters += line.length + 1;
    body.push(line);
    last++;
  }
  const encoding = file.encoding === 'UTF-8' ? '' : `, ${file.encoding}`;
  const title = `${shownPath(match.path)}, lines ${wanted.startLine}-${last} of ${total}${encoding}`;
  const outside =
    asked && (asked.startLine > total || asked.endLine < asked.startLine)
      ? ['The range asked for is not in this file.']
      : [];
  const more = last < total ? [`… lines ${last + 1}-${total} not shown`] : [];
  return {
    text: [title, ...head, ...outside, '', ...body, ...more].join('\n'),
    kind: 'file',
    path: match.path,
    range: { startLine: wanted.startLine, endLine: last },
    totalLines: total,
    suggestions: [],
  };
}

/** A range inside the file and not too long. One that lies outside becomes the file's last lines. */
function clamped(asked: LineRange | undefined, total: number): LineRange {
  if (!asked) return { startLine: 1, endLine: Math.min(total, DEFAULT_LINES) };
  const whole = (value: number, otherwise: number): number => (Number.isFinite(value) ? Math.trunc(value) : otherwise);
  let startLine = Math.max(1, whole(asked.startLine, 1));
  let endLine = Math.min(total, whole(asked.endLine, total));
  if (startLine > total) startLine = Math.max(1, total - 50);
  if (endLine < startLine) endLine = Math.min(total, startLine + 50);
  return { startLine, endLine: Math.min(endLine, startLine + MAX_LINES - 1) };
}

function folderView(source: SourceFiles, path: string, note: string[]): FileView {
  const names = source.folders.get(path) ?? [];
  const lines = names.slice(0, LISTED).map((name) => {
    const size = source.sizes.get(path + name);
    return `  ${shownPath(name)}${size === undefined ? '' : ` ${size} bytes`}`;
  });
  if (names.length > LISTED) lines.push(`  … +${names.length - LISTED} more`);
  const text = [...note, `${shownPath(path || './')} is a folder with ${names.length} entries:`, ...lines].join('\n');
  return { text, kind: 'directory', path, suggestions: [] };
}

function unreadable(path: string, text: string): FileView {
  return { text, kind: 'unreadable', path, suggestions: [] };
}

function notFound(asked: string, suggestions: string[]): FileView {
  const name = shownPath(asked.slice(0, 300));
  const near = suggestions.map((path) => `  ${shownPath(path)}`);
  const text =
    near.length > 0 ? [`There is no ${name}. Did you mean:`, ...near] : [`There is no ${name}, nor a similar name.`];
  return { text: text.join('\n'), kind: 'not-found', suggestions };
}
