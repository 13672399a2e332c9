import { type FileRole, roleOf, testFolderOf } from './file-kind.ts';
import type { SourceFiles } from './source-files.ts';
import { shownPath } from './text-file.ts';

const TEST_FOLDERS = 5;

/** What a tree of source files does not list: how many files of each kind, and where the tests are. One or two lines. */
export function unlisted(source: SourceFiles): string[] {
  const kinds = new Map<FileRole, number>();
  const testFolders = new Map<string, number>();
  for (const file of source.sizes.keys()) {
    const role = roleOf(file);
    if (role !== 'source') count(kinds, role);
    if (role === 'test') count(testFolders, testFolderOf(file));
  }
  const words = byCount(kinds).map(([role, files]) => `${files} ${role}`);
  if (source.links.size > 0) words.push(`${source.links.size} link${source.links.size === 1 ? '' : 's'}`);
  const lines = words.length > 0 ? [`Not listed, but open to search and view: ${words.join(', ')}.`] : [];
  return testFolders.size > 0 ? [...lines, `Tests: ${placesOf(testFolders)}.`] : lines;
}

function placesOf(folders: Map<string, number>): string {
  const all = byCount(folders);
  const named = all
    .slice(0, TEST_FOLDERS)
    .map(([folder, files]) => `${shownPath(folder.slice(0, 200) || './')} ${files}`);
  const rest = all.slice(TEST_FOLDERS);
  const files = rest.reduce((sum, [, inside]) => sum + inside, 0);
  if (rest.length > 0) named.push(`${rest.length} more folders ${files}`);
  return named.join(', ');
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const byCount = <K>(counts: Map<K, number>): [K, number][] =>
  [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
