import type { BytePath } from './byte-path.ts';
import type { Git } from './git-command.ts';
import type { IndexPlace } from './index-changes.ts';

/** Bytes of one file that a patch may carry, and of all new files together. */
const FILE_LIMIT = 10 * 1024 * 1024;
const TOTAL_LIMIT = 40 * 1024 * 1024;
const STRICTER = [FILE_LIMIT, 1024 * 1024, 64 * 1024, 0];

export interface Sized {
  candidates: BytePath[];
  sizes: Map<BytePath, number>;
  tracked: Map<BytePath, { id: string }>;
}

export interface TooLarge {
  fresh: BytePath[];
  changed: BytePath[];
  all: Set<BytePath>;
}

/** Which files are too large to be carried. They are judged by size alone and never read: a file may claim terabytes. */
export async function sizeLimits(git: Git, place: IndexPlace, sized: Sized, signal: AbortSignal): Promise<TooLarge> {
  const size = (path: BytePath) => sized.sizes.get(path) ?? 0;
  const fresh = sized.candidates.filter((path) => !sized.tracked.has(path));
  const limit = STRICTER.find((most) => sum(fresh.map(size).filter((bytes) => bytes <= most)) <= TOTAL_LIMIT) ?? 0;
  const largeFresh = fresh.filter((path) => size(path) > limit);
  const grown = sized.candidates.filter((path) => sized.tracked.has(path) && size(path) > FILE_LIMIT);
  const before = await sizesInBase(git, place, grown, sized, signal);
  const changed = grown.filter((path, n) => before[n] !== size(path));
  return { fresh: largeFresh, changed, all: new Set([...largeFresh, ...changed]) };
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

async function sizesInBase(git: Git, place: IndexPlace, paths: BytePath[], sized: Sized, signal: AbortSignal) {
  const ids = paths.map((path) => `${sized.tracked.get(path)?.id}\n`).join('');
  const call = { gitDir: place.gitDir, args: ['cat-file', '--batch-check=%(objectsize)'], input: Buffer.from(ids) };
  return (await git(call, signal)).stdout.toString().split('\n').map(Number);
}
