import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { REMOVE, removeTree } from './remove-tree.ts';

/** Names that nobody asks for any more; what a stopped machine left of them goes with the next sweep. */
export const DISCARDED = '.discarded-';

/**
 * Takes a tree out of everybody's way at once; its files are removed by a program that outlives this process. The copies
 * of a large repository take many seconds to delete, and whoever stops a run must not wait for that.
 */
export async function discardTree(path: string): Promise<void> {
  const aside = join(dirname(path), `${DISCARDED}${randomBytes(6).toString('hex')}`);
  try {
    await rename(path, aside);
  } catch {
    // Nothing there, or a file system that cannot: then it is done here.
    return removeTree(path);
  }
  const remover = spawn('sh', ['-c', REMOVE, 'sh', aside], { detached: true, stdio: 'ignore' });
  remover.on('error', () => undefined);
  remover.unref();
}
