import { constants, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git-command.ts';
import { giveToSandbox } from './ownership.ts';
import { removeTree } from './remove-tree.ts';

/** What all copies of one run are made from. */
export interface Pristine {
  gitDir: string;
  base: string;
  /** Who the sandbox's user is on this host, where that is not the number it has in a container. */
  uid?: number | undefined;
}

/** A fresh checkout of base at `path`, with a `.git` of its own that shares no file with any other. */
export async function makeCheckout(git: Git, pristine: Pristine, path: string, signal: AbortSignal): Promise<void> {
  await removeTree(path);
  try {
    await mkdir(path, { recursive: true });
    const gitDir = join(path, '.git');
    await cp(pristine.gitDir, gitDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await git({ args: ['read-tree', '--reset', '-u', pristine.base], gitDir, workTree: path, cwd: path }, signal);
  } catch (error) {
    await removeTree(path);
    throw error;
  }
}

/** Gives a checkout away and lets its index know the new owner, so that nobody has to read every file again. */
export async function handOver(
  git: Git,
  { uid }: Pick<Pristine, 'uid'>,
  path: string,
  access: 'read' | 'write',
  signal: AbortSignal,
): Promise<void> {
  await giveToSandbox(path, access, uid);
  const gitDir = join(path, '.git');
  await git({ args: ['update-index', '-q', '--refresh'], gitDir, workTree: path, cwd: path, accept: [0, 1] }, signal);
  await giveToSandbox(join(gitDir, 'index'), access, uid);
}
