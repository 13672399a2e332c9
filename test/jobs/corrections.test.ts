import { describe, expect, it, onTestFinished } from 'vitest';
import type { Run } from '../../src/domain/run.ts';
import { listRuns } from '../../src/jobs/runs.ts';
import { embedded } from './support/databases.ts';
import { command, correction, labeled } from './support/entries.ts';
import { diagnosed, type TestWorker, testWorker, until } from './support/worker.ts';

const database = embedded();

const pair = (id: string) => ({
  question: { id, category: 'Design & Usage' as const, text: `Question ${id}?` },
  answer: { outcome: 'answered' as const, text: `Found for ${id}.`, citations: [] },
  end: 'submitted',
});

/** A worker whose runs leave two answers behind, or those that they started from. */
async function diagnosing(): Promise<TestWorker & { runs: Run[] }> {
  const runs: Run[] = [];
  const made = await testWorker(database.get(), async (run, kept) => {
    runs.push(run);
    const pairs = run.knowledge?.pairs ?? [pair('Q1'), pair('Q2')];
    await kept.ledger.save(run.id, 'answer', { pairs, notes: [] });
    return diagnosed;
  });
  onTestFinished(() => made.stop());
  await made.start();
  return { ...made, runs };
}

const ended = (count: number) =>
  until(async () => (await listRuns(database.get(), 10)).filter((run) => run.state === 'ended').length >= count);

async function diagnosedOnce() {
  const worker = await diagnosing();
  await worker.inbox.accept(labeled({}, 'auto-diagnose'));
  await ended(1);
  return worker;
}

describe('an answer of a maintainer', () => {
  it('starts no run, gets a 👍, and is what the next repair starts from, marked as theirs', async () => {
    const worker = await diagnosedOnce();
    await worker.inbox.accept(correction(2, 'It is cached.'));
    await until(() => worker.forge.reactions.length > 0);
    expect(worker.forge.reactions).toEqual(['+1 901']);
    expect(worker.runs).toHaveLength(1);
    await worker.inbox.accept(command('resolve'));
    await ended(2);
    const [first, second] = worker.runs;
    expect(second?.knowledge?.from).toBe(first?.id);
    expect(second?.knowledge?.pairs).toEqual([
      pair('Q1'),
      {
        question: pair('Q2').question,
        answer: { outcome: 'answered', text: 'It is cached.', citations: [] },
        end: 'submitted',
        correctedBy: 'alice',
      },
    ]);
  });

  it('stays in later repairs, the newest one counts, and a new diagnosis starts anew', async () => {
    const worker = await diagnosedOnce();
    await worker.inbox.accept(correction(1, 'First thought.'));
    await worker.inbox.accept(correction(1, 'Second thought.'));
    await until(() => worker.forge.reactions.length === 2);
    for (const [at, name] of (['resolve', 'resolve', 'diagnose'] as const).entries()) {
      await worker.inbox.accept(command(name));
      await ended(at + 2);
    }
    const texts = worker.runs.map((run) => run.knowledge?.pairs[0]?.answer?.text);
    expect(texts).toEqual([undefined, 'Second thought.', 'Second thought.', undefined]);
    expect(worker.runs[2]?.knowledge?.from).toBe(worker.runs[0]?.id);
  });

  it('that comes together with a request is carried by its run', async () => {
    const worker = await diagnosedOnce();
    await worker.inbox.accept(correction(2, 'It is cached.'));
    await worker.inbox.accept(command('resolve'));
    await ended(2);
    expect(worker.runs.at(-1)?.knowledge?.pairs[1]?.correctedBy).toBe('alice');
  });

  it('by somebody who may not write is not taken', async () => {
    const worker = await diagnosedOnce();
    await worker.inbox.accept(correction(1, 'Nonsense.', { actor: 'mallory' }));
    await until(() => worker.refused.length > 0);
    expect(worker.refused).toMatchObject([{ refusal: { kind: 'permission' }, commentId: 901 }]);
    await worker.inbox.accept(command('resolve'));
    await ended(2);
    expect(worker.runs[1]?.knowledge).toBeUndefined();
  });

  it.each([
    ['to a question that there is not', correction(3, 'No.'), 'no-such-question'],
    ['that has no number', command('answer'), 'unreadable'],
  ])('%s is told to be none', async (_what, entry, problem) => {
    const worker = await diagnosedOnce();
    await worker.inbox.accept(entry);
    await until(() => worker.refused.length > 0);
    expect(worker.refused).toMatchObject([{ refusal: { kind: 'correction', problem, questions: 2 } }]);
  });

  it('before there is anything to correct is told to be none', async () => {
    const worker = await diagnosing();
    await worker.inbox.accept(correction(1, 'No.'));
    await until(() => worker.refused.length > 0);
    expect(worker.refused).toMatchObject([{ refusal: { kind: 'correction', questions: 0 } }]);
  });
});
