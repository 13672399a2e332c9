import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { InputError } from '#src/domain/errors.ts';
import type { Operations, RunDetails } from '#src/jobs/operations.ts';
import { openAdminSocket } from '#src/server/admin-socket.ts';
import { silent } from '../github/forge-on-front.ts';
import { runFathom } from './fathom-process.ts';

const run: RunDetails = {
  id: 'r1',
  issue: 'acme/widget#1',
  mode: 'resolve',
  actor: 'maria',
  state: 'ended',
  attempt: 1,
  createdAt: '2026-01-02T03:04:05.000Z',
  title: 'Quotes are lost',
  finished: ['prepare', 'ask'],
  spent: { tokens: { input: 40_000, cached: 0, output: 1_000, reasoning: 0 }, usd: 0, calls: 3, unpriced: 3 },
};

/** What `fathom runs …` prints beside a server that has this one run. */
async function printed(shown: RunDetails, ...args: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const operations: Operations = {
    list: async () => [shown],
    show: async () => shown,
    stop: async () => shown,
    retry: async () => shown,
    depth: async () => ({ waiting: 0, running: 0, oldestSeconds: 0, dead: 0 }),
  };
  onTestFinished(await openAdminSocket(folder, operations, silent));
  return (await runFathom(['runs', ...args], folder, { FATHOM_DATA: folder })).stdout;
}

it('a run whose model has no known price is not shown as free', async () => {
  const text = await printed(run, 'show', 'r1');
  expect(text).toContain('41k tokens');
  expect(text).not.toContain('$');
});

it('a run with a price shows it, and what is finished', async () => {
  const text = await printed({ ...run, spent: { ...run.spent, usd: 0.5, unpriced: 0 } }, 'show', 'r1');
  expect(text).toContain('41k tokens, $0.50');
  expect(text).toContain('prepare, ask');
});

it('a run that is not there is named once, and so is a number that is none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const refuse = () =>
    Promise.reject(new InputError([{ source: 'run r2', message: 'is no run of this database', remedy: 'Look.' }]));
  const depth = async () => ({ waiting: 0, running: 0, oldestSeconds: 0, dead: 0 });
  const operations: Operations = { list: async () => [], show: refuse, stop: refuse, retry: refuse, depth };
  onTestFinished(await openAdminSocket(folder, operations, silent));
  const shown = await runFathom(['runs', 'show', 'r2'], folder, { FATHOM_DATA: folder });
  expect([shown.code, shown.stderr]).toEqual([2, 'fathom: run r2 is no run of this database\n  Look.\n']);
  const listed = await runFathom(['runs', 'list', '--limit', '0'], folder, { FATHOM_DATA: folder });
  expect([listed.code, listed.stderr]).toEqual([
    2,
    'fathom: --limit "0" is not a number of runs\n  Give how many to list, from 1.\n',
  ]);
});
