import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';
import { alternate, type Measured } from './alternate.ts';

const rounds = 40;
const command = 'head -n 100 /etc/login.defs';

/** One shell step of an agent, beside the `docker` client's exec into the same container and a plain bash. */
export async function benchStep(): Promise<Measured[]> {
  const run = promisify(execFile);
  const signal = new AbortController().signal;
  const sandbox = await createDockerHost().start(
    { run: 'bench', purpose: 'step', image: SANDBOX_IMAGE, mounts: [], workdir: '/tmp', network: 'none' },
    signal,
  );
  try {
    return await alternate(rounds, {
      'shell step: sandbox': () => sandbox.exec(command, { seconds: 30 }, signal),
      'shell step: docker exec': () => run('docker', ['exec', sandbox.id, 'bash', '-c', command]),
      'shell step: bash on the host': () => run('bash', ['-c', command]),
    });
  } finally {
    await sandbox.remove();
  }
}
