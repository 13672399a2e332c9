import { describe, expect, it, onTestFinished } from 'vitest';
import { createOperations } from '#src/jobs/operations.ts';
import { runIdOf } from '#src/jobs/runs.ts';
import { tellWaiting } from '#src/server/tell-waiting.ts';
import { silent } from '../github/forge-on-front.ts';
import { onBothDatabases, type TestDatabase } from '../jobs/support/databases.ts';
import { command, happened, labeled } from '../jobs/support/entries.ts';
import { diagnosed, type TestWorker, testWorker, until } from '../jobs/support/worker.ts';

/** A queue that nobody works on, and what an issue is told at each look, with time going on by as much as is said. */
async function waitingRoom(database: TestDatabase) {
  const made = await testWorker(database.get(), async () => diagnosed, { concurrency: 1, perRepository: 1 });
  onTestFinished(() => made.stop());
  const comments = new Map<string, string>();
  let writes = 0;
  let ahead = 0;
  const look = (seconds = 60): Promise<number> => {
    ahead += seconds;
    writes = 0;
    return tellWaiting({
      database: database.get(),
      permission: 'write',
      log: silent,
      clock: { now: () => new Date(Date.now() + ahead * 1000) },
      forge: {
        permission: made.forge.forge.permission,
        issueState: made.forge.forge.issueState,
        comment: async (issue, marker, body) => {
          writes += 1;
          const key = `${issue.number} ${marker.split(':')[0]}`;
          if (body === undefined) comments.delete(key);
          else comments.set(key, body);
          return { url: '' };
        },
      },
    });
  };
  return { made, look, comments, writes: () => writes };
}

/** Takes an issue out of the queue, as though its turn had come and it had been done. */
const done = (database: TestDatabase, issue: number) =>
  database.get().query('DELETE FROM pgboss.job WHERE singleton_key = $1', [`10#${issue}`]);

async function accept({ inbox }: TestWorker, count: number): Promise<void> {
  for (let issue = 1; issue <= count; issue++) await inbox.accept(labeled({ issue, key: `label ${issue}` }));
}

describe('an issue that waits for its turn', () => {
  onBothDatabases((database) => {
    it('is told its position, and again only when that is notably smaller', async () => {
      const { made, look, comments } = await waitingRoom(database);
      await accept(made, 6);
      await made.inbox.accept(command('diagnose', { issue: 7 }));
      for (let looks = 0; looks < 6; looks++) await look();
      expect(comments.get('7 progress')).toContain('number 1 in the queue');
      expect(comments.get('6 progress')).toContain('number 7 in the queue');
      await done(database, 1);
      expect([await look(), comments.get('6 progress')]).toEqual([2, expect.stringContaining('number 7')]);
      for (const issue of [2, 3, 4]) await done(database, issue);
      for (let looks = 0; looks < 6; looks++) await look();
      expect(comments.get('6 progress')).toContain('number 3 in the queue');
    });

    it('is told nothing while its turn may come within seconds, nor twice within twenty', async () => {
      const { made, look, comments } = await waitingRoom(database);
      await accept(made, 2);
      expect(await look(0)).toBe(0);
      expect(await look(15)).toBe(2);
      await done(database, 1);
      await look(5);
      expect(comments.get('2 progress')).toContain('number 2');
      await look(20);
      expect(comments.get('2 progress')).toContain('number 1');
    });

    it('is one of two hundred: no look at them writes more than two comments, and those whose turn is next are first', async () => {
      const { made, look, comments, writes } = await waitingRoom(database);
      await accept(made, 200);
      for (let looks = 0; looks < 5; looks++) {
        await look();
        expect(writes()).toBeLessThanOrEqual(2);
      }
      expect([...comments.keys()].sort()).toEqual(
        Array.from({ length: 10 }, (_, index) => `${index + 1} progress`).sort(),
      );
    });

    it('by somebody who may not ask is told nothing, however long it waits, and is asked about once', async () => {
      const { made, look, comments } = await waitingRoom(database);
      await made.inbox.accept(labeled({ actor: 'mallory' }));
      await look();
      await look();
      expect([comments.size, made.forge.asked]).toEqual([0, ['mallory']]);
    });

    it('and is closed is told that it was stopped and by whom, at the next look', async () => {
      const { made, look, comments } = await waitingRoom(database);
      await accept(made, 2);
      await look();
      await made.inbox.accept(happened('closed', { issue: 2, actor: 'maria' }));
      await look();
      expect(comments.has('2 progress')).toBe(false);
      expect(comments.get('2 result')).toContain('**Stopped** by `@maria`');
      expect(comments.get('1 progress')).toContain('number 1');
    });

    it('keeps its comment for the run once its turn comes', async () => {
      const { made, look, comments } = await waitingRoom(database);
      await accept(made, 1);
      await look();
      await made.start();
      const runs = createOperations(database.get(), made.ports.queue);
      await until(async () => (await runs.list(5))[0]?.end === 'diagnosed');
      // The run ends a moment before its job does.
      await until(async () => (await made.ports.queue.depth()).running === 0);
      await look();
      expect(comments.has('1 progress')).toBe(true);
      expect(await database.get().query('SELECT 1 FROM fathom.waiting')).toEqual([]);
    });

    it('is listed for the operator with its position, can be shown, and can be stopped', async () => {
      const { made } = await waitingRoom(database);
      await accept(made, 2);
      await made.inbox.accept(command('resolve', { issue: 3, key: 'comment 3' }));
      const runs = createOperations(database.get(), made.ports.queue);
      const listed = (await runs.list(10)).map(({ issue, state, position }) => [issue, state, position]);
      expect(listed).toEqual([3, 1, 2].map((issue, index) => [`acme/widget-10#${issue}`, 'waiting', index + 1]));
      const id = runIdOf('label 2');
      expect(await runs.show(id)).toMatchObject({ title: 'Issue 2', state: 'waiting', position: 3, finished: [] });
      expect(await runs.stop(id)).toMatchObject({ id, state: 'waiting' });
      await made.start();
      await until(async () => (await runs.list(10)).filter(({ end }) => end === 'diagnosed').length === 2);
      await until(
        async () => (await made.ports.queue.depth()).running + (await made.ports.queue.depth()).waiting === 0,
      );
      expect((await runs.list(10)).map(({ issue }) => issue).sort()).toEqual(['acme/widget-10#1', 'acme/widget-10#3']);
    });
  });
});
