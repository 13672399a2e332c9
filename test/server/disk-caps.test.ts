import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pruneMirrors, pruneWorkspaces } from '#src/git/prune-folders.ts';
import { createDiskCaps, type DiskBytes } from '#src/server/disk-caps.ts';
import { embedded } from '../jobs/support/databases.ts';
import { labeled } from '../jobs/support/entries.ts';
import { diagnosed, testWorker, until } from '../jobs/support/worker.ts';

const MB = 1e6;
const NOW = Date.parse('2026-11-30T12:00:00Z');
const database = embedded();

function place() {
  const dataDir = mkdtempSync(join(tmpdir(), 'fathom-disk-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  /** A folder of a megabyte that was used so many hours ago. */
  const fill = (kind: 'mirrors' | 'workspaces', name: string, hoursAgo: number) => {
    const folder = join(dataDir, kind, name);
    mkdirSync(join(folder, 'inside'), { recursive: true });
    writeFileSync(join(folder, 'inside', 'data'), Buffer.alloc(MB, 1));
    const at = new Date(NOW - hoursAgo * 3_600_000);
    utimesSync(folder, at, at);
  };
  const left = (kind: 'mirrors' | 'workspaces') =>
    readdirSync(join(dataDir, kind))
      .filter((name) => !name.startsWith('.'))
      .sort();
  const caps = (bytes: Partial<DiskBytes>) =>
    createDiskCaps({
      database: database.get(),
      sandboxes: { pruneImages: async () => 0, imageBytes: async () => 7 },
      pruneMirrors: (cap) => pruneMirrors(dataDir, cap),
      pruneWorkspaces: (cap) => pruneWorkspaces(dataDir, cap),
      caps: { mirrors: 1e12, workspaces: 1e12, images: 1e12, artefacts: 1e12, ...bytes },
      imageName: 'x',
      idleSeconds: 3 * 3600,
      now: () => NOW,
    });
  return { fill, left, caps };
}

it('mirrors over their cap go, the one unused longest first, and one that may be in use stays', async () => {
  const { fill, left, caps } = place();
  for (const [name, hours] of [
    ['a.git', 9],
    ['b.git', 30],
    ['c.git', 2],
    ['d.git', 5],
  ] as const) {
    fill('mirrors', name, hours);
  }
  const disk = caps({ mirrors: 3.5 * MB });
  expect(await disk.enforce()).toBe(1);
  expect(left('mirrors')).toEqual(['a.git', 'c.git', 'd.git']);
  expect(disk.used().mirrors).toBeGreaterThan(2.9 * MB);
  await caps({ mirrors: 1 }).enforce();
  expect(left('mirrors')).toEqual(['c.git']);
});

it('workspaces over their cap go where their run ended, and never of a run that goes on', async () => {
  const { fill, left, caps } = place();
  const { promise: over, resolve: finish } = Promise.withResolvers<void>();
  const ids: string[] = [];
  const made = await testWorker(database.get(), async (run) => {
    ids.push(run.id);
    if (run.snapshot.title === 'Issue 2') await over;
    return diagnosed;
  });
  onTestFinished(() => made.stop());
  onTestFinished(() => finish());
  await made.start();
  await made.inbox.accept(labeled({ issue: 1 }));
  await until(async () => (await database.get().query("SELECT 1 FROM fathom.run WHERE state = 'ended'")).length === 1);
  await made.inbox.accept(labeled({ issue: 2 }));
  await until(() => ids.length === 2);
  const [ended = '', open = ''] = ids;
  fill('workspaces', ended, 0);
  fill('workspaces', open, 50);
  fill('workspaces', 'command-line-now', 1);
  fill('workspaces', 'command-line-long-ago', 40);
  expect(await caps({ workspaces: 3.5 * MB }).enforce()).toBe(1);
  expect(left('workspaces')).not.toContain('command-line-long-ago');
  await caps({ workspaces: 1 }).enforce();
  expect(left('workspaces').sort()).toEqual(['command-line-now', open].sort());
});

it('what was found is shown for each kind', async () => {
  const disk = place().caps({});
  expect(disk.used()).toEqual({});
  await disk.enforce();
  expect(disk.used()).toMatchObject({ mirrors: 0, workspaces: 0, images: 7, artefacts: expect.any(Number) });
});
