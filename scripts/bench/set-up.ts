import { mkdtempSync, writeFileSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { prepareEnvironment } from '../../src/environment/prepare-environment.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';
import { alternate, type Measured } from './alternate.ts';

const rounds = 3;
const run = 'bench-set-up';
const nobody = 65_534;

/** What Fathom adds to a repository's set-up, here one that leaves 50 MB without a network, and what the next run pays. */
export async function benchSetUp(): Promise<Measured[]> {
  const source = mkdtempSync(join(tmpdir(), 'fathom-bench-'));
  writeFileSync(join(source, 'list.lock'), '1\n');
  await chmod(source, 0o755);
  await chown(source, nobody, nobody);
  const host = createDockerHost();
  const engine = new Docker();
  const setUp = async (key: string) => {
    const plan = { setup: 'head -c 52428800 /dev/urandom > /usr/local/share/installed', inputs: { 'list.lock': key } };
    const mount = { kind: 'bind', source, target: '/repo', readOnly: false } as const;
    const request = { plan, host, mount, run, repository: source, image: SANDBOX_IMAGE, timeoutSeconds: 120 };
    const environment = await prepareEnvironment(request, new AbortController().signal);
    if (!environment.prepared) throw new Error(environment.log);
    return environment.image;
  };
  const made = [await setUp('kept')];
  try {
    return await alternate(rounds, {
      'set-up of 50 MB, cold': async () => made.push(await setUp(String(made.length))),
      'set-up of 50 MB, warm (image kept)': () => setUp('kept'),
    });
  } finally {
    await host.sweep(run);
    for (const image of made) await engine.getImage(image).remove({ force: true });
  }
}
