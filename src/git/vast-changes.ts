import type { BytePath } from './byte-path.ts';
import type { Git } from './git-command.ts';
import { type IndexChange, type IndexPlace, isAdded, isDeleted, lineCounts, NO_RENAMES } from './index-changes.ts';

/** What all changes of a patch together may have: nobody reviews more, and everything that looks at a patch reads it whole. */
const MOST = { lines: 300_000, bytes: 64 * 1024 * 1024 };

interface Weight {
  path: BytePath;
  /** Lines that were added or removed. */
  lines: number;
  /** Of the file before and after. */
  bytes: number;
}

/**
 * The changes that a patch cannot carry because they would make it endless: the largest ones, until the rest is within
 * the limits. A tree may have thousands of files, and an agent may write 10 MB of empty lines into each.
 */
export async function vastChanges(
  git: Git,
  place: IndexPlace,
  base: string,
  changes: IndexChange[],
  signal: AbortSignal,
): Promise<BytePath[]> {
  const counts = await lineCounts(git, place, base, NO_RENAMES, signal);
  const sizes = await blobSizes(git, place, changes, signal);
  const weights = changes.map((change): Weight => {
    const { path, oldId, newId } = change;
    const { added = 0, removed = 0 } = counts.get(path) ?? {};
    const before = isAdded(change) ? 0 : (sizes.get(oldId) ?? 0);
    const after = isDeleted(change) ? 0 : (sizes.get(newId) ?? 0);
    return { path, lines: added + removed, bytes: oldId === newId ? 0 : before + after };
  });
  let [lines, bytes] = [0, 0];
  return weights
    .toSorted((a, b) => shareOf(a) - shareOf(b))
    .filter((weight) => {
      lines += weight.lines;
      bytes += weight.bytes;
      return lines > MOST.lines || bytes > MOST.bytes;
    })
    .map(({ path }) => path);
}

const shareOf = ({ lines, bytes }: Weight): number => Math.max(lines / MOST.lines, bytes / MOST.bytes);

async function blobSizes(git: Git, place: IndexPlace, changes: IndexChange[], signal: AbortSignal) {
  const ids = [...new Set(changes.flatMap(({ oldId, newId }) => [oldId, newId]))].filter((id) => /[^0]/.test(id));
  const input = Buffer.from(ids.map((id) => `${id}\n`).join(''));
  const { stdout } = await git({ ...place, args: ['cat-file', '--batch-check=%(objectsize)'], input }, signal);
  const sizes = stdout.toString().split('\n').map(Number);
  return new Map(ids.map((id, n) => [id, sizes[n] || 0]));
}
