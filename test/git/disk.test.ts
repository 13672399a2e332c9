import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EnvironmentError } from '#src/domain/errors.ts';
import { sweepWorkspaces } from '#src/git/sweep-workspaces.ts';
import { createWorkspaces } from '#src/git/workspaces.ts';
import { COMMIT, never, open, repository, temporaryFolder } from './repositories.ts';

const BIG = `for n in $(seq 8); do head -c 1000000 /dev/urandom > $n.bin; done${COMMIT}`;

/** A file system of `megabytes`; only root may mount one. */
function smallDisk(megabytes: number): string {
  const folder = temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  onTestFinished(() => {
    execFileSync('umount', [folder]);
  });
  return folder;
}

const mayMount = (() => {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.runIf(mayMount)('a full disk', () => {
  test.each([
    ['while objects are copied', 4],
    ['while files are written', 12],
    ['while .git is copied', 17],
  ])('%s is said as such, with a remedy, and leaves nothing behind', async (_when, megabytes) => {
    const dataDir = smallDisk(megabytes);
    const failure = await open(repository(BIG), {}, { dataDir }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(failure).toMatchObject({ code: 'disk-full', remedy: expect.stringContaining('Free some space') });
    expect(readdirSync(join(dataDir, 'workspaces'))).toEqual([]);
  });

  test('while a copy is made or a patch taken is said as well', async () => {
    const dataDir = smallDisk(45);
    const workspace = await open(repository(BIG), {}, { dataDir });
    const writer = await workspace.writer('one');
    await expect(workspace.writer('two')).rejects.toMatchObject({ code: 'disk-full' });
    writeFileSync(join(writer.mount.source, 'more.bin'), randomBytes(100_000));
    execFileSync('sh', ['-c', 'cat /dev/zero > filler 2> /dev/null || true'], { cwd: dataDir });
    await expect(writer.takePatch(never)).rejects.toMatchObject({ code: 'disk-full' });
  });
});

describe('a small clone that a checkout would blow up', () => {
  test.each([
    [
      'by one file under many names',
      `blob=$(head -c 10000000 /dev/zero | git hash-object -w --stdin)
       for n in $(seq 1001); do printf '100644 blob %s\\tf%s\\n' "$blob" "$n"; done | git mktree > .git/tree`,
    ],
    [
      'by folders that are each other',
      `tree=$(printf '100644 blob %s\\tx\\n' "$(echo x | git hash-object -w --stdin)" | git mktree)
       for depth in 1 2 3 4 5; do
         tree=$(for n in 0 1 2 3 4 5 6 7 8 9 a b c d e; do printf '040000 tree %s\\t%s\\n' "$tree" "$n"; done | git mktree)
       done; echo "$tree" > .git/tree`,
    ],
  ])('%s is refused before it is checked out', async (_how, script) => {
    const commit = '\ngit update-ref refs/heads/main "$(git commit-tree -m bomb "$(cat .git/tree)")"';
    const failure = await open(repository(`${script}${commit}`)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'tree-too-large',
      message: expect.stringMatching(/^the base commit has \d+ files/),
    });
  });
});

describe('a data directory', () => {
  test('that cannot be made is said with a remedy', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(open(repository(`echo 1 > a${COMMIT}`), {}, { dataDir: file })).rejects.toMatchObject({
      code: 'disk',
    });
  });

  test('loses the workspaces of dead runs, and only those', async () => {
    const dataDir = temporaryFolder();
    const now = Date.UTC(2030, 0, 2);
    const clone = repository(`echo 1 > a${COMMIT}`);
    const workspaces = createWorkspaces({ dataDir, environment: process.env });
    for (const run of ['old', 'old but alive', 'young']) {
      await workspaces.open({ run, repository: { kind: 'local', path: clone }, protectedPaths: [] }, never);
    }
    for (const name of readdirSync(join(dataDir, 'workspaces'))) {
      const age = name === 'young' ? 10 : 10_000;
      utimesSync(join(dataDir, 'workspaces', name), now / 1000 - age, now / 1000 - age);
    }
    mkdirSync(join(dataDir, 'mirrors'), { recursive: true });
    const options = { now, olderThanSeconds: 3600, alive: ['old but alive'] };
    expect(await sweepWorkspaces(dataDir, options)).toBe(1);
    expect(await sweepWorkspaces(dataDir, options)).toBe(0);
    expect(readdirSync(join(dataDir, 'workspaces'))).toHaveLength(2);
    expect(statSync(join(dataDir, 'mirrors')).isDirectory()).toBe(true);
  });

  test('loses what was being removed when the machine stopped, however young it is', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'workspaces', '.discarded-0123'), { recursive: true });
    expect(await sweepWorkspaces(dataDir, { now: Date.now(), olderThanSeconds: 3600 })).toBe(1);
    expect(readdirSync(join(dataDir, 'workspaces'))).toEqual([]);
  });

  test('without anything in it needs no sweeping', async () => {
    const options = { now: 0, olderThanSeconds: 1 };
    expect(await sweepWorkspaces(join(temporaryFolder(), 'none'), options)).toBe(0);
  });
});
