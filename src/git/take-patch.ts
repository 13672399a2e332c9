import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvironmentError } from '../domain/errors.ts';
import type { ChangedFile, Patch } from '../domain/patch.ts';
import { bytesOf, shownPath, shownPaths, textOf } from './byte-path.ts';
import type { Pristine } from './checkout-copy.ts';
import type { Git } from './git-command.ts';
import {
  changedFile,
  type IndexChange,
  type IndexPlace,
  indexChanges,
  isDeleted,
  lineCounts,
  NO_RENAMES,
  RENAMES,
} from './index-changes.ts';
import { removeTree } from './remove-tree.ts';
import { sortChanges } from './sort-changes.ts';
import { type NotStaged, stageTree } from './stage-tree.ts';

export interface TakeRequest {
  pristine: Pristine;
  tree: string;
  ignoreRules: string;
  protectedPaths: string[];
  /** A folder for what is needed meanwhile. */
  scratch: string;
}

/**
 * Takes the agent's change out byte for byte. Only the files of its tree count: its `.git`, its commits, its attributes
 * and its ignore rules do not, nor do sizes and times: every file is read. The patch is then applied to a clean base,
 * and has to give the very same files.
 * @throws EnvironmentError when it does not, or when git or the disk refused
 */
export async function takePatch(git: Git, request: TakeRequest, signal: AbortSignal): Promise<Patch> {
  await mkdir(request.scratch, { recursive: true });
  const scratch = await mkdtemp(join(request.scratch, 'take-'));
  try {
    const objects = await separateObjects(scratch, request.pristine.gitDir);
    const index = async (name: string): Promise<IndexPlace> => {
      const place = { gitDir: request.pristine.gitDir, indexFile: join(scratch, name), objects };
      await git({ ...place, args: ['read-tree', request.pristine.base] }, signal);
      return place;
    };
    const everything = await index('everything');
    const { tree, ignoreRules } = request;
    const notStaged = await stageTree(git, { place: everything, tree, ignoreRules }, signal);
    const sorted = await sortChanges(git, everything, request.pristine.base, request.protectedPaths, signal);
    const kept = await index('kept');
    await stageChanges(
      git,
      kept,
      sorted.kept.map(({ change }) => change),
      signal,
    );
    const diff = await diffOf(git, kept, request.pristine.base, signal);
    await proveDiff(git, kept, await index('proof'), diff, signal);
    const taken = await describe(git, request.pristine.base, { everything, kept, sorted, notStaged, diff }, signal);
    const guarded = sorted.left.filter(({ kind }) => kind === 'protected').map(({ change }) => change);
    if (guarded.length === 0) return taken;
    const apart = await index('protected');
    await stageChanges(git, apart, guarded, signal);
    return withProtected(taken, await diffOf(git, apart, request.pristine.base, signal));
  } finally {
    await removeTree(scratch);
  }
}

const MOST_PROTECTED = 256 * 1024;

/** For a person to take, where it is of a size that a person would read. */
const withProtected = (patch: Patch, diff: Buffer): Patch =>
  diff.length > MOST_PROTECTED ? patch : { ...patch, protectedDiff: diff.toString('base64') };

/** New objects go where no later checkout can find them. */
async function separateObjects(scratch: string, gitDir: string): Promise<string> {
  const objects = join(scratch, 'objects');
  await mkdir(join(objects, 'info'), { recursive: true });
  await writeFile(join(objects, 'info/alternates'), `${join(gitDir, 'objects')}\n`);
  return objects;
}

async function stageChanges(git: Git, place: IndexPlace, changes: IndexChange[], signal: AbortSignal): Promise<void> {
  const removals = changes.filter(isDeleted);
  const others = changes.filter((change) => !isDeleted(change));
  const lines = [...removals, ...others].map(({ newMode, newId, path }) => `${newMode} ${newId}\t${path}\0`);
  const args = ['update-index', '-z', '--index-info'];
  await git({ ...place, args, input: bytesOf(lines.join('')) }, signal);
}

async function diffOf(git: Git, place: IndexPlace, base: string, signal: AbortSignal): Promise<Buffer> {
  const form = ['--binary', '--full-index', '--no-color', '--no-ext-diff', '--no-textconv', '--no-relative'];
  const names = ['--src-prefix=a/', '--dst-prefix=b/', ...RENAMES];
  return (await git({ ...place, args: ['diff-index', '--cached', '-p', ...form, ...names, base] }, signal)).stdout;
}

/** A diff that does not give back what it was made from must never reach anybody. */
async function proveDiff(
  git: Git,
  kept: IndexPlace,
  proof: IndexPlace,
  diff: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const treeOf = async (place: IndexPlace) => (await git({ ...place, args: ['write-tree'] }, signal)).stdout.toString();
  if (diff.length > 0) {
    const args = ['apply', '--cached', '--binary', '--whitespace=nowarn'];
    await git({ ...proof, args, input: diff }, signal);
  }
  if ((await treeOf(proof)) === (await treeOf(kept))) return;
  throw new EnvironmentError(
    'patch-differs',
    "the patch does not reproduce the agent's files",
    'Report this with the version of git; the change was not used.',
  );
}

interface Taken {
  everything: IndexPlace;
  kept: IndexPlace;
  sorted: Awaited<ReturnType<typeof sortChanges>>;
  notStaged: NotStaged[];
  diff: Buffer;
}

async function describe(git: Git, base: string, taken: Taken, signal: AbortSignal): Promise<Patch> {
  const kinds = new Map(taken.sorted.kept.map(({ change, kind }) => [change.path, kind]));
  const counts = await lineCounts(git, taken.kept, base, RENAMES, signal);
  const allCounts = await lineCounts(git, taken.everything, base, NO_RENAMES, signal);
  const files = (await indexChanges(git, taken.kept, base, RENAMES, signal)).map((change) =>
    changedFile(change, kinds.get(change.path) ?? 'source', counts.get(change.path)),
  );
  const left = taken.sorted.left.map(({ change, kind }) => changedFile(change, kind, allCounts.get(change.path)));
  return {
    base,
    diff: taken.diff.toString('base64'),
    files,
    left: [...left, ...taken.notStaged.flatMap(leftOver)],
    notes: [...taken.sorted.notes, ...taken.notStaged.flatMap(({ paths, note }) => note?.(shownPaths(paths)) ?? [])],
  };
}

const leftOver = ({ paths, status }: NotStaged): ChangedFile[] =>
  paths.map((path) => ({
    path: textOf(path) ?? shownPath(path),
    status,
    kind: 'scratch',
    added: 0,
    removed: 0,
    binary: true,
  }));
