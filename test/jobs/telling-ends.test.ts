import { describe, expect, it, onTestFinished } from 'vitest';
import { ForgeError } from '../../src/domain/errors.ts';
import type { Publisher } from '../../src/domain/ports/publisher.ts';
import type { RunEvent } from '../../src/domain/run-events.ts';
import { listRuns } from '../../src/jobs/runs.ts';
import { tellAll, tellUntold } from '../../src/jobs/tell-end.ts';
import type { WorkerPorts } from '../../src/jobs/worker-ports.ts';
import { onBothDatabases, type TestDatabase } from './support/databases.ts';
import { happened, labeled } from './support/entries.ts';
import { testWorker, until } from './support/worker.ts';

/** Runs until it is stopped, and keeps and tells its end as the pipeline does. */
const untilStopped: WorkerPorts['execute'] = async (run, kept, signal) => {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const end = { kind: 'stopped' as const, by: signal.reason.by };
  await kept.ledger.save(run.id, 'end', end);
  const event = { at: run.startedAt, type: 'run-finished' as const, end, spent: await kept.ledger.spent(run.id) };
  for (const publisher of kept.publishers) publisher.publish(run.id, event);
  return end;
};

/** Shows nothing until its limit is lifted. */
function limited() {
  const { promise: lifted, resolve: lift } = Promise.withResolvers<void>();
  const told: RunEvent[] = [];
  const publisher: Publisher = { publish: (_run, event) => told.push(event), flush: () => lifted };
  return { publisher, lift, told };
}

async function worker(database: TestDatabase, publisher: Publisher) {
  const made = await testWorker(database.get(), untilStopped);
  made.ports.publishers = () => [publisher];
  onTestFinished(() => made.stop());
  await made.start();
  return made;
}

const run = async (database: TestDatabase) => (await listRuns(database.get(), 1))[0];
const untold = async (database: TestDatabase) =>
  (await database.get().query('SELECT id FROM fathom.run WHERE NOT told')).length;

describe('a stop while the code host lets nothing be written', () => {
  onBothDatabases((database) => {
    it('ends the run and frees its place without waiting for the limit, and the issue is told once it lifts', async () => {
      const limit = limited();
      const made = await worker(database, limit.publisher);
      await made.inbox.accept(labeled());
      await until(async () => (await run(database))?.state === 'running' && made.ports.active.ids().length === 1);
      await made.inbox.accept(happened('closed'));
      expect(
        (await until(async () => ((await run(database))?.state === 'ended' ? run(database) : undefined))).endText,
      ).toBe('by @alice');
      await until(async () => (await made.ports.queue.depth()).running === 0);
      expect(await untold(database)).toBe(1);
      limit.lift();
      await until(async () => (await untold(database)) === 0);
    });

    it('is told by the next process where this one goes before the limit lifts, and only once', async () => {
      const made = await worker(database, limited().publisher);
      await made.inbox.accept(labeled());
      await until(() => made.ports.active.ids().length === 1);
      await made.inbox.accept(happened('closed'));
      await until(async () => (await untold(database)) === 1);
      const next = limited();
      const ports = { ...made.ports, publishers: () => [next.publisher] };
      expect(await tellUntold(ports, true)).toBe(0);
      expect(await tellUntold(ports, false)).toBe(1);
      expect(next.told).toMatchObject([{ type: 'run-finished', end: { kind: 'stopped', by: '@alice' } }]);
      expect(await tellUntold(ports, false)).toBe(0);
    });

    it('of the process leaves the end to the next one, which tells it', async () => {
      const made = await worker(database, limited().publisher);
      made.ports.execute = async (one, kept) => {
        await kept.ledger.save(one.id, 'end', { kind: 'diagnosed' });
        return { kind: 'diagnosed' };
      };
      await made.inbox.accept(labeled());
      await until(() => made.ports.active.ids().length === 1);
      await made.stop();
      expect((await run(database))?.state).toBe('running');
      const next = await testWorker(database.get(), untilStopped);
      onTestFinished(() => next.stop());
      await next.start();
      await until(async () => (await run(database))?.endKind === 'diagnosed');
      expect(next.published).toMatchObject([{ type: 'run-finished', end: { kind: 'diagnosed' } }]);
    });
  });
});

it('an issue that cannot be told keeps no place from others for long', async () => {
  const { publisher } = limited();
  expect(await tellAll([publisher], new AbortController().signal, 5)).toBe(false);
});

describe('an end that the code host cannot be told of', () => {
  onBothDatabases((database) => {
    it('is told again until it was, and is no reason to keep the run or its place', async () => {
      let reached = false;
      const told: string[] = [];
      const publisher: Publisher = {
        publish: (_run, event) => told.push(event.type),
        flush: async () => {
          if (!reached) throw new ForgeError('unreachable', 'no answer', 'wait');
        },
      };
      const made = await worker(database, publisher);
      const ending: WorkerPorts['execute'] = async (one, kept) => {
        await kept.ledger.save(one.id, 'end', { kind: 'diagnosed' });
        return { kind: 'diagnosed' };
      };
      made.ports.execute = ending;
      await made.inbox.accept(labeled());
      const due = () =>
        database.get().query('UPDATE fathom.run SET tell_after = now() WHERE tell_after IS NOT NULL RETURNING id');
      await until(async () => (await run(database))?.state === 'ended' && (await due()).length === 1);
      expect(await tellUntold(made.ports, true)).toBe(1);
      await until(async () => (await untold(database)) === 1);
      expect(await tellUntold(made.ports, true)).toBe(0);
      reached = true;
      await due();
      expect(await tellUntold(made.ports, true)).toBe(1);
      await due();
      expect(await tellUntold(made.ports, true)).toBe(0);
      expect(told).toEqual(['run-finished', 'run-finished']);
    });
  });
});
