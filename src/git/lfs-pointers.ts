import type { BytePath } from './byte-path.ts';
import type { Git } from './git-command.ts';
import { type IndexChange, type IndexPlace, isAdded, isDeleted } from './index-changes.ts';
import { readBlobs } from './read-blobs.ts';

/** Pointers are smaller than this (git-lfs specification, version 1). */
const LIMITS = { limit: 1024, total: 4 * 1024 * 1024 };
const POINTER = 'version https://git-lfs.github.com/spec/v1\n';

/**
 * Changed files that base keeps in Git LFS. An agent saw a pointer in their place: whatever it wrote there would take the
 * place of the real file. Deleting one is no such trouble.
 */
export async function lfsPointers(
  git: Git,
  place: IndexPlace,
  changes: IndexChange[],
  signal: AbortSignal,
): Promise<BytePath[]> {
  const changed = changes.filter((change) => !isAdded(change) && !isDeleted(change) && change.oldId !== change.newId);
  const ids = changed.map(({ oldId }) => oldId);
  const blobs = await readBlobs(git, place, ids, LIMITS, signal);
  return changed
    .filter(({ oldId }) => blobs.get(oldId)?.toString('latin1').startsWith(POINTER) === true)
    .map(({ path }) => path);
}
