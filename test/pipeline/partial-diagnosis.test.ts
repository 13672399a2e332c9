import { describe, expect, it } from 'vitest';
import { ModelError } from '#src/domain/errors.ts';
import { COMMIT, repository } from '../git/repositories.ts';
import { answering, carefulModel, finding, locating, notKnowing } from './careful-model.ts';
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
