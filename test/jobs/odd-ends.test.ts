import { describe, expect, it, onTestFinished } from 'vitest';
import { giveUp } from '../../src/jobs/give-up.ts';
import { createOperations } from '../../src/jobs/operations.ts';
import { findRun, listRuns } from '../../src/jobs/runs.ts';
import type { WorkerPorts } from '../../src/jobs/worker-ports.ts';
import { embedded } from './support/databases.ts';
import { labeled } from './support/entries.ts';
import { diagnosed, testWorker, until } from './support/worker.ts';

const database = embedded();

async function worker(execute: WorkerPorts['execute'] = async () => diagnosed) {
  const made = await testWorker(database.get(), execute);
  onTestFinished(() => made.stop());
  return made;
}
const stateOf = async (state: string) => (await listRuns(database.get(), 10)).find((run) => run.state === state);

describe('a run that', () => {
  it('was interrupted too often ends, and its issue is told', async () => {
    const made = await worker(async () => {
      throw new Error('a fault of ours');
    });
    await made.inbox.accept(labeled());
    await made.start();
    const run = await until(() => stateOf('running'));
    await database.get().query("UPDATE pgboss.job SET state = 'failed' WHERE name = 'issue'");
    await giveUp(made.ports, run.issue.key, { message: 'a fault of ours' });
    expect(await stateOf('ended')).toMatchObject({ endKind: 'failed', endText: expect.stringContaining('gave-up') });
    expect(made.published).toMatchObject([{ type: 'run-finished', end: { kind: 'failed', code: 'gave-up' } }]);
  });

  it('was interrupted too often is not given up while a new job goes on with it', async () => {
    const made = await worker(async (_run, _kept, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw signal.reason;
    });
    await made.inbox.accept(labeled());
    await made.start();
    const run = await until(() => stateOf('running'));
    await giveUp(made.ports, run.issue.key, {});
    expect(await stateOf('running')).toBeDefined();
  });

  it('had ended when its process went away is only told again', async () => {
    let executed = 0;
    const made = await worker(async (run, kept) => {
      executed++;
      await kept.ledger.save(run.id, 'end', diagnosed);
      throw new Error('the process goes away here');
    });
    await made.inbox.accept(labeled());
    await made.start();
    expect((await until(() => stateOf('ended'))).endKind).toBe('diagnosed');
    expect([executed, made.published.map((event) => event.type)]).toEqual([1, ['run-finished']]);
  });

  it('was about to pause when its process went away pauses, and nobody is told that it failed', async () => {
    const made = await worker(async (run, kept) => {
      await kept.ledger.save(run.id, 'end', { kind: 'failed', code: 'sandbox', message: 'gone', remedy: 'wait' });
      throw new Error('the process goes away here');
    });
    await made.inbox.accept(labeled());
    await made.start();
    expect((await until(() => stateOf('paused'))).pauses).toBe(1);
    expect(made.published).toEqual([]);
  });

  it('was kept by a version without one of the settings goes on with its default', async () => {
    const made = await worker();
    await made.inbox.accept(labeled());
    await made.start();
    const run = await until(() => stateOf('ended'));
    const { questions: _, ...older } = run.run.settings;
    const kept = JSON.stringify({ ...run.run, settings: older });
    await database.get().query('UPDATE fathom.run SET run = $1', [kept]);
    expect((await findRun(database.get(), run.id))?.run.settings.questions).toBe(2);
  });

  it('was stopped can be let go on by the operator, and the old stop no longer holds', async () => {
    const signals: boolean[] = [];
    const made = await worker(async (_run, _kept, signal) => {
      signals.push(signal.aborted);
      if (signals.length > 1) return diagnosed;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { kind: 'stopped', by: signal.reason.by };
    });
    const operations = createOperations(database.get(), made.ports.queue);
    await made.inbox.accept(labeled());
    await made.start();
    const run = await until(async () => (signals.length === 1 ? stateOf('running') : undefined));
    await expect(operations.retry(run.id)).rejects.toThrow('has a run already');
    await operations.stop(run.id);
    expect((await until(() => stateOf('ended'))).endText).toBe('by the operator');
    await operations.retry(run.id);
    await until(async () => (await stateOf('ended'))?.endKind === 'diagnosed');
    expect(signals).toEqual([false, false]);
  });
});

describe('a run that has nothing left to do', () => {
  it.each([
    ['has a pull request', { kind: 'proposed', pullRequest: 12 }, 'has proposed pull request #12'],
    ['diagnosed its issue', { kind: 'diagnosed' }, 'has diagnosed its issue'],
    ['was refused its pull request', { kind: 'no-pull-request', reason: 'Refused.' }, 'has come to its last stage'],
  ] as const)('and %s is not tried again, and the operator is told so', async (_what, end, words) => {
    const made = await worker(async (run, kept) => {
      if (end.kind !== 'diagnosed') await kept.ledger.save(run.id, 'propose', end);
      return end;
    });
    await made.inbox.accept(labeled());
    await made.start();
    const run = await until(() => stateOf('ended'));
    const refused = createOperations(database.get(), made.ports.queue).retry(run.id);
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(words) });
    await expect(refused).rejects.toMatchObject({ remedy: expect.stringContaining('Nothing is left to do.') });
    expect(await stateOf('ended')).toMatchObject({ attempt: 1, endKind: end.kind });
  });
});

describe('a label that GitHub does not show', () => {
  it('at first is looked for a second time before it is given up', async () => {
    const made = await worker();
    const slept: number[] = [];
    made.ports.clock = {
      ...made.ports.clock,
      sleep: async (ms) => {
        slept.push(ms);
        made.forge.state = { ...made.forge.state, labels: ['auto-triage'] };
      },
    };
    made.forge.state = { ...made.forge.state, labels: [] };
    await made.inbox.accept(labeled());
    await made.start();
    expect((await until(() => stateOf('ended'))).endKind).toBe('diagnosed');
    expect(slept).toHaveLength(1);
  });

  it('then either starts nothing', async () => {
    const made = await worker();
    made.ports.clock = { ...made.ports.clock, sleep: async () => undefined };
    made.forge.state = { ...made.forge.state, labels: [] };
    await made.inbox.accept(labeled());
    await made.start();
    await until(() => made.refused.length === 1);
    expect(made.refused[0]?.refusal).toEqual({ kind: 'issue', state: 'label-gone' });
  });
});
