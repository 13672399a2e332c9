import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EnvironmentError } from '../domain/errors.ts';

const run = promisify(execFile);

/**
 * Removes `$1`. Folders of our own that were closed are opened first. What is left then belongs to a user of containers:
 * on a rootless engine that is one of the numbers that `/etc/subuid` gives to whoever runs it, and so to us, where we are
 * the same user; as root of a namespace of those (user_namespaces(7)) they can be removed.
 */
export const REMOVE = `rm -rf -- "$1" 2>/dev/null && exit
chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1" && exit
[ "$(id -u)" = 0 ] || exec unshare --map-root-user --map-auto rm -rf -- "$1"
exit 1`;

/**
 * Removes a tree that an agent may have filled. Node's own removal stops at paths longer than the system's limit, which
 * nested folders easily reach; `rm` walks down and has no such limit.
 */
export async function removeTree(path: string): Promise<void> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  try {
    await run('sh', ['-c', REMOVE, 'sh', path], { env });
  } catch (cause) {
    throw new EnvironmentError(
      'leftover',
      `${path}: cannot be removed`,
      "Remove it as root: files that a container's user made may belong to that user.",
      { cause },
    );
  }
}
