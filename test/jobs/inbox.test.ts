import { describe, expect, it, onTestFinished } from 'vitest';
import { listRuns } from '../../src/jobs/runs.ts';
import { onBothDatabases, type TestDatabase } from './support/databases.ts';
import { command, happened, installation, labeled, unlabeled } from './support/entries.ts';
import { diagnosed, type TestWorker, testWorker, until } from './support/worker.ts';

async function worker(database: TestDatabase, execute = async () => diagnosed): Promise<TestWorker> {
  const made = await testWorker(database.get(), execute);
  onTestFinished(() => made.stop());
  return made;
}

const ended = async (database: TestDatabase, count: number) =>
  until(async () => {
    const runs = await listRuns(database.get(), 1000);
    return runs.length >= count && runs.every((run) => run.state === 'ended') ? runs : undefined;
  });

const outcomes = async (database: TestDatabase) =>
  (await database.get().query<{ outcome: string | null }>('SELECT outcome FROM fathom.inbox ORDER BY id')).map(
    (row) => row.outcome,
  );

/** Resolves once nothing is left to act upon. */
const quiet = async (database: TestDatabase, { ports }: TestWorker) =>
  until(async () => {
    const depth = await ports.queue.depth();
    return depth.waiting + depth.running === 0 && (await outcomes(database)).every((outcome) => outcome !== null);
  });

describe('the inbox', () => {
  onBothDatabases((database) => {
    it('a delivery that is sent twenty times at once is accepted once', async () => {
      const { inbox } = await worker(database);
      const entry = labeled();
      const answers = await Promise.all(Array.from({ length: 20 }, () => inbox.accept(entry)));
      expect(answers.filter((answer) => answer === 'new')).toHaveLength(1);
    });

    it('two deliveries of one event count once', async () => {
      const { inbox } = await worker(database);
      const first = await inbox.accept(labeled({ key: 'label 7', delivery: 'a' }));
      expect([first, await inbox.accept(labeled({ key: 'label 7', delivery: 'b' }))]).toEqual(['new', 'known']);
    });

    it('a storm of labels on one issue is one run', async () => {
      const made = await worker(database);
      await Promise.all(Array.from({ length: 15 }, () => made.inbox.accept(labeled())));
      await made.start();
      await quiet(database, made);
      expect(await ended(database, 1)).toHaveLength(1);
    });

    it('what waited before a worker came is acted upon by it', async () => {
      const made = await worker(database);
      for (const issue of [1, 2, 3]) await made.inbox.accept(labeled({ issue }));
      await made.start();
      expect((await ended(database, 3)).map((run) => run.issue.number).sort()).toEqual([1, 2, 3]);
    });

    it('a label that was taken off again before its turn starts nothing', async () => {
      const made = await worker(database);
      await made.inbox.accept(labeled());
      await made.inbox.accept(unlabeled());
      await made.start();
      await quiet(database, made);
      expect(await listRuns(database.get(), 10)).toEqual([]);
      expect(await outcomes(database)).toEqual(['stopped by @alice', 'noted']);
    });

    it('a label that was put on, taken off and put on again within one second starts a run, and the last removal holds', async () => {
      const made = await worker(database);
      const on = (delivery: string) => made.inbox.accept(labeled({ key: 'on at 12:00:00', delivery }));
      const off = (delivery: string) => made.inbox.accept(unlabeled({ key: 'off at 12:00:00', delivery }));
      expect([await on('a'), await off('b'), await on('c'), await on('c'), await on('a')]).toEqual([
        ...['new', 'new', 'new'],
        ...['known', 'known'],
      ]);
      await made.start();
      await quiet(database, made);
      expect(await ended(database, 1)).toHaveLength(1);
      await made.stop();
      expect(await off('d')).toBe('new');
    });

    it('taking another label off stops nothing', async () => {
      const made = await worker(database);
      await made.inbox.accept(labeled());
      await made.inbox.accept(unlabeled({}, 'auto-diagnose'));
      await made.start();
      expect((await ended(database, 1))[0]?.endKind).toBe('diagnosed');
    });

    it('text that a database refuses in JSON is kept as it was', async () => {
      const made = await worker(database);
      const body = 'a NUL \u0000, half a pair \ud83d and a quote \' " \\';
      await made.inbox.accept(labeled({ body }));
      await made.start();
      expect((await ended(database, 1))[0]?.run.snapshot.body).toBe(body);
    });

    it('a label by somebody who may not write starts nothing and is refused', async () => {
      const made = await worker(database);
      await made.inbox.accept(labeled({ actor: 'mallory' }));
      await made.start();
      await quiet(database, made);
      expect(await listRuns(database.get(), 10)).toEqual([]);
      expect(made.refused.map(({ actor, refusal }) => [actor.login, refusal.kind])).toEqual([
        ['mallory', 'permission'],
      ]);
    });

    it('a request by somebody who may not write is not carried along by one that may', async () => {
      const made = await worker(database);
      await made.inbox.accept(labeled({ actor: 'alice' }, 'auto-diagnose'));
      await made.inbox.accept(command('resolve', { actor: 'mallory' }));
      await made.start();
      await quiet(database, made);
      const [run] = await ended(database, 1);
      expect([run?.run.mode, run?.run.snapshot.trigger.actor]).toEqual(['diagnose', 'alice']);
    });

    it('on a closed, locked or vanished issue nothing starts', async () => {
      const made = await worker(database);
      made.forge.state = { ...made.forge.state, locked: true };
      await made.inbox.accept(labeled());
      await made.start();
      await quiet(database, made);
      expect(made.refused.map(({ refusal }) => refusal)).toEqual([{ kind: 'issue', state: 'locked' }]);
    });

    it('an edited issue or a new installation is noted and starts nothing', async () => {
      const made = await worker(database);
      await made.inbox.accept(happened('edited'));
      await made.inbox.accept(installation('installed'));
      await made.start();
      await quiet(database, made);
      expect(await outcomes(database)).toEqual(['noted', 'noted']);
    });
  });
});
