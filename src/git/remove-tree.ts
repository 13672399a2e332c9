import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EnvironmentError } from '../domain/errors.ts';

const run = promisify(execFile);

/**
 * Removes a tree that an agent may have filled. Node's own removal stops at paths longer than the system's limit, which
 * nested folders easily reach; `rm` walks down and has no such limit.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await run('rm', ['-rf', '--', path], { env: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
  } catch (cause) {
    throw new EnvironmentError(
      'leftover',
      `${path}: cannot be removed`,
      "Remove it as root: files that a container's user made may belong to that user.",
      { cause },
    );
  }
}
