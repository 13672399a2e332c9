import { describe, expect, it } from 'vitest';
import { hasMet, judgeRun, type KeptRun, type ObservedRun } from '../../scripts/survival/judge-run.ts';

const kept = (saved: Record<string, number>, begun: KeptRun['begun'] = [], state = 'running'): KeptRun => ({
  saved,
  begun,
  state,
});
const good: ObservedRun = {
  expected: 'proposed',
  end: 'proposed',
  runs: 1,
  comments: 1,
  branches: 1,
  pulls: 1,
  kept: kept({ prepare: 1, ask: 2, 'answer/Q1': 3, 'answer/Q2': 9 }, ['prepare', 'ask', 'answer', 'answer'], 'ended'),
  kills: [
    {
      kept: kept({ prepare: 1, ask: 2, 'answer/Q1': 3 }, ['prepare', 'ask', 'answer']),
      askedAfter: ['answerer-Q2', 'resolver'],
    },
  ],
};
const tallyOf = (change: Partial<ObservedRun>) => judgeRun({ ...good, ...change }).tally;

describe('a run that was killed', () => {
  it('and only went on with what was unfinished is in order', () => {
    expect(judgeRun(good)).toEqual({ tally: { lost: 0, doubled: 0, rerun: 0 }, broken: [] });
  });

  it('counts as lost where it never ended, ended otherwise, or its pull request or comment is not there', () => {
    expect(tallyOf({ end: undefined })).toMatchObject({ lost: 1 });
    expect(tallyOf({ end: 'failed', pulls: 0, branches: 0 })).toEqual({ lost: 1, doubled: 0, rerun: 0 });
    expect(tallyOf({ pulls: 0 })).toMatchObject({ lost: 1 });
    expect(tallyOf({ comments: 0 })).toMatchObject({ lost: 1 });
  });

  it('may end otherwise where a container was taken away, but not without a comment or with a branch left over', () => {
    const told = { expected: 'told', end: 'no-pull-request', branches: 0, pulls: 0 } as const;
    expect(tallyOf(told)).toEqual({ lost: 0, doubled: 0, rerun: 0 });
    expect(tallyOf({ ...told, comments: 0 })).toMatchObject({ lost: 1 });
    expect(tallyOf({ ...told, branches: 1 })).toMatchObject({ doubled: 1 });
  });

  it('counts each comment, branch, pull request and run beyond the first as doubled', () => {
    expect(tallyOf({ comments: 3, branches: 2, pulls: 2, runs: 2 })).toEqual({ lost: 0, doubled: 5, rerun: 0 });
  });

  it('counts as re-run a finished stage that is kept anew or begins again', () => {
    const { kept: after } = good;
    expect(tallyOf({ kept: { ...after, saved: { ...after.saved, ask: 7 } } })).toMatchObject({ rerun: 1 });
    expect(tallyOf({ kept: { ...after, begun: [...after.begun, 'prepare'] } })).toMatchObject({ rerun: 1 });
  });

  it('counts as re-run a finished agent whose model is asked again, once however often', () => {
    const [kill] = good.kills;
    const askedAfter = ['answerer-Q1', 'answerer-Q1', 'questioner'];
    expect(tallyOf({ kills: kill ? [{ ...kill, askedAfter }] : [] })).toMatchObject({ rerun: 2 });
  });

  it('may bring up to date what is no work of a stage', () => {
    const receipt = (at: number) => ({ ...good.kept, saved: { ...good.kept.saved, receipt: at } });
    const kills = [{ kept: kept({ receipt: 1 }), askedAfter: [] }];
    expect(tallyOf({ kept: receipt(5), kills })).toMatchObject({ rerun: 0 });
  });
});

describe('a kill', () => {
  it('met the middle of a stage that had begun and was not kept', () => {
    const point = { stage: 'ask', moment: 'middle' } as const;
    expect(hasMet(point, kept({ prepare: 1 }, ['prepare', 'ask']))).toBe(true);
    expect(hasMet(point, kept({ prepare: 1 }, ['prepare']))).toBe(false);
    expect(hasMet(point, kept({ prepare: 1, ask: 2 }, ['prepare', 'ask']))).toBe(false);
  });

  it('met the end of a stage that was kept while the next one was not, and never a run that was over', () => {
    const point = { stage: 'propose', moment: 'end' } as const;
    expect(hasMet(point, kept({ propose: 1 }))).toBe(true);
    expect(hasMet(point, kept({ propose: 1 }, [], 'ended'))).toBe(false);
    expect(hasMet({ stage: 'prove', moment: 'end' }, kept({ prove: 1, propose: 2 }))).toBe(false);
    expect(hasMet(point, undefined)).toBe(false);
  });
});
