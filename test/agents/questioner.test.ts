import { describe, expect, it } from 'vitest';
import { unresolvedReference } from '#src/agents/question-quality.ts';
import { askQuestions } from '#src/agents/questioner.ts';
import type { RunSettings } from '#src/domain/settings.ts';
import { modelSaying } from '../fakes/scripted-model.ts';
import { allText, issue, lastText, neverAborted, testAgent } from './agent-fixture.ts';

const mechanism = {
  category: 'Mechanism & Behavior',
  question: 'How does `sum` in src/sum.ts accumulate the elements of its argument?',
};
const usage = {
  category: 'Design & Usage',
  question: 'Which value do the callers of `reduce` expect for an empty array?',
};
const input = { issue, overview: 'src/sum.ts', count: 2 };
const saying = (...replies: unknown[]) => modelSaying(...replies.map((reply) => ({ text: asText(reply) })));
const asText = (reply: unknown): string => (typeof reply === 'string' ? reply : JSON.stringify(reply));

async function asking(model: ReturnType<typeof modelSaying>, asked: Partial<RunSettings> = {}, count = 2) {
  const agent = testAgent(model, { settings: asked });
  return askQuestions({ ...input, count }, agent.context, neverAborted);
}

describe('the Questioner', () => {
  it('asks as many questions as wanted, numbered, each with its category', async () => {
    const result = await asking(saying([mechanism, usage]));
    expect(result).toMatchObject({ end: 'submitted', steps: 1 });
    expect(result.submission).toEqual([
      { id: 'Q1', category: 'Mechanism & Behavior', text: mechanism.question },
      { id: 'Q2', category: 'Design & Usage', text: usage.question },
    ]);
  });

  it('reads the issue and the file names as text of strangers', async () => {
    const model = saying([mechanism, usage]);
    await asking(model);
    const told = allText(model.requests[0] ?? { messages: [] });
    expect(told).toMatch(/<issue-[0-9a-f]{8}>\n# Sum is off by one/);
    expect(told).toMatch(/<files-[0-9a-f]{8}>\nsrc\/sum\.ts/);
    expect(model.requests[0]?.settings.temperature).toBe(0.7);
  });

  it.each([
    ['a code fence and a thought around it', `I think:\n\`\`\`json\n${JSON.stringify([mechanism, usage])}\n\`\`\``],
    ['an object around it', { questions: [mechanism, usage] }],
    ['reasoning before it', `<think>[{"question": "draft?"}]</think>${JSON.stringify([mechanism, usage])}`],
    ['the category in another spelling', [{ ...mechanism, category: 'mechanism and behavior' }, usage]],
  ])('is understood with %s', async (_, reply) => {
    expect((await asking(saying(reply))).submission).toHaveLength(2);
  });

  it.each([
    ['no JSON', 'What about the parser?', 'no JSON array'],
    ['a wrong count', [mechanism], '1 questions instead of 2'],
    ['an unknown category', [mechanism, { ...usage, category: 'Testing' }], 'its category is none of'],
    ['near-duplicates', [mechanism, { ...mechanism, question: `${mechanism.question} Say so.` }], 'nearly the same'],
    [
      'a question that needs the issue beside it',
      [mechanism, { ...usage, question: 'What causes this bug?' }],
      'self-contained',
    ],
    ['an empty question', [mechanism, { ...usage, question: ' ' }], 'no text'],
  ])('may correct %s once, told what is wrong', async (_, reply, problem) => {
    const model = saying(reply, [mechanism, usage]);
    const result = await asking(model);
    expect(result).toMatchObject({ end: 'submitted', steps: 2 });
    expect(lastText(model.requests[1] ?? { messages: [] })).toContain(problem);
  });

  it('is told all problems at once', async () => {
    const bad = [{ ...mechanism, category: 'x' }, { ...usage, question: 'Why does it fail?' }, mechanism];
    const model = saying(bad, [mechanism, usage]);
    await asking(model);
    const told = lastText(model.requests[1] ?? { messages: [] });
    for (const problem of ['3 questions instead of 2', 'Question 1: its category', 'Question 2 is not self-contained'])
      expect(told).toContain(problem);
  });

  it('is not compared with thousands of others, one by one', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => ({ ...mechanism, question: `q${n} z${n * 7} in a${n}.py` }));
    const model = saying(many, [mechanism, usage]);
    expect((await asking(model)).submission).toHaveLength(2);
    expect(lastText(model.requests[1] ?? { messages: [] })).toContain('3000 questions instead of 2');
  });

  it('gives what is usable of a second reply that is still not right', async () => {
    const bad = [mechanism, { ...usage, category: 'x' }];
    const result = await asking(saying(bad, bad));
    expect(result).toMatchObject({ end: 'submitted', steps: 2 });
    expect(result.submission?.map((question) => question.id)).toEqual(['Q1']);
  });

  it.each(['[]', '```json\n[]\n```', '{"questions": []}'])('may find nothing to ask: %s', async (text) => {
    expect(await asking(saying(text))).toMatchObject({ end: 'submitted', steps: 1, submission: [] });
  });

  it('ends without questions when nothing can be used', async () => {
    const result = await asking(saying('Hm.', 'Hm.'));
    expect(result).toMatchObject({ end: 'format-errors', steps: 2 });
    expect(result.submission).toBeUndefined();
  });

  it('asks no model when no question is wanted', async () => {
    expect(await asking(modelSaying(), {}, 0)).toMatchObject({ end: 'submitted', submission: [], steps: 0 });
  });

  it('asks for one proposal, and no model, where a proposal is wanted', async () => {
    const result = await asking(modelSaying(), { asking: 'proposal' });
    expect(result.submission).toHaveLength(1);
    expect(result.submission?.[0]?.text).toContain('root cause');
  });

  it('knows nothing of categories where it asks freely', async () => {
    const model = saying([{ question: mechanism.question }, { question: usage.question }]);
    const result = await asking(model, { asking: 'free' });
    expect(result.submission).toHaveLength(2);
    expect(allText(model.requests[0] ?? { messages: [] })).not.toContain('Mechanism & Behavior');
  });
});

describe('a question that needs the issue beside it', () => {
  it.each([
    'What causes this bug?',
    'Where is the issue handled in the parser?',
    'Why does it return 4?',
    'How do they interact with the cache?',
    'What is the reported problem?',
    'Which functions call the method described above?',
  ])('is noticed: %s', (text) => {
    expect(unresolvedReference(text)).toBeDefined();
  });

  it.each([
    'How does the issue tracker client in `src/issues.go` retry requests?',
    'Which fields does the bug report template parser in `Report.from_markdown` keep?',
    'How does `Cache.get` behave when a key is missing, and does it raise?',
    'When is this-binding lost in `bindAll`?',
    'Does that-clause parsing in `grammar.rs` share code with `if`-clauses?',
    'What does the regression module export for `LinearRegression.fit`?',
  ])('is not seen in: %s', (text) => {
    expect(unresolvedReference(text)).toBeUndefined();
  });
});
