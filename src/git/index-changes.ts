import type { ChangedFile } from '../domain/patch.ts';
import { type BytePath, records, shownPath, textOf } from './byte-path.ts';
import type { Git } from './git-command.ts';

/** An index of ours, its objects, and the git directory behind it. */
export interface IndexPlace {
  gitDir: string;
  indexFile: string;
  objects: string;
}

/** One difference between base and an index. Modes as `100644`; zeros where there is no file. */
export interface IndexChange {
  path: BytePath;
  previousPath?: BytePath;
  oldMode: string;
  newMode: string;
  oldId: string;
  newId: string;
  status: string;
}

export interface LineCounts {
  added: number;
  removed: number;
  binary: boolean;
}

const NO_FILE = '000000';
export const isAdded = (change: IndexChange): boolean => change.oldMode === NO_FILE;
export const isDeleted = (change: IndexChange): boolean => change.newMode === NO_FILE;
export const isLink = (change: IndexChange): boolean => change.newMode === '120000';

export const RENAMES = ['-M', '-l1000'];
export const NO_RENAMES = ['--no-renames'];

/** What differs between `base` and the index, in git's order. */
export async function indexChanges(
  git: Git,
  place: IndexPlace,
  base: string,
  renames: string[],
  signal: AbortSignal,
): Promise<IndexChange[]> {
  const args = ['diff-index', '--cached', '--raw', '--no-abbrev', '-z', ...renames, base];
  const fields = records((await git({ ...place, args }, signal)).stdout);
  const changes: IndexChange[] = [];
  for (let at = 0; at < fields.length; ) {
    const [oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = (fields[at] ?? '').slice(1).split(' ');
    const moved = status.startsWith('R') || status.startsWith('C');
    const change = { path: fields[at + (moved ? 2 : 1)] ?? '', oldMode, newMode, oldId, newId, status };
    changes.push(moved ? { ...change, previousPath: fields[at + 1] ?? '' } : change);
    at += moved ? 3 : 2;
  }
  return changes;
}

/** Lines added and removed, by path. */
export async function lineCounts(
  git: Git,
  place: IndexPlace,
  base: string,
  renames: string[],
  signal: AbortSignal,
): Promise<Map<BytePath, LineCounts>> {
  const args = ['diff-index', '--cached', '--numstat', '-z', ...renames, base];
  const fields = records((await git({ ...place, args }, signal)).stdout);
  const counts = new Map<BytePath, LineCounts>();
  for (let at = 0; at < fields.length; ) {
    const [added = '', removed = '', ...name] = (fields[at] ?? '').split('\t');
    const moved = name.join('\t') === '';
    const path = moved ? (fields[at + 2] ?? '') : name.join('\t');
    counts.set(path, { added: Number(added) || 0, removed: Number(removed) || 0, binary: added === '-' });
    at += moved ? 3 : 1;
  }
  return counts;
}

/** The domain's view of a change. A name that is not UTF-8 is shown escaped. */
export function changedFile(
  change: IndexChange,
  kind: ChangedFile['kind'],
  counts: LineCounts | undefined,
): ChangedFile {
  const shown = (path: BytePath) => textOf(path) ?? shownPath(path);
  return {
    path: shown(change.path),
    ...(change.previousPath === undefined ? {} : { previousPath: shown(change.previousPath) }),
    status: statusOf(change),
    kind,
    added: counts?.added ?? 0,
    removed: counts?.removed ?? 0,
    binary: counts?.binary ?? false,
    ...(isDeleted(change) ? {} : { mode: change.newMode }),
  };
}

function statusOf(change: IndexChange): ChangedFile['status'] {
  if (change.previousPath !== undefined) return 'renamed';
  if (isAdded(change)) return 'added';
  if (isDeleted(change)) return 'deleted';
  return change.oldId === change.newId ? 'mode-changed' : 'modified';
}
