import { addedLines } from '../domain/added-lines.ts';
import type { ChangedFile, Patch, StrayEdit } from '../domain/patch.ts';
import { isProse } from './left-debugging.ts';

/** What leads to places in the code: words of the issue and the findings, paths of findings and citations. */
export interface Leads {
  text: string;
  paths: string[];
}

/** Shorter names stand in any text by chance. */
const TELLING = 4;

/**
 * Source files that nothing leads to: neither the issue nor the diagnosis names them or a file of their folder, and no
 * other edit speaks of them. Without any place to start from, none is called so.
 */
export function unplacedFiles(patch: Patch, { text, paths }: Leads): StrayEdit[] {
  const edited = patch.files.filter((file) => file.kind === 'source' && !isProse(file.path));
  if (paths.length === 0 || edited.length < 2) return [];
  const folders = new Set(paths.map(folderOf));
  const added = addedLines(patch);
  const isNamed = ({ path }: ChangedFile): boolean => {
    const name = stemOf(path);
    if (name.length < TELLING) return true;
    return text.includes(name) || added.some((line) => line.path !== path && line.text.includes(name));
  };
  const isPlaced = (file: ChangedFile) =>
    file.status !== 'modified' || paths.includes(file.path) || folders.has(folderOf(file.path)) || isNamed(file);
  return edited.filter((file) => !isPlaced(file)).map(({ path }): StrayEdit => ({ kind: 'unplaced', path }));
}

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0));

/** `index` and `__init__` are named by their folder. */
function stemOf(path: string): string {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\..*$/, '');
  return /^(?:index|__init__|mod|lib|main)$/.test(stem) ? (parts.at(-2) ?? stem) : stem;
}
