import { describe, expect, it, onTestFinished } from 'vitest';
import { listRuns } from '../../src/jobs/runs.ts';
import type { WorkerPorts } from '../../src/jobs/worker-ports.ts';
import { onBothDatabases, type TestDatabase } from './support/databases.ts';
import { labeled } from './support/entries.ts';
import { diagnosed, testWorker, until } from './support/worker.ts';

const away = { kind: 'failed' as const, code: 'model-unreachable', message: 'no answer', remedy: 'wait' };

/** The end is kept and told as the pipeline does. */
const endingWith =
  (end: () => typeof away | typeof diagnosed): WorkerPorts['execute'] =>
  async (run, kept) => {
    const came = end();
    await kept.ledger.save(run.id, 'end', came);
    const event = {
      at: run.startedAt,
      type: 'run-finished' as const,
      end: came,
      spent: await kept.ledger.spent(run.id),
    };
    for (const publisher of kept.publishers) publisher.publish(run.id, event);
    return came;
  };

async function worker(database: TestDatabase, execute: WorkerPorts['execute']) {
  const made = await testWorker(database.get(), execute);
  onTestFinished(() => made.stop());
  const told: unknown[][] = [];
  made.ports.log = { ...made.ports.log, error: (...line: unknown[]) => void told.push(line) };
  await made.start();
  return { ...made, told };
}

const run = async (database: TestDatabase) => (await listRuns(database.get(), 1))[0];
/** The pause is over. */
const goOn = (database: TestDatabase) =>
  database.get().query("UPDATE pgboss.job SET start_after = now() WHERE name = 'issue' AND state < 'active'");

describe('an outage of the provider', () => {
  onBothDatabases((database) => {
    it('pauses the run and tells the operator, and the run goes on after it as though nothing had been', async () => {
      let outage = true;
      const made = await worker(
        database,
        endingWith(() => (outage ? away : diagnosed)),
      );
      await made.inbox.accept(labeled());
      await until(async () => (await run(database))?.state === 'paused');
      expect(made.told).toMatchObject([[{ seconds: 60, end: { code: 'model-unreachable' } }, 'run paused']]);
      outage = false;
      await until(async () => (await made.ports.queue.depth()).running === 0);
      await goOn(database);
      await until(async () => (await run(database))?.endKind === 'diagnosed');
      expect(made.published).toMatchObject([{ type: 'run-finished', end: { kind: 'diagnosed' } }]);
      expect((await run(database))?.attempt).toBe(2);
    });

    it('that does not end pauses longer each time, and after seven times the issue is told', async () => {
      const made = await worker(
        database,
        endingWith(() => away),
      );
      await made.inbox.accept(labeled());
      await until(async () => {
        await goOn(database);
        return (await run(database))?.state === 'ended';
      });
      expect(made.told.map(([line]) => (line as { seconds: number }).seconds)).toEqual([
        60, 120, 240, 480, 960, 1800, 1800,
      ]);
      expect(made.published).toMatchObject([
        { type: 'run-finished', end: { kind: 'failed', code: 'model-unreachable' } },
      ]);
    });
  });
});
