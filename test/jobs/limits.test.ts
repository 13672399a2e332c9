import { describe, expect, it, onTestFinished } from 'vitest';
import type { Run } from '../../src/domain/run.ts';
import { ISSUE, startBoss } from '../../src/jobs/boss.ts';
import { claimIssue } from '../../src/jobs/claim-issue.ts';
import type { Database } from '../../src/jobs/database.ts';
import { openDatabase } from '../../src/jobs/open-database.ts';
import { createQueue, type HeldJob } from '../../src/jobs/queue.ts';
import { listRuns, type RunRecord } from '../../src/jobs/runs.ts';
import type { KeptPorts, WorkerPorts } from '../../src/jobs/worker-ports.ts';
import { onBothDatabases, onPostgres, type TestDatabase } from './support/databases.ts';
import { command, labeled } from './support/entries.ts';
import { postgresPrograms } from './support/postgres.ts';
import { diagnosed, testWorker, until } from './support/worker.ts';

interface Watched {
  execute: WorkerPorts['execute'];
  /** Issues in the order in which their runs began. */
  began: number[];
  /** The most that ran at once, of each repository and installation. */
  most: Map<string, number>;
}

/** Runs that take a moment, and what of them was at work at the same time. */
function watched(milliseconds = 30): Watched {
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const began: number[] = [];
  const count = (key: string, by: number) => {
    const now = (running.get(key) ?? 0) + by;
    running.set(key, now);
    most.set(key, Math.max(most.get(key) ?? 0, now));
  };
  return {
    began,
    most,
    execute: async (_run, _kept, _signal, { issue }) => {
      const keys = [`repository ${issue.repositoryId}`, `installation ${issue.installationId}`, 'all'];
      began.push(issue.number);
      for (const key of keys) count(key, 1);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      for (const key of keys) count(key, -1);
      return diagnosed;
    },
  };
}

async function worker(
  database: TestDatabase,
  execute: WorkerPorts['execute'],
  options: Parameters<typeof testWorker>[2],
) {
  const made = await testWorker(database.get(), execute, options);
  onTestFinished(() => made.stop());
  return made;
}

const ended = (database: TestDatabase, count: number) =>
  until(async () => (await listRuns(database.get(), 1000)).filter((run) => run.state === 'ended').length >= count);

describe('runs at once', () => {
  onBothDatabases((database) => {
    it('are no more on one installation than configured, and another one is not kept waiting', async () => {
      const watch = watched();
      const made = await worker(database, watch.execute, { concurrency: 6, perRepository: 6, perInstallation: 2 });
      for (let issue = 1; issue <= 8; issue++) {
        await made.inbox.accept(labeled({ issue, repository: 10 + (issue % 4), installation: 77 }));
      }
      await made.inbox.accept(labeled({ issue: 9, repository: 90, installation: 88 }));
      await made.start();
      await ended(database, 9);
      expect(watch.most.get('installation 77')).toBe(2);
      expect(watch.began.indexOf(9)).toBeLessThan(4);
    });

    it('of an installation with many issues leave the next free place to another one, and none empty', async () => {
      const watch = watched();
      const made = await worker(database, watch.execute, { concurrency: 3, perRepository: 1, perInstallation: 9 });
      for (let issue = 1; issue <= 12; issue++) {
        await made.inbox.accept(labeled({ issue, repository: 10 + (issue % 3), installation: 77 }));
      }
      for (const issue of [13, 14]) await made.inbox.accept(labeled({ issue, repository: 90, installation: 88 }));
      await made.start();
      await ended(database, 14);
      expect(watch.began.indexOf(13)).toBeLessThan(3);
      expect(watch.began.indexOf(14)).toBeLessThan(9);
      expect(watch.most.get('all')).toBe(3);
    });

    it('are no more on one repository or in one process than configured', async () => {
      const watch = watched();
      const made = await worker(database, watch.execute, { concurrency: 3, perRepository: 1 });
      for (let issue = 1; issue <= 9; issue++) {
        await made.inbox.accept(labeled({ issue, repository: 10 + (issue % 5) }));
      }
      await made.start();
      await ended(database, 9);
      const { most } = watch;
      expect(most.get('all')).toBeLessThanOrEqual(3);
      expect([10, 11, 12, 13, 14].map((id) => most.get(`repository ${id}`))).toEqual([1, 1, 1, 1, 1]);
    });

    it('a command of a person goes before labels that have waited longer', async () => {
      const watch = watched(5);
      const made = await worker(database, watch.execute, { concurrency: 1, perRepository: 1 });
      for (const issue of [1, 2, 3]) await made.inbox.accept(labeled({ issue }));
      await made.inbox.accept(command('diagnose', { issue: 4 }));
      await made.inbox.accept(command('diagnose', { issue: 3 }));
      await made.start();
      await ended(database, 4);
      expect(watch.began).toEqual([3, 4, 1, 2]);
    });
  });
});

