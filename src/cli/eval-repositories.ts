import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instance } from '../evaluation/datasets/instance.ts';
import type { Checked } from '../evaluation/running/evaluation.ts';
import { ANY_EXIT, createGit, type Git } from '../git/git-command.ts';

/**
 * Looks for an instance's clone in `folder` and whether base and fix fit: `owner+name`, `owner__name`, `owner/name` or
 * `name`, with or without `.git` or a folder `repo` in it, bare or not. Nothing is written to a clone.
 */
export function createRepositoryCheck(folder: string, environment: Record<string, string | undefined>) {
  const git = createGit(environment);
  return async (instance: Instance, signal: AbortSignal): Promise<Checked> => {
    const found = await findClone(git, folder, instance.repo, signal);
    if (!found) {
      const detail = `there is no clone of ${instance.repo} in ${folder} (as ${instance.repo.replace('/', '+')})`;
      return { ready: false, reason: 'missing-repository', detail };
    }
    const base = await git(
      { ...found.where, args: ['cat-file', '-e', `${instance.base_commit}^{commit}`], accept: ANY_EXIT },
      signal,
    );
    if (base.code !== 0) {
      const detail = `${instance.base_commit} is not in ${found.path}`;
      return { ready: false, reason: 'base-gone', detail };
    }
    const complaint = await fixComplaint(git, found.where, instance, signal);
    if (complaint !== undefined) return { ready: false, reason: 'patch-does-not-apply', detail: complaint };
    return { ready: true, path: found.path };
  };
}

interface Clone {
  path: string;
  where: { gitDir: string };
}

async function findClone(git: Git, folder: string, repo: string, signal: AbortSignal): Promise<Clone | undefined> {
  const [owner = '', name = ''] = repo.split('/');
  const names = [`${owner}+${name}`, `${owner}__${name}`, `${owner}/${name}`, name];
  for (const one of names.flatMap((base) => [base, `${base}.git`, `${base}/repo`])) {
    const path = join(folder, one);
    if (!(await isDirectory(path))) continue;
    const own = (await isDirectory(join(path, '.git'))) ? join(path, '.git') : path;
    const asked = await git({ gitDir: own, args: ['rev-parse', '--git-dir'], accept: ANY_EXIT }, signal);
    if (asked.code === 0) return { path, where: { gitDir: own } };
  }
  return undefined;
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );

/** Tried in an index of its own: no file is written, and nothing of the clone changes. */
async function fixComplaint(
  git: Git,
  where: Clone['where'],
  instance: Instance,
  signal: AbortSignal,
): Promise<string | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), 'fathom-eval-'));
  const indexFile = join(scratch, 'index');
  try {
    await git({ ...where, indexFile, args: ['read-tree', instance.base_commit] }, signal);
    const input = Buffer.from(instance.patch.endsWith('\n') ? instance.patch : `${instance.patch}\n`);
    const args = ['apply', '--cached', '--check', '--whitespace=nowarn'];
    const applied = await git({ ...where, indexFile, args, input, accept: ANY_EXIT }, signal);
    return applied.code === 0 ? undefined : applied.complaint || 'git apply refuses it';
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
