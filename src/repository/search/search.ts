import { roleOf } from '../file-kind.ts';
import { matchPath } from '../path-matching.ts';
import type { SearchResult } from '../repository.ts';
import type { SourceFiles } from '../source-files.ts';
import { shownPath } from '../text-file.ts';
import { type FileMatches, matchesIn, windowsOf } from './matches.ts';
import { countMatches, type RipgrepCount } from './ripgrep.ts';

const MILLISECONDS = 15_000;
/** Files that are read to rank their matches. */
const READ_FILES = 400;
const READ_BYTES = 48 * 1024 * 1024;
const SHOWN_FILES = 8;
const LISTED_FILES = 30;
const MAX_CHARACTERS = 24_000;

/** Repository-wide literal search, whatever the case, in windows of 20 lines; definitions first, then code. */
export async function search(source: SourceFiles, query: string, path: string | undefined): Promise<SearchResult> {
  const lines = query.split(/\r?\n/).filter((line) => line.trim() !== '');
  const text = (lines[0] ?? '').slice(0, 500).toWellFormed();
  if (text === '' || text.includes('\0')) return nothing('Nothing to search for: give one line of literal text.');
  const within = path === undefined || path === '' ? '' : folderOrFile(source, path);
  if (within === undefined) return nothing(`There is no ${shownPath((path ?? '').slice(0, 300))} to search in.`);
  const { counts, complete } = await countMatches(source.root, text, within, MILLISECONDS);
  const known = counts.filter((count) => source.has(count.path));
  const ranked = rankFiles(source, known, text);
  const notes = lines.length > 1 ? ['Only the first line was searched for; search is line by line.'] : [];
  if (!complete) notes.push('Stopped by its limits: the counts are lower bounds.');
  return present(text, known, ranked, notes, complete);
}

function folderOrFile(source: SourceFiles, path: string): string | undefined {
  const match = matchPath(source, path);
  return match.kind === 'file' || match.kind === 'folder' ? match.path : undefined;
}

const nothing = (text: string): SearchResult => ({ text, files: 0, matches: 0, shownFiles: 0, complete: true });

const ROLE_ORDER = ['source', 'configuration', 'example', 'test', 'documentation', 'data', 'vendored', 'build output'];

/** Reads the files most likely to matter and orders them by their best match. */
function rankFiles(source: SourceFiles, counts: RipgrepCount[], text: string): FileMatches[] {
  const order = (file: RipgrepCount): number => ROLE_ORDER.indexOf(roleOf(file.path));
  const files = [...counts].sort((a, b) => order(a) - order(b) || (a.path < b.path ? -1 : 1)).slice(0, READ_FILES);
  const read: FileMatches[] = [];
  let bytes = 0;
  for (const { path } of files) {
    bytes += source.sizes.get(path) ?? 0;
    if (bytes > READ_BYTES) break;
    const file = source.text(path);
    if (file.kind === 'text') read.push(matchesIn(path, file, text));
  }
  const best = (file: FileMatches): number => file.matches[0]?.rank ?? 9;
  return read.sort((a, b) => best(a) - best(b) || b.matches.length - a.matches.length || (a.path < b.path ? -1 : 1));
}

function present(
  text: string,
  counts: RipgrepCount[],
  ranked: FileMatches[],
  notes: string[],
  complete: boolean,
): SearchResult {
  const total = counts.reduce((sum, count) => sum + count.matches, 0);
  const title = `${JSON.stringify(text)}: ${total} matches in ${counts.length} files`;
  const body: string[] = [];
  let characters = 0;
  let shownFiles = 0;
  for (const file of ranked.slice(0, SHOWN_FILES)) {
    const block = windowsOf(file);
    if (block === '') continue;
    if (shownFiles > 0 && characters + block.length > MAX_CHARACTERS) break;
    body.push('', block.slice(0, MAX_CHARACTERS));
    characters += block.length;
    shownFiles++;
  }
  const shown = new Set(ranked.slice(0, shownFiles).map((file) => file.path));
  return {
    text: [title, ...notes, ...body, ...alsoIn(counts, ranked, shown)].join('\n'),
    files: counts.length,
    matches: total,
    shownFiles,
    complete,
  };
}

function alsoIn(counts: RipgrepCount[], ranked: FileMatches[], shown: Set<string>): string[] {
  const matches = new Map(counts.map((count) => [count.path, count.matches]));
  const order = [...new Set([...ranked.map((file) => file.path), ...matches.keys()])].filter(
    (path) => !shown.has(path),
  );
  if (order.length === 0) return [];
  const names = order.slice(0, LISTED_FILES).map((path) => `  ${shownPath(path.slice(0, 300))} (${matches.get(path)})`);
  const more = order.length - names.length;
  return ['', 'Also in:', ...names, ...(more > 0 ? [`  … +${more} more files`] : [])];
}