describe.skipIf(postgresPrograms === undefined)('several processes on one PostgreSQL', () => {
  const database = onPostgres();
  const ISSUES = 60;
  const repositories = [10, 11, 12, 13, 14, 15];

  it('that look at the same moment do not both take the last place of a repository or an installation', async () => {
    const made = await worker(database, async () => diagnosed, {});
    for (let issue = 1; issue <= ISSUES; issue++) {
      await made.inbox.accept(labeled({ issue, repository: 10 + (issue % repositories.length) }));
    }
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase({ url: database.cluster().url, dataDir: '' })),
    );
    const limits = { concurrency: 9, perRepository: 1, perInstallation: 4 };
    const queues = await Promise.all(opened.map((one) => createQueue(one, limits, () => undefined)));
    onTestFinished(async () => {
      for (const queue of queues) await queue.stop();
      for (const one of opened) await one.close();
    });
    const watch = watched(10);
    const done: string[] = [];
    const issue = async (key: string, job: HeldJob) => {
      const [repositoryId = ''] = key.split('#');
      const record = { issue: { repositoryId, installationId: '77', number: 0 } } as RunRecord;
      await watch.execute({} as Run, {} as KeptPorts, job.signal, record);
      await made.ports.queue.complete(database.get(), job);
      done.push(key);
    };
    const handlers = { issue, control: async () => undefined, dead: async () => undefined };
    await Promise.all(queues.map((queue) => queue.work(handlers)));
    await until(() => done.length === ISSUES);
    expect(watch.most.get('installation 77')).toBeLessThanOrEqual(4);
    expect(repositories.map((id) => watch.most.get(`repository ${id}`))).toEqual(repositories.map(() => 1));
  });

  it('a job that comes in while a process looks for the next one does not get past a repository that is full', async () => {
    const made = await worker(database, async () => diagnosed, {});
    const opened = await openDatabase({ url: database.cluster().url, dataDir: '' });
    const boss = await startBoss(opened, () => undefined);
    onTestFinished(async () => {
      await boss.stop({ graceful: false });
      await opened.close();
    });
    const limits = { perRepository: 1, perInstallation: 10 };
    await made.inbox.accept(labeled({ issue: 1, repository: 10 }));
    expect(await claimIssue(boss, opened, ISSUE, limits)).toMatchObject({ issue: '10#1' });
    await made.inbox.accept(labeled({ issue: 2, repository: 11 }));
    const meanwhile = () => made.inbox.accept(command('diagnose', { issue: 3, repository: 10 }));
    expect(await claimIssue(boss, afterCounting(opened, meanwhile), ISSUE, limits)).toMatchObject({ issue: '11#2' });
  });

  it('a repository that is first heard of while a process looks for the next job does not get past a full installation', async () => {
    const made = await worker(database, async () => diagnosed, {});
    const opened = await openDatabase({ url: database.cluster().url, dataDir: '' });
    const boss = await startBoss(opened, () => undefined);
    onTestFinished(async () => {
      await boss.stop({ graceful: false });
      await opened.close();
    });
    const limits = { perRepository: 1, perInstallation: 1 };
    await made.inbox.accept(labeled({ issue: 1, repository: 10 }));
    expect(await claimIssue(boss, opened, ISSUE, limits)).toMatchObject({ issue: '10#1' });
    await made.inbox.accept(labeled({ issue: 2, repository: 20, installation: 88 }));
    let first = true;
    const meanwhile = async () => {
      if (first) await made.inbox.accept(command('diagnose', { issue: 3, repository: 30 }));
      first = false;
    };
    expect(await claimIssue(boss, afterCounting(opened, meanwhile), ISSUE, limits)).toMatchObject({ issue: '20#2' });
    expect(await claimIssue(boss, opened, ISSUE, limits)).toBeUndefined();
  });
});

/** The database, on which something else happens once the active jobs were counted. */
const afterCounting = (database: Database, meanwhile: () => Promise<unknown>): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction((sql) =>
      work({
        ...sql,
        query: async (text, values) => {
          const rows = await sql.query(text, values);
          if (text.startsWith('WITH active')) await meanwhile();
          return rows as never;
        },
      }),
    ),
});
