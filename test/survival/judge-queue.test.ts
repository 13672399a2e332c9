import { describe, expect, it } from 'vitest';
import { judgeDeliveries } from '../../scripts/survival/judge-deliveries.ts';
import { type JobsFound, judgeJobs, type Note } from '../../scripts/survival/judge-jobs.ts';

const delivery = (name: string, change = {}) => ({
  delivery: name,
  entry: `entry of ${name}`,
  outcome: 'run',
  jobs: 1,
  ...change,
});

describe('a storm of deliveries', () => {
  it('is in order where each is stored and acted upon once', () => {
    const verdict = judgeDeliveries(['a', 'b'], [delivery('a'), delivery('b')], ['entry of a', 'entry of b']);
    expect(verdict).toEqual({ tally: { lost: 0, doubled: 0, rerun: 0 }, broken: [] });
  });

  it('has lost what was acknowledged and is not stored, or was never acted upon', () => {
    const { tally, broken } = judgeDeliveries(['a', 'b'], [delivery('a', { outcome: null })], []);
    expect(tally).toMatchObject({ lost: 2 });
    expect(broken).toEqual(['1 acknowledged and not stored', '1 stored and not acted upon']);
  });

  it('has doubled what is stored twice, came to two jobs, or was acted upon twice', () => {
    const stored = [delivery('a'), delivery('a', { entry: 'again' }), delivery('b', { jobs: 2 }), delivery('c')];
    const { tally } = judgeDeliveries(['a', 'b', 'c'], stored, ['entry of c', 'entry of c', 'of nobody', 'of nobody']);
    expect(tally).toEqual({ lost: 0, doubled: 3, rerun: 0 });
  });
});

const note = (at: number, pid: string, what: string, run: string, stage = '-'): Note => ({ at, pid, what, run, stage });
const whole = (run: string, pid: string, from: number): Note[] => [
  note(from, pid, 'start', run, 'report'),
  note(from + 5, pid, 'kept', run, 'report'),
  note(from + 6, pid, 'left', run),
];
const run = (id: string, repository = '10') => ({ id, repository, state: 'ended' });
const found = (change: Partial<JobsFound>): JobsFound => ({
  jobs: 2,
  notes: [...whole('a', '1', 0), ...whole('b', '1', 10)],
  runs: [run('a'), run('b')],
  killed: {},
  perRepository: 1,
  ...change,
});

describe('two hundred jobs', () => {
  it('are in order where each is finished once and the limit is held', () => {
    expect(judgeJobs(found({}))).toEqual({ tally: { lost: 0, doubled: 0, rerun: 0 }, broken: [], mostAtOnce: 1 });
  });

  it('have lost what did not end, and doubled what was finished twice or came to two runs', () => {
    expect(judgeJobs(found({ runs: [run('a'), { ...run('b'), state: 'running' }] })).tally).toMatchObject({ lost: 1 });
    expect(judgeJobs(found({ runs: [run('a'), run('b'), run('c')] })).tally).toMatchObject({ doubled: 1 });
    const twice = [...whole('a', '1', 0), note(3, '2', 'start', 'a', 'report'), note(7, '2', 'kept', 'a', 'report')];
    expect(judgeJobs(found({ notes: twice })).tally).toMatchObject({ doubled: 1, rerun: 0 });
  });

  it('have done again a stage that begins after it was kept, and not one that was interrupted', () => {
    const interrupted = [note(0, '1', 'start', 'a', 'ask'), note(9, '2', 'start', 'a', 'ask')];
    expect(judgeJobs(found({ notes: interrupted })).tally).toMatchObject({ rerun: 0 });
    const again = [note(0, '1', 'kept', 'a', 'ask'), note(9, '2', 'start', 'a', 'ask')];
    expect(judgeJobs(found({ notes: again })).tally).toMatchObject({ rerun: 1 });
  });

  it('break the limit where runs of one repository overlap, and a killed process works no longer', () => {
    const overlapping = [...whole('a', '1', 0), ...whole('b', '2', 3)];
    const verdict = judgeJobs(found({ notes: overlapping }));
    expect(verdict).toMatchObject({ mostAtOnce: 2, broken: ['2 runs at once on a repository, and 1 allowed'] });
    expect(judgeJobs(found({ notes: overlapping, runs: [run('a'), run('b', '11')] })).mostAtOnce).toBe(1);
    const cut = [note(0, '1', 'start', 'a', 'report'), ...whole('b', '2', 3)];
    expect(judgeJobs(found({ notes: cut, killed: { '1': 2 } })).mostAtOnce).toBe(1);
    expect(judgeJobs(found({ notes: cut, killed: {} })).mostAtOnce).toBe(2);
  });
});
