import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EnvironmentError } from '../domain/errors.ts';

/** The user that every sandbox container runs as, where an engine does not map users of containers to others. */
const SANDBOX_UID = 65534;

const run = promisify(execFile);
const PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * Lets the sandbox's user write everything under `path`, a tree that nobody else has touched yet. As root the tree
 * becomes that user's; otherwise everybody may write, and git in a container has to be told that the tree is safe.
 */
export async function giveToSandbox(path: string, access: 'read' | 'write', uid = SANDBOX_UID): Promise<void> {
  const root = process.getuid?.() === 0;
  const mode = access === 'write' ? 'a+rwX' : 'a+rX';
  const [program, ...args] = root ? ['chown', '-hR', `${uid}:${uid}`] : ['chmod', '-R', mode];
  try {
    await run(program ?? 'chmod', [...args, path], { env: { PATH } });
  } catch (cause) {
    throw new EnvironmentError(
      'ownership',
      `${path}: cannot be given to the sandbox's user`,
      'Choose a data directory on a file system with Unix owners and modes.',
      { cause },
    );
  }
}
