import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EnvironmentError } from '../domain/errors.ts';

const run = promisify(execFile);

/**
 * Removes a tree that an agent may have filled. Node's own removal stops at paths longer than the system's limit, which
 * nested folders easily reach; `rm` walks down and has no such limit.
 */
export async function removeTree(path: string): Promise<void> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const remove = () => run('rm', ['-rf', '--', path], { env });
  try {
    // Folders of our own that were closed have to be opened first.
    await remove().catch(() => run('chmod', ['-R', 'u+rwX', '--', path], { env }).then(remove, remove));
  } catch (cause) {
    throw new EnvironmentError(
      'leftover',
      `${path}: cannot be removed`,
      "Remove it as root: files that a container's user made may belong to that user.",
      { cause },
    );
  }
}
