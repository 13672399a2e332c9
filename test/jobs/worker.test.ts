import { describe, expect, it, onTestFinished } from 'vitest';
import { CancelledError, ForgeError } from '../../src/domain/errors.ts';
import { createOperations } from '../../src/jobs/operations.ts';
import { listRuns } from '../../src/jobs/runs.ts';
import type { WorkerPorts } from '../../src/jobs/worker-ports.ts';
import { onBothDatabases, type TestDatabase } from './support/databases.ts';
import { command, happened, installation, labeled, unlabeled } from './support/entries.ts';
import { diagnosed, type TestWorker, testWorker, until } from './support/worker.ts';

type Execute = WorkerPorts['execute'];

async function worker(
  database: TestDatabase,
  execute: Execute,
  options?: Parameters<typeof testWorker>[2],
): Promise<TestWorker> {
  const made = await testWorker(database.get(), execute, options);
  onTestFinished(() => made.stop());
  await made.start();
  return made;
}

/** A run that goes on until it is stopped, or until `finish` is called. */
function longRun() {
  const started: string[] = [];
  let finish: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const execute: Execute = async (run, _kept, signal) => {
    started.push(run.id);
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([over, aborted]);
    if (!signal.aborted) return diagnosed;
    if (signal.reason.constructor === CancelledError) return { kind: 'stopped', by: signal.reason.by };
    throw signal.reason;
  };
  return { execute, started, finish: () => finish() };
}

const runs = (database: TestDatabase) => listRuns(database.get(), 1000);
const ended = (database: TestDatabase, count: number) =>
  until(async () => {
    const all = await runs(database);
    return all.filter((run) => run.state === 'ended').length >= count ? all : undefined;
  });

