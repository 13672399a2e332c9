import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvironmentError, InputError } from '../domain/errors.ts';
import { ANY_EXIT, type Git } from './git-command.ts';
import { NEUTRAL_ATTRIBUTES } from './hardening.ts';
import { countCommits, startOfHistory } from './history.ts';
import type { BaseSource } from './local-source.ts';

/** Serves objects out of a directory that may be hostile: takes no hook, fetches nothing, trusts the named owner. */
const UPLOAD_PACK =
  "GIT_ALLOW_PROTOCOL=none GIT_NO_LAZY_FETCH=1 git -c safe.directory='*' -c pack.allowPackReuse=false -c pack.window=0 -c pack.compression=1 upload-pack";
const BRANCH = 'refs/heads/base';
/** What one checkout may take; a run makes about ten. Folders and files can share objects, so that a small clone hides more. */
const MOST = { bytes: 10e9, files: 500_000 };

/**
 * Makes `dir` a git directory that holds the base commit and about `commits` commits that lead up to it, and no other object.
 * It is copied into every checkout and is itself never shown to a container.
 * @returns sentences about what is missing in it.
 * @throws EnvironmentError where a checkout would be too large
 */
export async function buildPristine(
  git: Git,
  dir: string,
  source: BaseSource,
  commits: number,
  signal: AbortSignal,
): Promise<string[]> {
  await initialize(git, dir, source, signal);
  await copyHistory(git, dir, source, commits, signal);
  await nameTags(git, dir, source, signal);
  await git({ args: ['config', 'core.bare', 'false'], gitDir: dir }, signal);
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', source.base];
  const entries = (await git({ args, gitDir: dir }, signal)).stdout.toString('latin1').split('\0');
  refuseHuge(entries);
  return [...(await cutNotes(git, dir, signal)), ...(await unfetchedNotes(git, dir, entries, signal))];
}

async function initialize(git: Git, dir: string, source: BaseSource, signal: AbortSignal): Promise<void> {
  const format = await git({ args: ['rev-parse', '--show-object-format'], gitDir: source.gitDir }, signal);
  const name = format.stdout.toString().trim();
  const args = ['init', '--quiet', '--bare', '--template=', '--initial-branch=base', `--object-format=${name}`, dir];
  await git({ args }, signal);
  await mkdir(join(dir, 'info'), { recursive: true });
  await writeFile(join(dir, 'info/attributes'), NEUTRAL_ATTRIBUTES);
}

async function copyHistory(
  git: Git,
  dir: string,
  source: BaseSource,
  commits: number,
  signal: AbortSignal,
): Promise<void> {
  const start = await startOfHistory(git, source.gitDir, source.base, commits, signal);
  const bound = start === undefined ? [] : [`--shallow-since=${start}`];
  const args = ['fetch', '--quiet', ...bound, '--no-tags', '--no-write-fetch-head', '--update-shallow'];
  const from = [`--upload-pack=${UPLOAD_PACK}`, source.gitDir, `${source.base}:${BRANCH}`];
  const call = { args: [...args, ...from], gitDir: dir, protocols: 'file', seconds: 600 };
  try {
    await git(call, signal);
  } catch (error) {
    if (error instanceof EnvironmentError && (await isPartial(git, source.gitDir, signal)))
      throw partial(source, error);
    throw error;
  }
}

async function isPartial(git: Git, gitDir: string, signal: AbortSignal): Promise<boolean> {
  const args = ['config', '--get-regexp', '^(extensions\\.partialclone|remote\\..*\\.promisor)$'];
  return (await git({ args, gitDir, accept: ANY_EXIT }, signal)).code === 0;
}

const partial = (source: BaseSource, cause: Error) =>
  new InputError(
    [
      {
        source: source.gitDir,
        message: 'this is a partial clone, and files of the base commit are not in it',
        remedy: 'Fetch the rest there with `git fetch --refetch --no-filter`, or make a full clone.',
      },
    ],
    { cause },
  );

/**
 * Names the kept commits that have tags, since version tools ask for the nearest tag. A tag becomes a plain name for its
 * commit: the tag object may be younger than base.
 */
async function nameTags(git: Git, dir: string, source: BaseSource, signal: AbortSignal): Promise<void> {
  const format = '%(refname)%00%(objectname)%00%(*objectname)';
  const listed = await git(
    { args: ['for-each-ref', `--format=${format}`, 'refs/tags'], gitDir: source.gitDir },
    signal,
  );
  const kept = await git({ args: ['rev-list', BRANCH], gitDir: dir }, signal);
  const commits = new Set(kept.stdout.toString().split('\n'));
  const updates = listed.stdout
    .toString('latin1')
    .split('\n')
    .map((line) => line.split('\0'))
    .map(([ref = '', object = '', peeled = '']) => ({ ref, commit: peeled || object }))
    .filter(({ commit }) => commit !== '' && commits.has(commit))
    .map(({ ref, commit }) => `create ${ref}\0${commit}\0`);
  if (updates.length === 0) return;
  await git(
    { args: ['update-ref', '-z', '--stdin'], gitDir: dir, input: Buffer.from(updates.join(''), 'latin1') },
    signal,
  );
}

async function cutNotes(git: Git, dir: string, signal: AbortSignal): Promise<string[]> {
  const shallow = await readFile(join(dir, 'shallow')).catch(() => undefined);
  if (shallow === undefined) return [];
  return [
    `History is cut: it holds the last ${await countCommits(git, dir, BRANCH, signal)} commits up to the base commit.`,
  ];
}

function refuseHuge(entries: string[]): void {
  const bytes = entries.reduce(
    (sum, entry) => sum + (Number(entry.slice(0, entry.indexOf('\t')).split(/ +/)[3]) || 0),
    0,
  );
  if (bytes <= MOST.bytes && entries.length <= MOST.files) return;
  const size = `${entries.length} files with ${(bytes / 1e9).toFixed(1)} GB`;
  throw new EnvironmentError(
    'tree-too-large',
    `the base commit has ${size}, and no more than ${MOST.files} with ${MOST.bytes / 1e9} GB can be checked out here`,
    'Nothing can be done about it here; the repository is too large for Fathom.',
  );
}

async function unfetchedNotes(git: Git, dir: string, entries: string[], signal: AbortSignal): Promise<string[]> {
  const submodules = entries.filter((entry) => entry.startsWith('160000 ')).length;
  const attributes = entries.filter((entry) => /^100\d+ blob \w+ +\d+\t(?:.*\/)?\.gitattributes$/s.test(entry));
  const ids = attributes.map((entry) => `${entry.split(/[ \t]/)[2]}\n`).join('');
  const texts = await git({ args: ['cat-file', '--batch'], gitDir: dir, input: Buffer.from(ids) }, signal);
  return [
    ...(submodules > 0
      ? [`Submodules were not fetched: ${submodules === 1 ? 'one folder is' : `${submodules} folders are`} empty.`]
      : []),
    ...(texts.stdout.includes('filter=lfs')
      ? ['Files kept in Git LFS were not fetched: the checkout has their pointers instead of their contents.']
      : []),
  ];
}
