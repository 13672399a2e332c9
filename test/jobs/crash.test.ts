import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/jobs/open-database.ts';
import { listRuns } from '../../src/jobs/runs.ts';
import { type Children, createChildren, type Line } from './support/children.ts';
import { labeled } from './support/entries.ts';
import { type Cluster, postgresPrograms, startCluster } from './support/postgres.ts';
import { until } from './support/worker.ts';

const MINUTES = 180_000;

function children(url: string | undefined): Children {
  const made = createChildren(url);
  onTestFinished(() => made.remove());
  return made;
}

/** Stages whose artefact was kept and whose work began again after that. */
function doneAgain(lines: Line[]): Line[] {
  return lines.filter(
    (line) =>
      line.what === 'start' &&
      lines.some(
        (kept) => kept.what === 'kept' && kept.run === line.run && kept.stage === line.stage && kept.at <= line.at,
      ),
  );
}

const finished = (made: Children, runs: number) =>
  until(() => new Set(made.lines('kept').flatMap((line) => (line.stage === 'report' ? [line.run] : []))).size >= runs);

describe('a process that is killed', () => {
  it(
    'on the embedded database: the next one goes on after the last finished stage',
    async () => {
      const made = children(undefined);
      const first = await made.start({ stageMs: 400 });
      expect(await made.accept(first, labeled())).toBe('new');
      await until(() => made.lines('start').some((line) => line.stage === 'answer'));
      await made.kill(first);
      await made.start({ stageMs: 10 });
      await finished(made, 1);
      expect(doneAgain(made.lines())).toEqual([]);
      expect(made.lines('start').filter((line) => line.stage === 'answer')).toHaveLength(2);
      expect(made.lines('start').filter((line) => line.stage === 'ask')).toHaveLength(1);
    },
    MINUTES,
  );

  it(
    'right after a delivery was acknowledged: the next one acts on it',
    async () => {
      const made = children(undefined);
      const first = await made.start({ stageMs: 60_000 });
      for (const issue of [1, 2, 3, 4, 5]) expect(await made.accept(first, labeled({ issue }))).toBe('new');
      await made.kill(first);
      await made.start({ stageMs: 10 });
      await finished(made, 5);
    },
    MINUTES,
  );

  it(
    'gives the data directory free, and no second process gets it before',
    async () => {
      const made = children(undefined);
      const first = await made.start();
      const open = `import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, '../../src/jobs/open-database.ts'))};
      await openDatabase({ url: undefined, dataDir: ${JSON.stringify(made.dataDir)} });`;
      const second = spawnSync(process.execPath, ['--input-type=module', '-e', open], { encoding: 'utf8' });
      expect(second.status).not.toBe(0);
      expect(second.stderr).toContain('is in use by another Fathom process');
      await made.kill(first);
      const database = await openDatabase({ url: undefined, dataDir: made.dataDir });
      await database.close();
    },
    MINUTES,
  );
});

describe('the data directory', () => {
  it(
    'is refused to a second opening in the same process too, and is free after closing',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'fathom-lock-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const first = await openDatabase({ url: undefined, dataDir: folder });
      await expect(openDatabase({ url: undefined, dataDir: folder })).rejects.toThrow('in use');
      await first.close();
      await (await openDatabase({ url: undefined, dataDir: folder })).close();
    },
    MINUTES,
  );
});

describe.skipIf(postgresPrograms === undefined)('workers on one PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = startCluster();
  }, MINUTES);
  afterAll(() => cluster?.remove());

  const runsOf = async () => {
    const database = await openDatabase({ url: cluster.url, dataDir: '' });
    const runs = await listRuns(database, 1000);
    await database.close();
    return runs;
  };

  it(
    'share the runs, and when one is killed the other goes on with its runs and repeats no finished stage',
    async () => {
      const made = children(cluster.url);
      const [first, second] = [await made.start({ stageMs: 300 }), await made.start({ stageMs: 300 })];
      for (let issue = 1; issue <= 12; issue++) {
        expect(await made.accept(first, labeled({ issue, repository: 10 + (issue % 6) }))).toBe('new');
      }
      await until(() => new Set(made.lines('start').map((line) => line.pid)).size === 2);
      await until(() => made.lines('kept').some((line) => line.pid === String(first.pid) && line.stage === 'ask'));
      await made.kill(first);
      await finished(made, 12);
      expect(doneAgain(made.lines())).toEqual([]);
      await made.kill(second);
      const runs = await runsOf();
      expect(runs).toHaveLength(12);
      expect(Math.max(...runs.map((run) => run.attempt))).toBe(2);
    },
    MINUTES,
  );

  it(
    'a stop reaches the run in whichever process it is',
    async () => {
      const made = children(cluster.url);
      const [first, second] = [await made.start({ stageMs: 60_000 }), await made.start({ stageMs: 60_000 })];
      const entry = labeled({ issue: 99 });
      await made.accept(first, entry);
      await until(() => made.lines('start').length > 0);
      const holder = made.lines('start')[0]?.pid === String(first.pid) ? first : second;
      const other = holder === first ? second : first;
      await made.accept(other, { ...entry, kind: 'closed', deliveryId: 'c', eventKey: 'c' } as typeof entry);
      await until(async () => (await runsOf()).find((run) => run.issue.number === 99)?.state === 'ended');
    },
    MINUTES,
  );

  it(
    'a database that goes away and comes back costs no run and no finished stage',
    async () => {
      const made = children(cluster.url);
      const first = await made.start({ stageMs: 500 });
      for (const issue of [201, 202, 203]) await made.accept(first, labeled({ issue, repository: issue }));
      await until(() => made.lines('kept').length > 0);
      cluster.crash();
      await until(() => made.lines('work-done').length >= 4);
      cluster.start();
      await finished(made, 3);
      expect(doneAgain(made.lines())).toEqual([]);
    },
    MINUTES,
  );
});
