import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '#src/domain/ports/sandbox-host.ts';
import { removeTree } from '#src/git/remove-tree.ts';
import { createDockerHost } from '#src/sandbox/create-docker-host.ts';
import { useOfFolder } from '#src/sandbox/disk-use.ts';
import { run, specFor } from './sandbox-fixture.ts';

const RUN = 'disk-limit-test';
const MB = 1e6;
const limits = { diskBytes: 100 * MB, diskFiles: 3_000, layerBytes: 150 * MB };
const host = createDockerHost({ limits, network: { mode: 'none' } });
const folders: string[] = [];
const isRoot = process.getuid?.() === 0;

afterAll(async () => {
  await host.sweep(RUN);
  await Promise.all(folders.map(removeTree));
});

async function checkout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fathom-disk-'));
  folders.push(folder);
  // Only root can give it away; who else runs this lets everybody write, as Fathom does.
  await chmod(folder, isRoot ? 0o755 : 0o777);
  await writeFile(join(folder, 'code.py'), 'x = 1\n');
  if (isRoot) await chown(folder, 65_534, 65_534);
  return folder;
}

async function writer(folder: string): Promise<Sandbox> {
  const mounts = [{ kind: 'bind', source: folder, target: '/repo', readOnly: false } as const];
  return host.start(specFor(RUN, { mounts, workdir: '/repo' }), new AbortController().signal);
}

const everything = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };
const use = (folder: string) => useOfFolder(folder, everything);

/** Writes until it is stopped, 1 MB at a time into one file after the other. */
const FILL = 'i=0; while true; do head -c 1000000 /dev/zero > "fill-$i" || exit 3; i=$((i + 1)); done';

describe('a command that fills the checkout', () => {
  it.each([
    ['with large files', FILL, 'grew by more than 100 MB'],
    ['with many small files', 'i=0; while true; do : > "small-$i"; i=$((i + 1)); done', 'got more than 3000 new files'],
    [
      'with many empty folders',
      `python3 -c 'import itertools, os; [os.mkdir(f"folder-{i}") for i in itertools.count()]'`,
      'got more than 3000 new files',
    ],
    [
      'below a path that is too long to be named',
      `n=$(printf 'x%.0s' {1..200}); for i in {1..30}; do mkdir "$n" && cd "$n"; done; ${FILL}`,
      'grew by more than 100 MB',
    ],
    [
      'with files that it deletes while they are open',
      `python3 -c '
import os, time
held = []
for i in range(600):
    held.append(open("held", "wb")); os.unlink("held"); held[-1].write(b"x" * 1000000); held[-1].flush()
time.sleep(60)'`,
      'grew by more than 100 MB',
    ],
    [
      'under names that are no text',
      `cd /repo; mkdir $'\\xff\\xfe'; cd $'\\xff\\xfe'; ${FILL}`,
      'grew by more than 100 MB',
    ],
  ])('%s is stopped, is told why, and goes not far beyond', async (_name, command, why) => {
    const folder = await checkout();
    const sandbox = await writer(folder);
    try {
      const result = await run(sandbox, command);
      expect(result).toMatchObject({ ending: 'disk-limit', exitCode: null });
      expect(result.output).toContain(`[stopped: /repo ${why}`);
      const left = await use(folder);
      expect(left.files).toBeLessThan(60_000);
      expect(left.bytes).toBeLessThan(2_000 * MB);
    } finally {
      await sandbox.remove();
    }
  });

  it('can make no file that is larger than all that there is', async () => {
    const folder = await checkout();
    const sandbox = await writer(folder);
    try {
      const { output } = await run(sandbox, 'truncate -s 200M sparse; ls -l sparse 2>&1');
      expect(output).toMatch(/File size limit exceeded|File too large|No such file/);
    } finally {
      await sandbox.remove();
    }
  });

  it('can clean up afterwards, and go on within the limit', async () => {
    const folder = await checkout();
    const sandbox = await writer(folder);
    try {
      expect((await run(sandbox, FILL)).ending).toBe('disk-limit');
      expect(await run(sandbox, 'echo still here; cat code.py')).toMatchObject({ ending: 'exited', exitCode: 0 });
      expect((await run(sandbox, `${FILL.replaceAll('fill', 'more')}`)).ending).toBe('disk-limit');
      expect(await run(sandbox, 'rm -f fill-* more-*')).toMatchObject({ ending: 'exited', exitCode: 0 });
      expect(await run(sandbox, 'head -c 50000000 /dev/zero > half; sleep 1')).toMatchObject({ ending: 'exited' });
    } finally {
      await sandbox.remove();
    }
  });
});

it('a set-up that fills its own file system is stopped as well', async () => {
  const spec = specFor(RUN, { network: 'setup', writableRoot: true, workdir: '/' });
  const sandbox = await host.start(spec, new AbortController().signal);
  try {
    const result = await run(sandbox, `mkdir /var/lib/fill; cd /var/lib/fill; ${FILL}`, { root: true });
    expect(result).toMatchObject({ ending: 'disk-limit' });
    expect(result.output).toContain("[stopped: the container's file system grew by more than 150 MB");
  } finally {
    await sandbox.remove();
  }
});

it('what is on the disk is counted as it is: links once, sparse files by their blocks, nothing behind a link', async () => {
  const folder = await checkout();
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'sub/large'), Buffer.alloc(MB, 1));
  execFileSync('sh', ['-c', 'ln sub/large again; ln -s / root; truncate -s 1G sparse; ln -s sub more'], {
    cwd: folder,
  });
  const found = await use(folder);
  expect(found).toMatchObject({ files: 7, whole: true });
  expect(found.bytes).toBeGreaterThan(MB);
  expect(found.bytes).toBeLessThan(1.1 * MB);
  await rm(join(folder, 'sparse'));
});
