import { describe, expect, it, onTestFinished } from 'vitest';
import { listRuns } from '../../src/jobs/runs.ts';
import { onBothDatabases, type TestDatabase } from './support/databases.ts';
import { command, labeled } from './support/entries.ts';
import { diagnosed, testWorker, until } from './support/worker.ts';

const BOT = 'renovate[bot]';

async function worker(database: TestDatabase) {
  const made = await testWorker(database.get(), async () => diagnosed, { concurrency: 8, perRepository: 8 });
  onTestFinished(() => made.stop());
  made.forge.permissions.set(BOT, 'write');
  await made.start();
  return made;
}
const ended = (database: TestDatabase, count: number) =>
  until(async () => (await listRuns(database.get(), 100)).filter((run) => run.state === 'ended').length >= count);

describe('a bot that the operator allows', () => {
  onBothDatabases((database) => {
    it('starts three runs a day on an issue, and no more; a person still does', async () => {
      const made = await worker(database);
      for (let count = 1; count <= 3; count++) {
        await made.inbox.accept(command('retry', { actor: BOT }));
        await ended(database, count);
      }
      await made.inbox.accept(command('retry', { actor: BOT }));
      await until(() => made.refused.length === 1);
      expect(made.refused[0]?.refusal).toEqual({ kind: 'bots', where: 'issue', runs: 3, hours: 24 });
      await made.inbox.accept(command('retry', { actor: 'alice' }));
      await ended(database, 4);
    });

    it('starts twenty runs a day on a repository, and others are none of its business', async () => {
      const made = await worker(database);
      for (let issue = 1; issue <= 20; issue++) await made.inbox.accept(labeled({ issue, actor: BOT }));
      await ended(database, 20);
      await made.inbox.accept(labeled({ issue: 21, actor: BOT }));
      await until(() => made.refused.length === 1);
      expect(made.refused[0]?.refusal).toMatchObject({ kind: 'bots', where: 'repository' });
      await made.inbox.accept(labeled({ issue: 1, repository: 20, actor: BOT }));
      await ended(database, 21);
    });

    it('does not go before others with a command, as a person does', async () => {
      const made = await testWorker(database.get(), async () => diagnosed);
      onTestFinished(() => made.stop());
      await made.inbox.accept(labeled({ issue: 1 }));
      await made.inbox.accept(command('diagnose', { issue: 2, actor: BOT }));
      await made.inbox.accept(command('diagnose', { issue: 3 }));
      const jobs = await database
        .get()
        .query<{ issue: string }>(
          "SELECT singleton_key AS issue FROM pgboss.job WHERE name = 'issue' ORDER BY priority DESC, created_on",
        );
      expect(jobs.map(({ issue }) => issue)).toEqual(['10#3', '10#1', '10#2']);
    });
  });
});
