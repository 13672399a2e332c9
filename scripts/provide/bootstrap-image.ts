import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
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
  await importFolder(engine, root, [...named(labels), ...(await closingInstructions(folder))]);
}

async function importFolder(engine: Docker, root: string, changes: string[]): Promise<void> {
  const [repo, tag] = SANDBOX_IMAGE.split(':');
  const archive = spawn('tar', ['-C', root, '--numeric-owner', '-c', '.'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const progress = await engine.importImage(archive.stdout, { repo, tag, changes });
  await new Promise((resolve, reject) => progress.once('end', resolve).once('error', reject).resume());
  try {
    await engine.getImage(SANDBOX_IMAGE).inspect();
  } catch (cause) {
    const remedy = "Look at the engine's log and at its disk, and try again.";
    throw new EnvironmentError('image-import', 'the engine did not take the sandbox image', remedy, { cause });
  }
}

const named = (labels: Record<string, string>): string[] =>
  Object.entries(labels).map(([name, value]) => `LABEL ${name}=${value}`);

/** The Dockerfile's instructions that describe the image and run nothing are good for an imported one as well. */
async function closingInstructions(folder: string): Promise<string[]> {
  const lines = (await readFile(join(folder, 'Dockerfile'), 'utf8')).replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.filter((line) => /^(ENV|CMD) /.test(line));
}