describe('a worker', () => {
  onBothDatabases((database) => {
    it.each([
      ['the label is taken off', unlabeled()],
      ['the issue is closed', happened('closed')],
      ['the issue is locked', happened('locked')],
      ['the issue is deleted', happened('deleted')],
      ['the issue is transferred', happened('transferred')],
      ['the App is uninstalled', installation('uninstalled')],
      ['the App is suspended', installation('suspended')],
      ['the repository is taken out of the installation', installation('repositories-removed', ['Acme/widget-10'])],
      ['somebody who may says /fathom stop', command('stop')],
    ])('a run stops when %s, and says by whom', async (_what, entry) => {
      const long = longRun();
      const made = await worker(database, long.execute);
      await made.inbox.accept(labeled());
      await until(() => long.started.length === 1);
      await made.inbox.accept({ ...entry, deliveryId: 'stop', eventKey: 'stop' });
      const [run] = await ended(database, 1);
      expect([run?.endKind, run?.endText]).toEqual(['stopped', `by @${entry.actor.login}`]);
    });

    it('a run stops when the operator says so, and goes on when another repository is taken out', async () => {
      const long = longRun();
      const made = await worker(database, long.execute);
      await made.inbox.accept(labeled());
      await until(() => long.started.length === 1);
      await made.inbox.accept(installation('repositories-removed', ['acme/widget-11']));
      expect((await runs(database))[0]?.state).toBe('running');
      await createOperations(database.get(), made.ports.queue).stop(long.started[0] ?? '');
      const [run] = await ended(database, 1);
      expect([run?.endKind, run?.endText]).toEqual(['stopped', 'by the operator']);
    });

    it.each([
      ['a label that was taken off', (of: object) => unlabeled(of)],
      ['a close', (of: object) => happened('closed', of)],
      ['/fathom stop', (of: object) => command('stop', of)],
    ])(
      '%s before the request, of which GitHub tells only now, stops nothing; a later one does',
      async (_what, stop) => {
        const long = longRun();
        const made = await worker(database, long.execute);
        await made.inbox.accept(labeled({ at: '2026-11-30T11:58:00.000Z' }));
        await until(() => long.started.length === 1);
        await made.inbox.accept(stop({ at: '2026-11-30T11:50:00.000Z' }));
        await made.inbox.accept(labeled({ issue: 2 }));
        await until(() => long.started.length === 2);
        await made.ports.active.recheck();
        expect((await runs(database)).map((run) => run.state)).toEqual(['running', 'running']);
        await made.inbox.accept(stop({ at: '2026-11-30T11:58:30.000Z' }));
        const [run] = (await ended(database, 1)).filter((one) => one.state === 'ended');
        expect([run?.issue.number, run?.endKind]).toEqual([1, 'stopped']);
        long.finish();
      },
    );

    it('/fathom stop by somebody who may not stops nothing', async () => {
      const long = longRun();
      const made = await worker(database, long.execute);
      await made.inbox.accept(labeled());
      await until(() => long.started.length === 1);
      await made.inbox.accept(command('stop', { actor: 'mallory' }));
      await until(() => made.refused.length === 1);
      long.finish();
      expect((await ended(database, 1))[0]?.endKind).toBe('diagnosed');
    });

    it('a label for more than the running run does is acted upon after it', async () => {
      const long = longRun();
      const made = await worker(database, long.execute);
      await made.inbox.accept(labeled({}, 'auto-diagnose'));
      await until(() => long.started.length === 1);
      await made.inbox.accept(labeled({}, 'auto-triage'));
      expect(await runs(database)).toHaveLength(1);
      long.finish();
      const all = await ended(database, 2);
      expect(all.map((run) => run.run.mode).sort()).toEqual(['diagnose', 'resolve']);
    });

    it('a label that the running run answers already needs no second one', async () => {
      const long = longRun();
      const made = await worker(database, long.execute);
      await made.inbox.accept(labeled({}, 'auto-triage'));
      await until(() => long.started.length === 1);
      await made.inbox.accept(labeled({}, 'auto-diagnose'));
      long.finish();
      await ended(database, 1);
      await until(async () => (await made.ports.queue.depth()).running === 0);
      expect(await runs(database)).toHaveLength(1);
    });

    it('/fathom stop by who asked for the run does not wait for GitHub, by others it does', async () => {
      const long = longRun();
      const made = await worker(database, long.execute);
      made.forge.permissions.set('bob', 'write');
      await made.inbox.accept(labeled());
      await until(() => long.started.length === 1);
      made.forge.failure = new ForgeError('rate-limited', 'later', 'wait');
      const asked = made.forge.asked.length;
      await made.inbox.accept(command('stop', { actor: 'bob' }));
      await until(() => made.forge.asked.length > asked);
      expect((await runs(database))[0]?.state).toBe('running');
      await made.inbox.accept(command('stop'));
      expect((await ended(database, 1))[0]?.endText).toBe('by @alice');
    });

    it('of two labels, the one that is left when the other is taken off is acted upon', async () => {
      const long = longRun();
      const made = await testWorker(database.get(), long.execute);
      onTestFinished(() => made.stop());
      await made.inbox.accept(labeled({}, 'auto-diagnose'));
      await made.inbox.accept(labeled());
      await made.start();
      await until(() => long.started.length === 1);
      await made.inbox.accept(unlabeled());
      await until(() => long.started.length === 2);
      long.finish();
      const all = await until(async () => {
        const found = await runs(database);
        return found.every((run) => run.state === 'ended') ? found : undefined;
      });
      expect(all.map((run) => [run.run.mode, run.endKind])).toEqual([
        ['diagnose', 'diagnosed'],
        ['resolve', 'stopped'],
      ]);
    });

    it('of two labels, neither is acted upon once the issue is closed', async () => {
      const long = longRun();
      const made = await testWorker(database.get(), long.execute);
      onTestFinished(() => made.stop());
      await made.inbox.accept(labeled({}, 'auto-diagnose'));
      await made.inbox.accept(labeled());
      await made.start();
      await until(() => long.started.length === 1);
      await made.inbox.accept(happened('closed'));
      await ended(database, 1);
      await until(async () => (await made.ports.queue.depth()).running === 0);
      expect([long.started.length, (await made.ports.queue.depth()).waiting]).toEqual([1, 0]);
    });

    it('while runs are given time to end, /fathom stop still stops one', async () => {
      const long = longRun();
      const made = await worker(database, long.execute);
      await made.inbox.accept(labeled());
      await until(() => long.started.length === 1);
      await made.ports.queue.pause();
      await made.inbox.accept(command('stop'));
      expect((await ended(database, 1))[0]?.endText).toBe('by @alice');
    });

    it('a run that begins once the process has let go of all is handed over, too', async () => {
      const made = await worker(database, async (_run, _kept, signal) => {
        if (signal.aborted) throw signal.reason;
        return diagnosed;
      });
      made.ports.active.handOver();
      await made.inbox.accept(labeled());
      await until(async () => ((await runs(database))[0]?.attempt ?? 0) > 1);
      expect((await runs(database))[0]?.state).toBe('running');
    });

    it('/fathom retry during a run is a second run of the same kind', async () => {
      const long = longRun();
      const made = await worker(database, long.execute);
      await made.inbox.accept(labeled());
      await until(() => long.started.length === 1);
      await made.inbox.accept(command('retry'));
      long.finish();
      expect((await ended(database, 2)).map((run) => run.run.mode)).toEqual(['resolve', 'resolve']);
    });

    it('a label that is put back after a stop starts a new run', async () => {
      const long = longRun();
      const made = await worker(database, long.execute);
      await made.inbox.accept(labeled());
      await until(() => long.started.length === 1);
      await made.inbox.accept(unlabeled());
      await made.inbox.accept(labeled());
      await until(() => long.started.length === 2);
      long.finish();
      expect((await ended(database, 2)).map((run) => run.endKind).sort()).toEqual(['diagnosed', 'stopped']);
    });

    it('no more runs at once on one repository than configured, and others are not kept waiting', async () => {
      const long = longRun();
      const made = await worker(database, long.execute, { concurrency: 4, perRepository: 2 });
      for (const issue of [1, 2, 3]) await made.inbox.accept(labeled({ issue, repository: 10 }));
      await made.inbox.accept(labeled({ issue: 1, repository: 20 }));
      await until(() => long.started.length === 3);
      const running = (await runs(database)).map((run) => run.issue.repositoryId).sort();
      expect(running).toEqual(['10', '10', '20']);
      long.finish();
      await ended(database, 4);
    });

    it('while GitHub cannot be asked nobody is let in, and the request is tried again', async () => {
      const made = await worker(database, async () => diagnosed);
      made.forge.failure = new ForgeError('unreachable', 'no answer', 'wait');
      await made.inbox.accept(labeled());
      await until(() => made.forge.asked.length >= 1);
      expect(await runs(database)).toEqual([]);
      made.forge.failure = undefined;
      expect((await ended(database, 1))[0]?.endKind).toBe('diagnosed');
    });

    it.each([
      ['the provider', 'model-unreachable'],
      ['the code host', 'remote-unreachable'],
      ["the code host's API", 'forge-unreachable'],
      ["the code host's API, in its limits", 'forge-rate-limited'],
      ['the code host that does not know a new token yet', 'remote-refused'],
    ])('an outage of %s pauses the run, and the issue is not told', async (_who, code) => {
      const made = await worker(database, async (run, kept) => {
        const end = { kind: 'failed' as const, code, message: 'no answer', remedy: 'wait' };
        await kept.ledger.save(run.id, 'end', end);
        const event = { at: run.startedAt, type: 'run-finished' as const, end, spent: await kept.ledger.spent(run.id) };
        for (const publisher of kept.publishers) publisher.publish(run.id, event);
        return end;
      });
      await made.inbox.accept(labeled());
      await until(async () => (await runs(database))[0]?.state === 'paused');
      expect(made.published).toEqual([]);
      await until(async () => (await made.ports.queue.depth()).waiting === 1);
    });

    it('a paused run can be stopped', async () => {
      let attempts = 0;
      const made = await worker(database, async (_run, _kept, signal) => {
        attempts++;
        if (signal.aborted) return { kind: 'stopped', by: signal.reason.by };
        return { kind: 'failed', code: 'model-unreachable', message: 'no answer', remedy: 'wait' };
      });
      await made.inbox.accept(labeled());
      await until(async () => (await runs(database))[0]?.state === 'paused');
      await made.inbox.accept(happened('closed'));
      expect((await ended(database, 1))[0]?.endKind).toBe('stopped');
      expect(attempts).toBe(2);
    });

    it('a stop at the moment when a run is put aside is not left until the pause is over', async () => {
      const made = await worker(database, async (_run, _kept, signal) => {
        if (signal.aborted) return { kind: 'stopped', by: signal.reason.by };
        return { kind: 'failed', code: 'model-unreachable', message: 'no answer', remedy: 'wait' };
      });
      const closing: Promise<unknown>[] = [];
      made.ports.log = { ...made.ports.log, error: () => void closing.push(made.inbox.accept(happened('closed'))) };
      await made.inbox.accept(labeled());
      expect((await ended(database, 1))[0]?.endKind).toBe('stopped');
      await Promise.all(closing);
    });

    it('after five runs in a row failed on a repository, labels start no more of them', async () => {
      const made = await worker(database, async () => ({ kind: 'failed', code: 'x', message: 'x', remedy: 'x' }));
      for (const issue of [1, 2, 3, 4, 5]) await made.inbox.accept(labeled({ issue }));
      await ended(database, 5);
      await made.inbox.accept(labeled({ issue: 6 }));
      await until(() => made.refused.length === 1);
      expect(made.refused[0]?.refusal).toEqual({ kind: 'failures', inARow: 5 });
      await made.inbox.accept(command('diagnose', { issue: 6 }));
      await ended(database, 6);
    });
  });
});
