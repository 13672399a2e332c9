import type { BytePath } from './byte-path.ts';

/** More new files than any repair has: an agent has unpacked, built or installed something. */
const NEW_FILES = 500;

/**
 * Which new folders to leave when there are too many new files: those with the most first, until few enough are left.
 * `folders` are the folders that base has; what is new directly in one of them is left only when nothing else helps.
 */
export function crowdedFolders(fresh: BytePath[], folders: Set<BytePath>, limit = NEW_FILES): BytePath[] {
  const counts = new Map<BytePath, number>();
  for (const path of fresh) {
    const folder = newFolderOf(path, folders);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  let total = fresh.length;
  const crowded: BytePath[] = [];
  for (const [folder, count] of [...counts].toSorted(fullestFirst)) {
    if (total <= limit) break;
    total -= count;
    crowded.push(folder);
  }
  return crowded;
}

const fullestFirst = ([a, many]: [BytePath, number], [b, few]: [BytePath, number]): number =>
  Number(a === '') - Number(b === '') || few - many;

/** The outermost folder of a path that base does not have; empty where base has them all. */
export function newFolderOf(path: BytePath, folders: Set<BytePath>): BytePath {
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    if (!folders.has(path.slice(0, at))) return path.slice(0, at);
  }
  return '';
}
