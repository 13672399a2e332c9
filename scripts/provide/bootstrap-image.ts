import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { EnvironmentError } from '../../src/domain/errors.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';
import type { Console } from './console.ts';
import { debianMirror, installMissing } from './debian.ts';
import { runProgram } from './run-program.ts';

/** Makes the image from Debian's package archive alone, in `folder`, which holds the recipe. @throws EnvironmentError */
export async function bootstrapImage(
  engine: Docker,
  folder: string,
  labels: Record<string, string>,
  console: Console,
): Promise<void> {
  await installMissing({ debootstrap: 'debootstrap' }, console);
  const root = join(folder, 'root');
  const script = [join(folder, 'bootstrap.sh'), root, await debianMirror(), folder];
  await runProgram('bash', script, 'Look at the network and at the disk, and try again.');
  await importFolder(engine, root, labels);
}

async function importFolder(engine: Docker, root: string, labels: Record<string, string>): Promise<void> {
  const [repo, tag] = SANDBOX_IMAGE.split(':');
  const archive = spawn('tar', ['-C', root, '--numeric-owner', '-c', '.'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const named = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${value}`);
  const changes = [...named, 'CMD ["bash"]'];
  const progress = await engine.importImage(archive.stdout, { repo, tag, changes });
  await new Promise((resolve, reject) => progress.once('end', resolve).once('error', reject).resume());
  await engine
    .getImage(SANDBOX_IMAGE)
    .inspect()
    .catch((cause: unknown) => {
      const remedy = "Look at the engine's log and at its disk, and try again.";
      throw new EnvironmentError('image-import', 'the engine did not take the sandbox image', remedy, { cause });
    });
}
