import { type BytePath, records, recordsInput, shownPaths, textOf } from './byte-path.ts';
import { isCacheFolder } from './classify-change.ts';
import { crowdedFolders, newFolderOf } from './crowded-folders.ts';
import type { Git } from './git-command.ts';
import type { IndexPlace } from './index-changes.ts';
import { sizeLimits } from './size-limits.ts';
import { type Walk, walkTree } from './walk-tree.ts';

export interface Staging {
  /** Base's index; changed in place. */
  place: IndexPlace;
  /** The agent's tree. Read, never written, and nothing in it is obeyed. */
  tree: string;
  /** Holds base's `.gitignore` files and nothing else. */
  ignoreRules: string;
}

/** Paths of the agent's tree that the index does not have, and what to say of them beyond their kind. */
export interface NotStaged {
  paths: BytePath[];
  status: 'added' | 'modified';
  note?: (names: string) => string;
}

interface Tracked {
  mode: string;
  id: string;
}

/**
 * Brings the agent's files into the index: everything tracked as it now stands, and new files that base's own rules do
 * not ignore. Paths are named to git one by one, so that a repository, link or ignore file that the agent made hides
 * nothing.
 */
export async function stageTree(git: Git, staging: Staging, signal: AbortSignal): Promise<NotStaged[]> {
  const tracked = await trackedFiles(git, staging.place, signal);
  const folders = foldersOf(tracked);
  const walk = await walkTree(staging.tree, (folder) => isCacheFolder(folder) && !folders.has(folder), signal);
  const { ordinary, submodules } = withoutSubmodules(walk, tracked);
  const fresh = ordinary.filter((path) => !tracked.has(path));
  const ignored = await ignoredPaths(git, staging, [...fresh, ...walk.skipped.map((path) => `${path}/x`)], signal);
  const crowded = crowdedFolders(
    fresh.filter((path) => !ignored.has(path)),
    folders,
  );
  const isLeft = (path: BytePath) => ignored.has(path) || crowded.includes(newFolderOf(path, folders));
  const candidates = ordinary.filter((path) => tracked.has(path) || !isLeft(path));
  const large = await sizeLimits(git, staging.place, { candidates, sizes: walk.files, tracked }, signal);
  const present = candidates.filter((path) => !large.all.has(path));
  await update(git, staging, goneFrom(walk, tracked), present, signal);
  const refused = await refusedNames(git, staging.place, present, signal);
  return [
    ...notStaged('added', refused, (names) => `Git does not take these names: ${names}.`),
    ...notStaged('added', submodules, (names) => `Changes inside a submodule cannot be carried: ${names}.`),
    ...notStaged(
      'added',
      crowded.map((path) => `${path}/`),
      (names) => `Folders with too many new files to be a repair were left: ${names}.`,
    ),
    ...notStaged('added', large.fresh, (names) => `New files are too large to be carried: ${names}.`),
    ...notStaged('modified', large.changed, (names) => `Changed files grew too large to be carried: ${names}.`),
    ...notStaged(
      'added',
      walk.skipped.filter((path) => !ignored.has(`${path}/x`)).map((path) => `${path}/`),
    ),
    ...unlisted(
      walk,
      [...ignored].filter((path) => walk.files.has(path)),
    ),
  ];
}

const notStaged = (status: NotStaged['status'], paths: BytePath[], note?: NotStaged['note']): NotStaged[] =>
  paths.length === 0 ? [] : [{ paths, status, ...(note && { note }) }];

/** What is said but is no part of the change. */
function unlisted(walk: Walk, ignored: BytePath[]): NotStaged[] {
  const say = (paths: BytePath[], sentence: string): NotStaged[] =>
    paths.length === 0 ? [] : [{ paths: [], status: 'added', note: () => `${sentence}: ${shownPaths(paths)}.` }];
  return [
    ...say(ignored, "New files that the repository's .gitignore names were left"),
    ...say(walk.nested, 'A repository inside the repository was taken as plain files, without its history'),
    ...say(walk.special, 'Pipes, sockets and devices were left'),
    ...say(walk.unreadable, 'Not readable and taken as unchanged'),
  ];
}

async function trackedFiles(git: Git, place: IndexPlace, signal: AbortSignal): Promise<Map<BytePath, Tracked>> {
  const listed = records((await git({ ...place, args: ['ls-files', '-s', '-z'] }, signal)).stdout);
  return new Map(
    listed.map((record) => {
      const [mode = '', id = ''] = record.split(' ', 2);
      return [record.slice(record.indexOf('\t') + 1), { mode, id }];
    }),
  );
}

function foldersOf(tracked: Map<BytePath, Tracked>): Set<BytePath> {
  const folders = new Set<BytePath>();
  for (const path of tracked.keys()) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at));
  }
  return folders;
}

function withoutSubmodules(walk: Walk, tracked: Map<BytePath, Tracked>) {
  const links = [...tracked].filter(([, { mode }]) => mode === '160000').map(([path]) => path);
  const isInside = (path: BytePath) => links.some((link) => path === link || path.startsWith(`${link}/`));
  const paths = [...walk.files.keys()];
  if (links.length === 0) return { ordinary: paths, submodules: [] };
  return { ordinary: paths.filter((path) => !isInside(path)), submodules: paths.filter(isInside) };
}

async function ignoredPaths(
  git: Git,
  { place, ignoreRules }: Staging,
  paths: BytePath[],
  signal: AbortSignal,
): Promise<Set<BytePath>> {
  if (paths.length === 0) return new Set();
  const call = {
    gitDir: place.gitDir,
    workTree: ignoreRules,
    cwd: ignoreRules,
    args: ['check-ignore', '--no-index', '-z', '--stdin'],
    // The prefix keeps a name such as `:(top)` from being taken for more than a name.
    input: recordsInput(paths.map((path) => `./${path}`)),
    accept: [0, 1],
  };
  return new Set(records((await git(call, signal)).stdout).map((path) => path.slice(2)));
}

/** Tracked files that are no longer there. What could not be read is not known to be gone. */
function goneFrom(walk: Walk, tracked: Map<BytePath, Tracked>): BytePath[] {
  const hidden = (path: BytePath) =>
    walk.unreadable.some((place) => place === '' || path === place || path.startsWith(`${place}/`));
  return [...tracked]
    .filter(([path, { mode }]) => mode !== '160000' && !walk.files.has(path) && !hidden(path))
    .map(([path]) => path);
}

/** Removals come first: a folder may have taken the place of a file, or a file that of a folder. */
async function update(
  git: Git,
  { place, tree }: Staging,
  gone: BytePath[],
  present: BytePath[],
  signal: AbortSignal,
): Promise<void> {
  const call = { ...place, workTree: tree, cwd: tree };
  const remove = ['update-index', '-z', '--force-remove', '--stdin'];
  await git({ ...call, args: remove, input: recordsInput(gone) }, signal);
  await git({ ...call, args: ['update-index', '-z', '--add', '--stdin'], input: recordsInput(present) }, signal);
}

async function refusedNames(
  git: Git,
  place: IndexPlace,
  present: BytePath[],
  signal: AbortSignal,
): Promise<BytePath[]> {
  const now = await trackedFiles(git, place, signal);
  return present.filter((path) => !now.has(path));
}

/** Whether a name can be part of a patch that GitHub's API can commit. */
export const isCarriableName = (path: BytePath): boolean => textOf(path) !== undefined;
