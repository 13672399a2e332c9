import { describe, expect, it } from 'vitest';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import { ModelError } from '#src/domain/errors.ts';
import type { RunSettings } from '#src/domain/settings.ts';
import { callingTool } from '../fakes/scripted-model.ts';
import { COMMIT, repository } from '../git/repositories.ts';
import { answering, carefulModel, finding, locating, looking, notKnowing } from './careful-model.ts';
import { diagnosing } from './run-fixture.ts';

const down = () => new ModelError('unreachable', 'The model cannot be reached.', 'Try again later.');
const LEDGER = `mkdir src; printf 'def total(x):\\n    return abs(x)\\n' > src/ledger.py${COMMIT}`;
const cited = { kind: 'repository', path: 'src/ledger.py', symbol: 'total', startLine: 1, endLine: 2 };
const answer = answering('`total` takes the absolute value (`src/ledger.py:2`).', [cited]);

describe('a run in which an agent fails for good', () => {
  it('shows what the others had finished, audited, and says that it is incomplete', async () => {
    const model = carefulModel({
      answer: ({ agent }) => (agent === 'answerer-Q1' ? answer : down()),
      locate: () => locating(finding('src/ledger.py', 2, 2)),
    });
    const { end, diagnosis, partial, markdown } = await diagnosing(repository(LEDGER), model);
    expect(end).toMatchObject({ kind: 'failed', code: 'model-unreachable' });
    expect(diagnosis).toBeUndefined();
    expect(partial?.knowledge.map((pair) => [pair.question.id, pair.end])).toEqual([
      ['Q1', 'submitted'],
      ['Q2', 'unfinished'],
    ]);
    expect(partial?.crossChecks?.[0]).toMatchObject({ question: 'Q1', relation: 'same-lines' });
    expect(markdown).toContain('This diagnosis is incomplete');
    expect(markdown).toContain('**Most likely cause:**');
  });

  it('starts only what is missing when it goes on, and then shows the whole diagnosis', async () => {
    const clone = repository(LEDGER);
    const first = await diagnosing(
      clone,
      carefulModel({ answer: ({ agent }) => (agent === 'answerer-Q1' ? answer : down()) }),
    );
    const model = carefulModel({ answer: () => notKnowing });
    const { end, diagnosis, markdown } = await diagnosing(clone, model, { folder: first.folder });
    expect(end).toEqual({ kind: 'diagnosed' });
    expect(model.requests.map((request) => request.agent)).toEqual(['answerer-Q2']);
    expect(diagnosis?.knowledge[0]?.answer?.outcome).toBe('answered');
    expect(markdown).not.toContain('incomplete');
  });

  it('shows nothing half-done where nothing was finished', async () => {
    const { partial, end } = await diagnosing(repository(LEDGER), carefulModel({ questions: () => down() }));
    expect(end.kind).toBe('failed');
    expect(partial).toBeUndefined();
  });

  it('is complete without a rating when only the Verifier fails', async () => {
    const model = carefulModel({ locate: () => locating(finding('src/ledger.py', 2, 2)), verify: () => down() });
    const { end, markdown } = await diagnosing(repository(LEDGER), model, { settings: { verifier: 'light' } });
    expect(end).toEqual({ kind: 'diagnosed' });
    expect(markdown).toContain('The findings were not verified: The model cannot be reached.');
  });
});

describe('a run whose agents never come to an end by themselves', () => {
  const endless = () => ({ locate: looking, answer: () => callingTool('shell', { command: 'ls' }) });

  it('ends within their steps, and says which of them left nothing', async () => {
    const settings = withLimits({ steps: 5 });
    const model = carefulModel(endless());
    const { end, diagnosis, markdown } = await diagnosing(repository(LEDGER), model, { settings });
    expect(end).toEqual({ kind: 'diagnosed' });
    expect(model.requests.filter((request) => request.role !== 'questioner')).toHaveLength(15);
    expect(diagnosis?.notes).toEqual([
      'Q1 has no answer: its Answerer ended with step-limit.',
      'Q2 has no answer: its Answerer ended with step-limit.',
      'There are no findings: the Localizer ended with step-limit.',
    ]);
    expect(markdown).toContain('**No fault is named.**');
  });

  it('ends within the budget of the run, with what is submitted when told that it is used up', async () => {
    const isTold = ({ messages }: { messages: { text: string }[] }) =>
      messages.some(({ text }) => text.includes('Your budget ends here'));
    const model = carefulModel({
      locate: (request) => (isTold(request) ? locating(finding('src/ledger.py', 2, 2)) : looking()),
      answer: (request) => (isTold(request) ? answer : callingTool('shell', { command: 'ls' })),
    });
    const settings = withLimits({ usd: 0.02 });
    const { end, diagnosis, usd } = await diagnosing(repository(LEDGER), model, { settings });
    expect(end).toEqual({ kind: 'diagnosed' });
    expect(diagnosis?.knowledge.map((pair) => pair.end)).toEqual(['submitted', 'submitted']);
    expect(diagnosis?.findings).toHaveLength(1);
    expect(usd).toBeLessThanOrEqual(0.07);
  });
});

/** Limits for Answerers and Localizer. */
function withLimits(limits: Partial<RunSettings['roles']['answerer']['limits']>): Partial<RunSettings> {
  const { roles } = defaultRunSettings('test-model');
  const limited = (role: 'answerer' | 'localizer') => ({
    ...roles[role],
    limits: { ...roles[role].limits, ...limits },
  });
  return { roles: { ...roles, answerer: limited('answerer'), localizer: limited('localizer') } };
}
