import { describe, expect, it } from 'vitest';
import { verifyFindings } from '#src/agents/verifier.ts';
import type { AuditedFinding, AuditedPair } from '#src/domain/diagnosis.ts';
import { modelSaying } from '../fakes/scripted-model.ts';
import { allText, echoingRepository, issue, neverAborted, testAgent } from './agent-fixture.ts';

const location = { path: 'src/sum.ts', startLine: 3, endLine: 4 };
const finding: AuditedFinding = {
  locationExplanation: 'It adds up.',
  rootCause: 'It starts at 1.',
  solutionIdea: 'Start at 0.',
  dependencies: 'None.',
  testingImpact: 'One test.',
  locations: [location],
  checked: [{ location, verdict: 'confirmed' }],
};
const ratings = { root_cause: 5, location: 4, actionability: 3, overall: 4, summary: 'Tight.' };

async function verifying(...replies: string[]) {
  const model = modelSaying(...replies.map((text) => ({ text })));
  const agent = testAgent(model);
  const input = { issue, findings: [finding], repository: echoingRepository };
  return { result: await verifyFindings(input, agent.context, neverAborted), model };
}

describe('the Verifier', () => {
  it('gives four ratings, and the mean of the first three', async () => {
    const { result } = await verifying(JSON.stringify(ratings));
    expect(result).toMatchObject({ end: 'submitted', steps: 1 });
    expect(result.submission).toEqual({
      mode: 'light',
      rootCause: 5,
      location: 4,
      actionability: 3,
      overall: 4,
      composite: 4,
      summary: 'Tight.',
      unsupported: [],
      contradictions: [],
    });
  });

  it('reads the issue, the diagnosis and the located lines, in one short call', async () => {
    const { model } = await verifying(JSON.stringify(ratings));
    const told = allText(model.requests[0] ?? { messages: [] });
    for (const text of ['Sum is off by one', 'It starts at 1.', 'src/sum.ts:3-4', 'view src/sum.ts'])
      expect(told).toContain(text);
    expect(model.requests[0]).toMatchObject({ maxOutputTokens: 500, tools: [], settings: { temperature: 0.1 } });
  });

  it.each([
    ['no ratings', 'Looks good.'],
    ['ratings out of range', JSON.stringify({ ...ratings, overall: 9 })],
  ])('ends without a verification after %s', async (_, reply) => {
    const { result } = await verifying(reply);
    expect(result).toMatchObject({ end: 'step-limit', steps: 1 });
    expect(result.submission).toBeUndefined();
  });

  it('reads the answers and the lines that they cite, and says what they do not show', async () => {
    const reply = { ...ratings, unsupported: ['sum is never cached'], contradictions: ['Q1 says 0', 'b', 'c', 'd'] };
    const model = modelSaying({ text: JSON.stringify(reply) });
    const cited = { path: 'src/list.ts', startLine: 8, endLine: 9 };
    const pair: AuditedPair = {
      question: { id: 'Q1', category: 'Design & Usage', text: 'How?' },
      answer: { outcome: 'answered', text: 'It starts at 0.', citations: [] },
      end: 'submitted',
      checked: [{ citation: { kind: 'repository', ...cited }, verdict: 'confirmed' }],
    };
    const input = { issue, findings: [finding], knowledge: [pair], repository: echoingRepository };
    const result = await verifyFindings(input, testAgent(model).context, neverAborted);
    const told = allText(model.requests[0] ?? { messages: [] });
    expect(told).toContain('It starts at 0.');
    expect(told).toContain('view src/list.ts {"startLine":8,"endLine":9}');
    expect(result.submission).toMatchObject({
      unsupported: ['sum is never cached'],
      contradictions: ['Q1 says 0', 'b', 'c'],
    });
  });

  it('counts an attempt that named no place', async () => {
    const model = modelSaying({ text: JSON.stringify({ ...ratings, agreement: 'none', supporting: [] }) });
    const result = await verifyFindings(
      { issue, findings: [finding], traces: [[]] },
      testAgent(model).context,
      neverAborted,
    );
    expect(result.submission).toMatchObject({ mode: 'full', agreement: 'none', supporting: [] });
    expect(allText(model.requests[0] ?? { messages: [] })).toContain('(It named no place.)');
  });

  it('reads other attempts where there are some', async () => {
    const model = modelSaying({ text: JSON.stringify({ ...ratings, agreement: 'high' }) });
    const input = { issue, findings: [finding], traces: [[{ ...finding, rootCause: 'Another idea.' }]] };
    const result = await verifyFindings(input, testAgent(model).context, neverAborted);
    expect(result.submission).toMatchObject({ mode: 'full', agreement: 'high' });
    expect(allText(model.requests[0] ?? { messages: [] })).toContain('Another idea.');
  });
});
