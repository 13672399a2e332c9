import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditedPair, Diagnosis } from '#src/domain/diagnosis.ts';
import type { ChatRequest } from '#src/domain/ports/index.ts';
import { diagnosisWith, oracleFinding } from '#src/evaluation/arms/given-diagnosis.ts';
import { createJudge } from '#src/evaluation/judges/judge.ts';
import { judgeRun } from '#src/evaluation/judges/judge-run.ts';
import { voteOnQuestions } from '#src/evaluation/judges/vote-on-questions.ts';
import { agreement } from '#src/evaluation/statistics/agreement.ts';
import { seededRandom } from '#src/evaluation/statistics/seeded-random.ts';
import { loadPrompts } from '#src/prompts/load-prompts.ts';
import { type ScriptedReply, scriptedModel } from '../fakes/scripted-model.ts';

const prompts = loadPrompts(join(import.meta.dirname, '../../prompts'));
const signal = new AbortController().signal;
const instance = {
  ...{ instance_id: 'acme__dates-1', repo: 'acme/dates', base_commit: 'a'.repeat(40), problem_statement: 'Centuries' },
  patch: '--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-SECRET_OF_THE_FIX\n+y\n',
};
const pair: AuditedPair = {
  question: { id: 'Q1', category: 'Mechanism & Behavior', text: 'How is a leap year told?' },
  answer: { outcome: 'answered', text: 'By division.', citations: [] },
  checked: [],
  end: 'submitted',
};
const diagnosis: Diagnosis = {
  ...diagnosisWith('b', [oracleFinding({ ...instance, patch: 'x' }, { files: ['src/a.py'], chunks: [] })]),
  knowledge: [pair],
};
const run = {
  ...{ instance, arm: 'both', diagnosis, transcript: async () => [] },
  issue: { title: 'Centuries', text: 'They are wrong.', hidden: [] },
};
const textOf = (request: ChatRequest) => request.messages.map((message) => message.text).join('\n');
const judgeOf = (reply: (request: ChatRequest) => ScriptedReply, repetitions = 3, budgetUsd = 1) => {
  const model = scriptedModel(reply);
  return { model, judge: createJudge({ model, name: 'judge-model', prompts, repetitions, budgetUsd, signal }) };
};

const REPLIES: [string, object][] = [
  ['judge-question', { relevance: 8, answerability: 8, utility: 6, depth: 4, clarity: 10 }],
  ['judge-coverage', { coverage: 5 }],
  ['judge-answer', { support: 4 }],
  ['judge-finding', { root_cause: 5, location: 3, actionability: 4 }],
];
const usual = ({ agent }: ChatRequest): ScriptedReply => {
  const found = REPLIES.find(([name]) => agent.startsWith(name));
  return { text: `Thinking {about it}. ${JSON.stringify(found?.[1])}` };
};

describe('a judge', () => {
  it('rates questions, their coverage, answers and findings, each as often as was asked for', async () => {
    const { judge, model } = judgeOf(usual);
    const judgement = await judgeRun(run, judge);
    expect(judgement.questions[0]?.scores['utility']).toEqual({ mean: 6, values: [6, 6, 6] });
    expect(judgement.coverage?.mean).toBe(5);
    expect(judgement.answers).toEqual([{ id: 'Q1', support: { mean: 4, values: [4, 4, 4] } }]);
    expect(judgement.composite?.mean).toBe(4);
    expect(judgement.missing).toEqual([]);
    expect(model.requests).toHaveLength(12);
    expect(judgement.usd).toBeCloseTo(0.012, 9);
  });

  it('knows the fix when it judges findings, and at no other time', async () => {
    const { judge, model } = judgeOf(usual, 1);
    await judgeRun(run, judge);
    const knowing = model.requests.filter((request) => textOf(request).includes('SECRET_OF_THE_FIX'));
    expect(knowing.map((request) => request.agent)).toEqual(['judge-finding']);
  });

  it('is asked once more where its reply is no judgement, and what is missing is said', async () => {
    let replies = 0;
    const { judge } = judgeOf((request) => {
      if (!request.agent.startsWith('judge-finding')) return usual(request);
      replies++;
      return {
        text:
          replies === 2 ? '{"root_cause": 9}' : replies < 4 ? 'no' : '{"root_cause":1,"location":1,"actionability":1}',
      };
    }, 3);
    const judgement = await judgeRun(run, judge);
    expect(judgement.composite?.values).toEqual([1, 1]);
    expect(judgement.missing).toEqual(['findings: 1 replies were no judgement']);
  });

  it('stops when its money is gone, and says so', async () => {
    const { judge, model } = judgeOf(usual, 5, 0.0035);
    const judgement = await judgeRun(run, judge);
    expect(model.requests).toHaveLength(4);
    expect(judgement.missing.join()).toContain('no money is left');
  });
});

describe('a vote on questions', () => {
  const input = {
    ...{ instance: 'i', issue: 'x' },
    first: { arm: 'questions', questions: 'GOOD ones' },
    second: { arm: 'free', questions: 'others' },
  };
  const better = (choose: (text: string) => string) => (request: ChatRequest) => ({
    text: JSON.stringify({ better: choose(request.messages[1]?.text ?? '') }),
  });

  it('goes to the better set, on whichever side it stands', async () => {
    const { judge } = judgeOf(better((text) => (text.indexOf('GOOD') < text.indexOf('others') ? 'first' : 'second')));
    expect(await voteOnQuestions(input, judge)).toMatchObject({ forFirst: 6, forSecond: 0, ties: 0, consistent: 3 });
  });

  it('of a judge who likes the first place counts as no preference', async () => {
    const { judge } = judgeOf(better(() => 'first'));
    expect(await voteOnQuestions(input, judge)).toMatchObject({ forFirst: 3, forSecond: 3, consistent: 0 });
  });
});

describe('agreement between repetitions', () => {
  it('is 1 where each thing is always rated alike, and none where nothing varies', () => {
    expect(
      agreement([
        [1, 1],
        [5, 5],
        [3, 3],
      ]),
    ).toBe(1);
    expect(
      agreement([
        [3, 3],
        [3, 3],
      ]),
    ).toBeUndefined();
    expect(agreement([[3], [5]])).toBeUndefined();
  });

  it('equals the hand-calculated one', () => {
    // Observed: (4 + 0) / 2 = 2; expected over 1, 3, 3, 3: pairs 3 × 4 of 6 = 2; alpha = 1 - 2 / 2.
    expect(
      agreement([
        [1, 3],
        [3, 3],
      ]),
    ).toBeCloseTo(0, 12);
  });

  it('equals a second implementation over all pairs, on random ratings', () => {
    const random = seededRandom(8);
    for (let round = 0; round < 50; round++) {
      const items = Array.from({ length: 2 + Math.floor(random() * 6) }, () =>
        Array.from({ length: 2 + Math.floor(random() * 3) }, () => 1 + Math.floor(random() * 5)),
      );
      expect(agreement(items) ?? 7).toBeCloseTo(naive(items) ?? 7, 10);
    }
  });
});

/** Krippendorff's coincidences, pair by pair. */
function naive(items: number[][]): number | undefined {
  const all = items.flat();
  const observed = items.reduce((sum, values) => sum + differences(values) / (values.length - 1), 0);
  const expected = differences(all);
  if (expected === 0) return undefined;
  return 1 - observed / all.length / (expected / (all.length * (all.length - 1)));
}

function differences(values: number[]): number {
  let sum = 0;
  for (const a of values) for (const b of values) sum += (a - b) ** 2;
  return sum;
}
