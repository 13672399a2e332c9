import { describe, expect, it, onTestFinished } from 'vitest';
import { ForgeError } from '../../src/domain/errors.ts';
import { giveUp } from '../../src/jobs/give-up.ts';
import { createOperations } from '../../src/jobs/operations.ts';
import { listRuns } from '../../src/jobs/runs.ts';
import type { WorkerPorts } from '../../src/jobs/worker-ports.ts';
import { onBothDatabases, type TestDatabase } from './support/databases.ts';
import { command, labeled } from './support/entries.ts';
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
  database.get().query(
    `UPDATE pgboss.job SET start_after = now(), created_on = created_on - interval '1 hour'
     WHERE name = 'issue' AND state < 'active'`,
  );

describe('an outage of the provider', () => {
  onBothDatabases((database) => {
    it('pauses the run and tells the operator, and the run goes on after it as though nothing had been', async () => {
      let outage = true;
      const made = await worker(
        database,
        endingWith(() => (outage ? away : diagnosed)),
      );
      await made.inbox.accept(labeled());
      await until(async () => (await run(database))?.state === 'paused' && made.told.length > 0);
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

describe('a command of a person during an outage', () => {
  onBothDatabases((database) => {
    it('tries once more, and does not use up the pauses of the run', async () => {
      const made = await worker(
        database,
        endingWith(() => away),
      );
      const tried = (times: number) => until(async () => (await run(database))?.attempt === times && idle(made));
      await made.inbox.accept(labeled());
      await tried(1);
      // Whoever may not ask for a run cannot end one with it either.
      for (let comment = 1; comment <= 8; comment += 1) {
        await made.inbox.accept(command('retry', { actor: 'mallory' }));
        await tried(1 + comment);
      }
      expect(await run(database)).toMatchObject({ state: 'paused', pauses: 1 });
      const [job] = await database
        .get()
        .query<{ seconds: number }>(
          "SELECT extract(epoch FROM start_after - now())::float8 AS seconds FROM pgboss.job WHERE state < 'active'",
        );
      expect(job?.seconds).toBeGreaterThan(30);
    });
  });
});

const idle = async ({ ports }: Awaited<ReturnType<typeof worker>>) => {
  const { running, waiting } = await ports.queue.depth();
  return running === 0 && waiting === 1;
};

describe('an outage of the code host before a run exists', () => {
  onBothDatabases((database) => {
    it('puts the request off instead of giving it up, however long it is, and the operator is told', async () => {
      const made = await worker(
        database,
        endingWith(() => diagnosed),
      );
      made.forge.failure = new ForgeError('unreachable', 'no answer', 'wait');
      await made.inbox.accept({ ...labeled(), receivedAt: new Date(Date.now() - 600_000).toISOString() });
      await until(async () => {
        await goOn(database);
        return made.told.length === 2;
      });
      await until(() => idle(made));
      const [{ seconds }] = made.told[1] as [{ seconds: number }];
      expect(seconds).toBeGreaterThan(599);
      made.forge.failure = undefined;
      await goOn(database);
      await until(async () => (await run(database))?.endKind === 'diagnosed');
    });

    it('and a limit is not tried at again, but makes place for others at once', async () => {
      const made = await worker(
        database,
        endingWith(() => diagnosed),
      );
      made.forge.failure = new ForgeError('rate-limited', 'later', 'wait');
      await made.inbox.accept({ ...labeled(), receivedAt: new Date().toISOString() });
      await until(() => made.told.length === 1 && idle(made));
      expect(made.told).toMatchObject([[{ seconds: 60 }, expect.anything()]]);
      expect(made.forge.asked).toHaveLength(1);
    });

    it('and the operator sees what was put off, and can stop it', async () => {
      const made = await worker(
        database,
        endingWith(() => diagnosed),
      );
      made.forge.failure = new ForgeError('rate-limited', 'later', 'wait');
      await made.inbox.accept({ ...labeled(), receivedAt: new Date().toISOString() });
      await until(() => made.told.length === 1 && idle(made));
      const operations = createOperations(database.get(), made.ports.queue);
      const [put] = await operations.list(10);
      expect(put).toMatchObject({ issue: 'acme/widget-10#1', state: 'waiting' });
      await operations.stop(put?.id ?? '');
      await until(async () => (await made.ports.queue.depth()).waiting === 0);
      expect(await operations.list(10)).toEqual([]);
    });

    it('and after a day the request is given up, and whoever asked is told', async () => {
      const made = await worker(
        database,
        endingWith(() => diagnosed),
      );
      made.forge.failure = new ForgeError('unreachable', 'no answer', 'wait');
      await made.inbox.accept({ ...labeled(), receivedAt: new Date(Date.now() - 86_500_000).toISOString() });
      await until(async () => {
        await goOn(database);
        return made.forge.asked.length === 5;
      });
      expect(made.told).toEqual([]);
      await made.stop();
      made.forge.failure = undefined;
      await database.get().query("UPDATE pgboss.job SET state = 'failed' WHERE name = 'issue'");
      await giveUp(made.ports, '10#1', { message: 'no answer' });
      expect(made.refused).toMatchObject([{ actor: { login: 'alice' }, refusal: { kind: 'gave-up' } }]);
    });
  });
});

describe('a Docker Engine that is away when a run is taken up again', () => {
  onBothDatabases((database) => {
    it('does not keep the run from going on, which pauses where it needs one', async () => {
      let attempts = 0;
      const made = await worker(
        database,
        endingWith(() => (attempts++ === 0 ? away : diagnosed)),
      );
      made.ports.sweep = async () => {
        throw new Error('no engine answers');
      };
      await made.inbox.accept(labeled());
      await until(async () => (await run(database))?.state === 'paused' && idle(made));
      await goOn(database);
      await until(async () => (await run(database))?.endKind === 'diagnosed');
    });
  });
});
