import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keptBytes, knownRuns, removeBeyond } from '../../src/jobs/retention.ts';
import { listRuns } from '../../src/jobs/runs.ts';
import { onBothDatabases, type TestDatabase } from './support/databases.ts';
import { labeled } from './support/entries.ts';
import { diagnosed, testWorker, until } from './support/worker.ts';

const KB = 1000;

/** Three runs that ended one after another and one that goes on, each with 40 kB of artefacts and transcripts. */
async function fourRuns(database: TestDatabase) {
  const { promise: over, resolve: finish } = Promise.withResolvers<void>();
  const made = await testWorker(database.get(), async (run, kept) => {
    const text = randomBytes(15 * KB).toString('base64');
    await kept.ledger.save(run.id, 'big', text);
    await kept.trajectories.append(run.id, 'answerer-Q1', { type: 'system', text } as never);
    if (run.snapshot.title === 'Issue 4') await over;
    return diagnosed;
  });
  onTestFinished(() => made.stop());
  onTestFinished(() => finish());
  await made.start();
  for (const issue of [1, 2, 3, 4]) {
    await made.inbox.accept(labeled({ issue, repository: issue }));
    const ended = Math.min(issue, 3);
    await until(async () => {
      const runs = await listRuns(database.get(), 10);
      return (
        runs.filter((run) => run.state === 'ended').length === ended &&
        (await keptBytes(database.get())) >= issue * 35 * KB
      );
    });
  }
}

const issues = async (database: TestDatabase) =>
  (await listRuns(database.get(), 10)).map((run) => run.issue.number).sort();

describe('what runs leave in the database', () => {
  onBothDatabases((database) => {
    it('goes with the run that ended first, until the rest is within the cap, and never with one that goes on', async () => {
      await fourRuns(database);
      expect(await removeBeyond(database.get(), 1000 * KB)).toBe(0);
      expect(await removeBeyond(database.get(), 140 * KB)).toBe(1);
      expect(await issues(database)).toEqual([2, 3, 4]);
      expect(await keptBytes(database.get())).toBeLessThan(140 * KB);
      expect(await removeBeyond(database.get(), 1)).toBe(2);
      expect(await issues(database)).toEqual([4]);
      expect((await knownRuns(database.get())).open.size).toBe(1);
    });
  });
});
