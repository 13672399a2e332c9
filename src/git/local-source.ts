import { stat } from 'node:fs/promises';
import { EnvironmentError, InputError } from '../domain/errors.ts';
import { records } from './byte-path.ts';
import { ANY_EXIT, type Git } from './git-command.ts';
import type { ConfigPair } from './hardening.ts';

/** Where a workspace's objects come from. */
export interface BaseSource {
  /** Git directory that holds the base commit. Only read. */
  gitDir: string;
  base: string;
  notes: string[];
}

const STATUS_SECONDS = 30;

/** Finds the base commit in a clone of the user's, which is only read. @throws InputError */
export async function findLocalBase(
  git: Git,
  path: string,
  base: string | undefined,
  signal: AbortSignal,
): Promise<BaseSource> {
  if (!(await isDirectory(path))) throw unusable(path, 'there is no such directory', 'Give the path of a git clone.');
  const gitDir = await gitDirectoryOf(git, path, signal);
  const sha = await resolveBase(git, path, base, signal);
  return { gitDir, base: sha, notes: await dirtyNotes(git, path, signal) };
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

async function gitDirectoryOf(git: Git, path: string, signal: AbortSignal): Promise<string> {
  const ask = (...args: string[]) => git({ args: ['rev-parse', ...args], cwd: path, accept: ANY_EXIT }, signal);
  const found = await ask('--path-format=absolute', '--git-common-dir');
  if (found.code !== 0) {
    throw unusable(
      path,
      'this is not a git repository',
      'Give the path of a git clone, or make it one with `git init`.',
    );
  }
  const prefix = await ask('--show-prefix');
  if (line(prefix.stdout) !== '') {
    const top = line((await ask('--show-toplevel')).stdout);
    throw unusable(path, 'this is a folder inside a repository', `Give the repository's own path: ${top}`);
  }
  return line(found.stdout);
}

async function resolveBase(git: Git, path: string, base: string | undefined, signal: AbortSignal): Promise<string> {
  const found = await revision(git, path, base ?? 'HEAD', signal);
  if (found !== undefined) return found;
  const refs = await git({ args: ['for-each-ref', '--count=1'], cwd: path, accept: ANY_EXIT }, signal);
  if (refs.stdout.length === 0) {
    throw unusable(path, 'the repository is empty: it has no commit', 'Make a first commit, then run it again.');
  }
  if (base === undefined) {
    throw unusable(path, 'its HEAD names no commit', 'Check out a branch there, or name a base commit or branch.');
  }
  throw unusable(path, `there is no commit ${JSON.stringify(base)}`, 'Name a branch, tag or commit that it has.');
}

/** The full SHA of a commit, or undefined where the revision names none. */
async function revision(git: Git, cwd: string, name: string, signal: AbortSignal): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await git({ args, cwd, accept: ANY_EXIT }, signal);
  return code === 0 ? line(stdout) : undefined;
}

async function dirtyNotes(git: Git, path: string, signal: AbortSignal): Promise<string[]> {
  const config = await withoutFilters(git, path, signal);
  const args = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all', '--untracked-files=normal'];
  const call = { args, cwd: path, config, accept: ANY_EXIT, seconds: STATUS_SECONDS };
  const status = await git(call, signal).catch((error: unknown) => {
    if (error instanceof EnvironmentError) return undefined;
    throw error;
  });
  if (status === undefined) return ['Whether the clone has uncommitted work could not be told in time.'];
  // A bare clone has no files and therefore no such work.
  const changes = status.code === 0 ? records(status.stdout).length : 0;
  if (changes === 0) return [];
  const what = changes === 1 ? 'one path with uncommitted work' : `${changes} paths with uncommitted work`;
  return [`The clone has ${what}; only what is committed was read, and nothing there was touched.`];
}

/** Switches off the clean filters that this clone configures, since comparing a file would run them. */
async function withoutFilters(git: Git, cwd: string, signal: AbortSignal): Promise<ConfigPair[]> {
  const args = ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'];
  const { stdout } = await git({ args, cwd, accept: ANY_EXIT }, signal);
  return records(stdout).map((key) => [key, key.endsWith('.required') ? 'false' : ''] as const);
}

const line = (output: Buffer): string => output.toString('utf8').trim();

const unusable = (source: string, message: string, remedy: string) => new InputError([{ source, message, remedy }]);
