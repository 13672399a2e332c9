import { posix } from 'node:path';
import type { FileKind } from '../domain/patch.ts';
import { type BytePath, records, shownPaths } from './byte-path.ts';
import { classifyChange, isTestPath } from './classify-change.ts';
import type { Git } from './git-command.ts';
import {
  type IndexChange,
  type IndexPlace,
  indexChanges,
  isAdded,
  isDeleted,
  isLink,
  NO_RENAMES,
} from './index-changes.ts';
import { lfsPointers } from './lfs-pointers.ts';
import { protectedChanges } from './protected-paths.ts';
import { readBlobs } from './read-blobs.ts';
import { isCarriableName } from './stage-tree.ts';
import { vastChanges } from './vast-changes.ts';

export interface SortedChange {
  change: IndexChange;
  kind: FileKind;
}

export interface SortedChanges {
  kept: SortedChange[];
  left: SortedChange[];
  notes: string[];
}

/** More bytes than this are not read to see whether a file is named in them. */
const WORDS_LIMITS = { limit: 1024 * 1024, total: 16 * 1024 * 1024 };
const LINK_LIMITS = { limit: 4096, total: 16 * 1024 * 1024 };

/** Sorts what differs from base into what a patch carries and what is left behind. */
export async function sortChanges(
  git: Git,
  place: IndexPlace,
  base: string,
  protectedPaths: string[],
  signal: AbortSignal,
): Promise<SortedChanges> {
  const changes = await indexChanges(git, place, base, NO_RENAMES, signal);
  const guarded = await protectedChanges(git, { ...place, base }, protectedPaths, signal);
  const outside = await linksOutside(git, place, changes, signal);
  const unnameable = changes.filter(({ path }) => !isCarriableName(path)).map(({ path }) => path);
  const large = await lfsPointers(git, place, changes, signal);
  const possible = changes.filter(({ path }) => !guarded.has(path));
  const vast = await vastChanges(git, place, base, possible, signal);
  const cannot = new Set([...outside, ...unnameable, ...large, ...vast]);
  const free = changes.filter(({ path }) => !guarded.has(path) && !cannot.has(path));
  const sorted: SortedChange[] = [
    ...changes.filter(({ path }) => guarded.has(path)).map((change) => ({ change, kind: 'protected' as const })),
    ...changes
      .filter(({ path }) => cannot.has(path) && !guarded.has(path))
      .map((change) => ({ change, kind: 'scratch' as const })),
    ...(await classified(git, place, free, signal)),
  ];
  return withNotes(withoutConflicts(sorted), { outside, unnameable, large, vast });
}

async function classified(
  git: Git,
  place: IndexPlace,
  changes: IndexChange[],
  signal: AbortSignal,
): Promise<SortedChange[]> {
  const testsInRoot = await testsBelongInRoot(git, place, changes, signal);
  const sort = (change: IndexChange, referenced: boolean): SortedChange => ({
    change,
    kind: classifyChange({ path: change.path, isNew: isAdded(change), testsInRoot, referenced }),
  });
  const first = changes.map((change) => sort(change, false));
  const doubtful = first.filter(({ kind }) => kind === 'scratch');
  if (doubtful.length === 0) return first;
  const keepers = first.filter(({ change, kind }) => kind !== 'scratch' && !isDeleted(change));
  const words = await wordsIn(
    git,
    place,
    keepers.map(({ change }) => change),
    signal,
  );
  return first.map(({ change }) => sort(change, words.has(nameOf(change.path)) || words.has(stemOf(change.path))));
}

/** A repository without a test has no other place for its first one. */
async function testsBelongInRoot(
  git: Git,
  place: IndexPlace,
  changes: IndexChange[],
  signal: AbortSignal,
): Promise<boolean> {
  const added = new Set(changes.filter(isAdded).map(({ path }) => path));
  if (![...added].some((path) => isInRoot(path) && isTestPath(path))) return false;
  const listed = records((await git({ ...place, args: ['ls-files', '-z'] }, signal)).stdout);
  const tests = listed.filter((path) => !added.has(path) && isTestPath(path));
  return tests.length === 0 || tests.some(isInRoot);
}

