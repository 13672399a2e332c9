import { readdir } from 'node:fs/promises';
import { type Console, terminal } from './console.ts';
import { installMissing, mayInstall } from './debian.ts';

const programs = '/usr/lib/postgresql';

/**
 * Sees to it that PostgreSQL's programs are here, for the tests that start a cluster of their own. On Debian, as root, it
 * installs them (asking first where there is a terminal). Where it may not, those tests are skipped, and this says so.
 * @throws EnvironmentError from the installation.
 */
export async function providePostgres(console: Console = terminal): Promise<boolean> {
  if (await isInstalled()) return true;
  const question = 'PostgreSQL is not installed. Install it with apt-get, for the tests that need it?';
  if ((await mayInstall()) && (await console.agrees(question))) {
    await installMissing({ 'fathom-needs-postgresql': 'postgresql' }, console);
    if (await isInstalled()) return true;
  }
  console.say('PostgreSQL is not installed: the tests that need it are skipped (sudo apt-get install postgresql)');
  return false;
}

const isInstalled = (): Promise<boolean> =>
  readdir(programs).then(
    (versions) => versions.length > 0,
    () => false,
  );
