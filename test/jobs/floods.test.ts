import { expect, it, onTestFinished } from 'vitest';
import { CancelledError } from '../../src/domain/errors.ts';
import { listRuns } from '../../src/jobs/runs.ts';
import type { WorkerPorts } from '../../src/jobs/worker-ports.ts';
import { onBothDatabases } from './support/databases.ts';
import { command, labeled } from './support/entries.ts';
import { testWorker, until } from './support/worker.ts';

const untilStopped: WorkerPorts['execute'] = async (_run, _kept, signal) => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  if (signal.reason instanceof CancelledError) return { kind: 'stopped', by: signal.reason.by };
  throw signal.reason;
};

/** Each of them may ask before another has its answer. */
const STOPS_AT_ONCE = 4;

onBothDatabases((database) => {
  it('a stop by who asked for the run does not wait behind those of strangers of whom GitHub says nothing yet', async () => {
    const made = await testWorker(database.get(), untilStopped);
    onTestFinished(() => made.stop());
    await made.start();
    await made.inbox.accept(labeled());
    await until(() => made.forge.asked.length === 1);
    await until(async () => (await listRuns(database.get(), 1)).length === 1);
    const answered = Promise.withResolvers<'read'>();
    made.ports.forge.permission = () => answered.promise;
    for (let issue = 2; issue < 12; issue += 1) {
      await made.inbox.accept(command('stop', { issue, actor: 'mallory' }));
    }
    await made.inbox.accept(command('stop'));
    const ended = await until(async () => (await listRuns(database.get(), 1)).find(({ state }) => state === 'ended'));
    expect(ended).toMatchObject({ endKind: 'stopped', endText: 'by @alice' });
    answered.resolve('read');
    await until(() => made.refused.length === 10);
  });

  it('however often a stranger asks on an issue, GitHub is asked a few times at most, and so often they are told', async () => {
    const made = await testWorker(database.get(), untilStopped);
    onTestFinished(() => made.stop());
    for (let comment = 0; comment < 20; comment += 1) {
      await made.inbox.accept(command('stop', { actor: 'mallory' }));
      await made.inbox.accept(command('diagnose', { issue: 2, actor: 'mallory' }));
    }
    await made.start();
    await until(async () => {
      const rows = await database.get().query("SELECT 1 FROM pgboss.job WHERE state <= 'active'");
      return made.refused.length >= 2 && rows.length === 0;
    });
    const told = (number: number) => made.refused.filter(({ issue }) => issue.number === number).length;
    expect(told(2)).toBe(1);
    expect(told(1)).toBeLessThanOrEqual(STOPS_AT_ONCE);
    expect(made.forge.asked.length).toBeLessThanOrEqual(STOPS_AT_ONCE + 1);
  });
});