const isInRoot = (path: BytePath): boolean => !path.includes('/');
const nameOf = (path: BytePath): string => posix.basename(path);
const stemOf = (path: BytePath): string => nameOf(path).replace(/\..*$/s, '');

/** Every name-like word in the changed files, with and without what follows its first dot. */
async function wordsIn(git: Git, place: IndexPlace, changes: IndexChange[], signal: AbortSignal): Promise<Set<string>> {
  const words = new Set<string>();
  const ids = changes.map(({ newId }) => newId);
  for (const text of (await readBlobs(git, place, ids, WORDS_LIMITS, signal)).values()) {
    for (const word of text.toString('latin1').split(/[^\w.-]+/)) {
      words.add(word);
      for (const part of word.split('.')) words.add(part);
    }
  }
  return words;
}

/** Links whose target lies outside of the tree, in a `.git`, or behind another link. */
async function linksOutside(
  git: Git,
  place: IndexPlace,
  changes: IndexChange[],
  signal: AbortSignal,
): Promise<BytePath[]> {
  const changed = changes.filter(isLink);
  if (changed.length === 0) return [];
  const listed = records((await git({ ...place, args: ['ls-files', '-s', '-z'] }, signal)).stdout);
  const links = new Set(
    listed.filter((record) => record.startsWith('120000 ')).map((record) => record.slice(record.indexOf('\t') + 1)),
  );
  const ids = changed.map(({ newId }) => newId);
  const targets = await readBlobs(git, place, ids, LINK_LIMITS, signal);
  return changed
    .filter(({ path, newId }) => leadsOut(path, targets.get(newId)?.toString('latin1') ?? '/', links))
    .map(({ path }) => path);
}

function leadsOut(path: BytePath, target: BytePath, links: Set<BytePath>): boolean {
  if (target.startsWith('/')) return true;
  const place = path.split('/').slice(0, -1);
  return target.split('/').some((step) => !canStep(place, step, links));
}

/** Goes one step on from `place`, which is changed; false where that is out of what can be told from names alone. */
function canStep(place: string[], step: string, links: Set<BytePath>): boolean {
  if (step === '' || step === '.') return true;
  if (links.has(place.join('/')) || step.toLowerCase() === '.git') return false;
  if (step === '..') return place.pop() !== undefined;
  place.push(step);
  return true;
}

/** A kept file cannot stand where a file stands that is not to be touched, nor below it. */
function withoutConflicts(sorted: SortedChange[]): SortedChange[] {
  const standing = new Map(
    sorted
      .filter(({ change, kind }) => isLeft(kind) && !isAdded(change))
      .map(({ change, kind }) => [change.path, kind]),
  );
  const inTheWay = (path: BytePath): FileKind | undefined => {
    for (const [other, kind] of standing) {
      if (path.startsWith(`${other}/`) || other.startsWith(`${path}/`)) return kind;
    }
    return undefined;
  };
  return sorted.map(({ change, kind }) => ({ change, kind: isLeft(kind) ? kind : (inTheWay(change.path) ?? kind) }));
}

const isLeft = (kind: FileKind): boolean => kind === 'scratch' || kind === 'protected';

/** Says why a change could not be carried; what was left for its kind stands in `left`. */
function withNotes(
  sorted: SortedChange[],
  { outside, unnameable, large, vast }: Record<'outside' | 'unnameable' | 'large' | 'vast', BytePath[]>,
): SortedChanges {
  const say = (paths: BytePath[], sentence: string) =>
    paths.length === 0 ? [] : [`${sentence}: ${shownPaths(paths)}.`];
  return {
    kept: sorted.filter(({ kind }) => !isLeft(kind)),
    left: sorted.filter(({ kind }) => isLeft(kind)),
    notes: [
      ...say(outside, 'Links that lead out of the repository were left'),
      ...say(large, 'Files in Git LFS are here without their contents, and changes to them were left'),
      ...say(vast, 'Changes too large for anybody to review were left'),
      ...say(unnameable, 'Names that are not UTF-8 cannot be committed and were left'),
    ],
  };
}
