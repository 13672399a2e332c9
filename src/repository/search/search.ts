import { roleOf } from '../file-kind.ts';
import { matchPath } from '../path-matching.ts';
import type { Definition, SearchResult } from '../repository.ts';
import type { SourceFiles } from '../source-files.ts';
import { shownPath, type TextFile } from '../text-file.ts';
import { ExcerptSpans } from './excerpt-span.ts';
import { counted, excerptsOf } from './excerpts.ts';
import { type FileMatches, matchesIn } from './matches.ts';
import { countMatchingLines, type RipgrepCount } from './ripgrep.ts';

/** The definitions of a file that was found. */
export type DefinitionsIn = (path: string, file: TextFile) => Promise<Definition[]>;

const MILLISECONDS = 15_000;
/** Files that are read to rank their matches. */
const READ_FILES = 400;
/** Among more files than these, those that are no sources are hardly ever shown. */
const FEW_FILES = 60;
const READ_BYTES = 48 * 1024 * 1024;
const SHOWN_FILES = 8;
const LISTED_FILES = 30;
const MAX_CHARACTERS = 24_000;
/** Excerpts in all; each file has its share, and no fewer than three. */
const EXCERPTS = 15;

/** Repository-wide literal search, whatever the case, in windows of 20 lines; definitions first, then code. */
export async function search(
  source: SourceFiles,
  query: string,
  path: string | undefined,
  definitionsIn: DefinitionsIn,
): Promise<SearchResult> {
  const lines = query.split(/\r?\n/).filter((line) => line.trim() !== '');
  const text = (lines[0] ?? '').slice(0, 500).toWellFormed();
  if (text === '' || text.includes('\0')) return nothing('Nothing to search for: give one line of literal text.');
  const within = path === undefined || path === '' ? '' : folderOrFile(source, path);
  if (within === undefined) return nothing(`There is no ${shownPath((path ?? '').slice(0, 300))} to search in.`);
  const { counts, complete } = await countMatchingLines(source.root, text, within, MILLISECONDS);
  const known = counts.filter((count) => source.has(count.path));
  const ranked = rankFiles(source, known, text);
  const notes = lines.length > 1 ? ['Only the first line was searched for; search is line by line.'] : [];
  if (!complete) notes.push('Stopped by its limits: the counts are lower bounds.');
  const lineCounts = countsOf(known, ranked);
  const shown = await show(source, ranked, definitionsIn);
  const total = [...lineCounts.values()].reduce((sum, count) => sum + count, 0);
  const found = `${counted(total, 'matching line')} in ${counted(known.length, 'file')}`;
  const title = `${JSON.stringify(text)}: ${found}${shown.marked < total ? `; ${shown.marked} shown, marked ">"` : ''}`;
  return {
    text: [title, ...notes, ...shown.blocks, ...alsoIn(lineCounts, ranked, shown.paths)].join('\n'),
    files: known.length,
    matches: total,
    shownFiles: shown.paths.size,
    complete,
    shown: shown.spans,
  };
}

function folderOrFile(source: SourceFiles, path: string): string | undefined {
  const match = matchPath(source, path);
  return match.kind === 'file' || match.kind === 'folder' ? match.path : undefined;
}

const nothing = (text: string): SearchResult => ({
  text,
  files: 0,
  matches: 0,
  shownFiles: 0,
  complete: true,
  shown: [],
});

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
    if (file.kind !== 'text') continue;
    const byKind = roleOf(path) === 'source' || files.length <= FEW_FILES;
    read.push(matchesIn(path, file, text, byKind));
  }
  const best = (file: FileMatches): number => file.matches[0]?.rank ?? 9;
  return read.sort((a, b) => best(a) - best(b) || b.matches.length - a.matches.length || (a.path < b.path ? -1 : 1));
}

/** Matching lines by file: as read, so that what is counted is what is marked; ripgrep's for files not read. */
function countsOf(counts: RipgrepCount[], ranked: FileMatches[]): Map<string, number> {
  const lines = new Map(counts.map(({ path, lines: count }) => [path, count]));
  for (const { path, matches } of ranked) if (matches.length > 0) lines.set(path, matches.length);
  return lines;
}

interface Shown {
  blocks: string[];
  paths: Set<string>;
  marked: number;
  spans: SearchResult['shown'];
}

async function show(source: SourceFiles, ranked: FileMatches[], definitionsIn: DefinitionsIn): Promise<Shown> {
  const files = ranked.filter(({ matches }) => matches.length > 0).slice(0, SHOWN_FILES);
  const excerpts = Math.max(3, Math.floor(EXCERPTS / files.length));
  const blocks: string[] = [];
  const paths = new Set<string>();
  const shown: SearchResult['shown'] = [];
  let marked = 0;
  let left = MAX_CHARACTERS;
  for (const one of files) {
    const file = source.text(one.path);
    if (file.kind !== 'text') continue;
    const spans = new ExcerptSpans(one.path, file, await definitionsIn(one.path, file));
    const share = Math.max(left / 2, MAX_CHARACTERS / files.length);
    const block = excerptsOf(one, file.lines, spans, { excerpts, characters: Math.min(left, share) });
    if (paths.size > 0 && block.characters > left) break;
    blocks.push('', block.text);
    paths.add(one.path);
    shown.push(...block.spans.map((span) => ({ path: one.path, ...span })));
    marked += block.marked;
    left -= block.characters;
  }
  return { blocks, paths, marked, spans: shown };
}

function alsoIn(counts: Map<string, number>, ranked: FileMatches[], shown: Set<string>): string[] {
  const order = [...new Set([...ranked.map((file) => file.path), ...counts.keys()])].filter((path) => !shown.has(path));
  if (order.length === 0) return [];
  const names = order.slice(0, LISTED_FILES).map((path) => `  ${shownPath(path.slice(0, 300))} (${counts.get(path)})`);
  const rest = order.slice(LISTED_FILES);
  const lines = rest.reduce((sum, path) => sum + (counts.get(path) ?? 0), 0);
  const more = `  … +${counted(rest.length, 'more file')} with ${counted(lines, 'matching line')}`;
  return ['', 'Also in (matching lines, not shown):', ...names, ...(rest.length > 0 ? [more] : [])];
}
