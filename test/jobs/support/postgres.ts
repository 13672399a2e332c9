import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const versions = '/usr/lib/postgresql';

/** Where PostgreSQL's programs are on Debian; undefined where it is not installed. */
export const postgresPrograms = existsSync(versions)
  ? readdirSync(versions)
      .map((version) => join(versions, version, 'bin'))
      .find((bin) => existsSync(join(bin, 'initdb')))
  : undefined;

export interface Cluster {
  url: string;
  /** Ends it as a crash would. */
  crash(): void;
  start(): void;
  remove(): void;
}

/** A PostgreSQL of its own in a temporary folder, reached over a socket in there. It refuses to run as root. */
export function startCluster(): Cluster {
  const bin = postgresPrograms ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'fathom-pg-'));
  const user = process.getuid?.() === 0 ? userOf('postgres') : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(bin, program), args, { ...user, cwd: folder, stdio: 'ignore' });
  const settings = `-c listen_addresses='' -c unix_socket_directories=${folder} -c max_connections=60`;
  const start = () => run('pg_ctl', 'start', '-w', '-D', data, '-o', settings, '-l', join(folder, 'log'));
  run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync');
  start();
  return {
    url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    crash: () => run('pg_ctl', 'stop', '-D', data, '-m', 'immediate'),
    start,
    remove: () => {
      try {
        run('pg_ctl', 'stop', '-D', data, '-m', 'immediate');
      } catch {
        // It was stopped by the test.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function userOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
