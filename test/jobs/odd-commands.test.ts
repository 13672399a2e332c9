import { expect, it, onTestFinished } from 'vitest';
import { listRuns } from '../../src/jobs/runs.ts';
import { embedded } from './support/databases.ts';
import { command, labeled } from './support/entries.ts';
import { diagnosed, testWorker, until } from './support/worker.ts';

const database = embedded();

/** A worker with one place, and a run in it that goes on until `finish` is called. */
async function busy() {
  const over = Promise.withResolvers<void>();
  const made = await testWorker(
    database.get(),
    async () => {
      await over.promise;
      return diagnosed;
    },
    { concurrency: 1 },
  );
  onTestFinished(() => made.stop());
  onTestFinished(() => over.resolve());
  await made.start();
  return { ...made, finish: over.resolve };
}

it('what is no command is answered while a run goes on, and neither stops that nor starts another', async () => {
  const made = await busy();
  await made.inbox.accept(labeled());
  await until(async () => (await listRuns(database.get(), 9)).length === 1);
  await made.inbox.accept(command('unknown'));
  await made.inbox.accept(command('unknown', { issue: 2 }));
  await until(() => made.refused.length === 2);
  expect(made.refused.map(({ refusal, commentId }) => [refusal.kind, commentId])).toEqual([
    ['unknown-command', 900],
    ['unknown-command', 900],
  ]);
  made.finish();
  const run = await until(async () => (await listRuns(database.get(), 9)).find(({ state }) => state === 'ended'));
  expect(run.endKind).toBe('diagnosed');
  await until(async () => (await made.ports.queue.depth()).running === 0);
  expect(await listRuns(database.get(), 9)).toHaveLength(1);
});

it('a stranger who writes what is no command is asked about and not answered', async () => {
  const made = await busy();
  await made.inbox.accept(command('unknown', { actor: 'mallory' }));
  await made.inbox.accept(command('unknown', { issue: 2 }));
  await until(async () => {
    const rows = await database.get().query("SELECT 1 FROM pgboss.job WHERE state <= 'active'");
    return made.forge.asked.length === 2 && rows.length === 0;
  });
  expect(made.refused.map(({ issue }) => issue.number)).toEqual([2]);
});

it('a stop where nothing runs or waits is told so, and keeps nothing from starting afterwards', async () => {
  const made = await busy();
  await made.inbox.accept(command('stop'));
  await until(() => made.refused.length === 1);
  expect(made.refused[0]).toMatchObject({ commentId: 900, refusal: { kind: 'nothing-runs' } });
  made.finish();
  await made.inbox.accept(labeled());
  const run = await until(async () => (await listRuns(database.get(), 9)).find(({ state }) => state === 'ended'));
  expect(run.endKind).toBe('diagnosed');
});

it('a stop of what waits for its turn is not told that nothing runs', async () => {
  const made = await busy();
  await made.inbox.accept(labeled());
  await until(async () => (await listRuns(database.get(), 9)).length === 1);
  await made.inbox.accept(labeled({ issue: 2 }));
  await made.inbox.accept(command('stop', { issue: 2 }));
  await made.inbox.accept(command('stop', { issue: 3 }));
  await until(() => made.refused.length > 0 && made.forge.asked.length === 3);
  made.finish();
  await until(
    async () => (await database.get().query("SELECT 1 FROM pgboss.job WHERE state <= 'active'")).length === 0,
  );
  expect(made.refused.map(({ issue }) => issue.number)).toEqual([3]);
  expect(await listRuns(database.get(), 9)).toHaveLength(1);
});
