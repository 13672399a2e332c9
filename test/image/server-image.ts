import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_IMAGE } from '#src/sandbox/sandbox-image.ts';

const root = join(import.meta.dirname, '../..');
const IMAGE = 'fathom:test';

export const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' }).trim();

/**
 * Builds the image as docs/operations.md says where no registry of images answers: packages from this machine, the
 * sandbox image as a base. In a copy, so that the checkout stays as it is.
 */
export function buildServerImage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-image-'));
  try {
    for (const path of ['Dockerfile', '.dockerignore', 'package.json', 'package-lock.json', 'src', 'prompts']) {
      cpSync(join(root, path), join(folder, path), { recursive: true });
    }
    mkdirSync(join(folder, 'vendor'));
    for (const path of ['package.json', 'package-lock.json']) cpSync(join(root, path), join(folder, 'vendor', path));
    const quiet = { stdio: 'pipe' as const };
    execFileSync('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: join(folder, 'vendor'), ...quiet });
    execFileSync('docker', ['build', '-q', '-t', IMAGE, '--build-arg', `BASE=${SANDBOX_IMAGE}`, folder], quiet);
    return IMAGE;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes away the image and what building it left. */
export function removeServerImage(): void {
  docker('rmi', '-f', IMAGE);
  docker('image', 'prune', '-f', '--filter', 'label=fathom.stage=packages');
}

/** The server in a container of its image with a read-only root, with this machine's network, engine and these folders. */
export function runServer(image: string, folders: string[], variables: Record<string, string>): string {
  const socket = '/var/run/docker.sock';
  const group = execFileSync('stat', ['-L', '-c', '%g', socket], { encoding: 'utf8' }).trim();
  const settings = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const mounts = [...folders, socket].flatMap((path) => ['-v', `${path}:${path}`]);
  const closed = ['--read-only', '--tmpfs', '/tmp'];
  return docker(
    'run',
    '-d',
    '--init',
    ...closed,
    '--network',
    'host',
    '--group-add',
    group,
    ...mounts,
    ...settings,
    image,
  );
}

/** What a container wrote to both streams. */
export function logsOf(container: string): string {
  const { stdout, stderr } = spawnSync('docker', ['logs', container], { encoding: 'utf8' });
  return stdout + stderr;
}
