import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { EnvironmentError } from '../../src/domain/errors.ts';
import type { Console } from './console.ts';
import { runProgram } from './run-program.ts';

const NETWORK_REMEDY = 'Look at the network and at /etc/apt/sources.list, and try again.';
const RELEASE = 'bookworm';

/** True on Debian and on what calls itself like it, where this process may install packages. */
export async function mayInstall(): Promise<boolean> {
  return process.getuid?.() === 0 && (await isDebianLike());
}

export async function isDebianLike(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const ids = release.split('\n').filter((line) => /^ID(_LIKE)?=/.test(line));
  return ids.join(' ').includes('debian');
}

/**
 * Installs those of `programs` (a program's name, and the package it comes in) that are missing here.
 * @throws EnvironmentError
 */
export async function installMissing(programs: Record<string, string>, console: Console): Promise<void> {
  const missing: string[] = [];
  for (const [program, name] of Object.entries(programs)) if (!(await isHere(program))) missing.push(name);
  if (missing.length === 0) return;
  const env = { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1' };
  console.say(`installing ${missing.join(' and ')} with apt-get`);
  // One source that does not answer spoils the update and not the installation.
  await runProgram('apt-get', ['update'], NETWORK_REMEDY, { env }).catch((error: Error) => console.say(error.message));
  const install = ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', ...missing];
  await runProgram('apt-get', install, NETWORK_REMEDY, { env });
}

/** The mirror that this machine takes Debian's own packages from. @throws EnvironmentError where it has none. */
export async function debianMirror(): Promise<string> {
  const format = ['--format', '$(REPO_URI) $(CODENAME) $(COMPONENT) $(ORIGIN)', 'Created-By: Packages'];
  const targets = await runProgram('apt-get', ['indextargets', ...format], NETWORK_REMEDY);
  const rows = targets.split('\n').map((line) => line.split(' '));
  const own = rows.find(
    ([, name, component, origin]) => isPlainRelease(name) && component === 'main' && origin === 'Debian',
  );
  if (own?.[0] !== undefined) return own[0];
  throw new EnvironmentError(
    'no-mirror',
    "none of this machine's package sources is a mirror of Debian",
    `Pull debian:${RELEASE}-slim so that the image can be built from it, or add a Debian mirror to /etc/apt/sources.list.`,
  );
}

/** `bookworm`, and not `bookworm-updates` or `bookworm-security`. */
const isPlainRelease = (name: string | undefined): boolean => name !== undefined && /^[a-z]+$/.test(name);

/** True where `program` can be run here. */
export async function isHere(program: string): Promise<boolean> {
  const folders = ['/usr/sbin', '/sbin', ...(process.env['PATH'] ?? '').split(delimiter)];
  for (const folder of folders) {
    const found = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}
