import { describe, expect, it } from 'vitest';
import type { AnsweredPair } from '#src/domain/answer.ts';
import type { Citation } from '#src/domain/citation.ts';
import { auditFinding } from '#src/pipeline/audit-finding.ts';
import { auditPair } from '#src/pipeline/audit-pair.ts';
import { RepositoryError } from '#src/repository/repository-error.ts';
import { readerOf } from '../repository/trees.ts';

const files = { 'src/sum.ts': 'export function sum() {\n  return 1;\n}\n', 'src/list.ts': 'export const list = [];\n' };

function repository(broken = false) {
  const reader = readerOf(files);
  return {
    view: async (path: string, range?: { startLine: number; endLine: number }) => reader.view(path, range),
    checkCitation: async (citation: Citation) => {
      if (broken) throw new RepositoryError('timed-out', 'it took too long');
      return reader.checkCitation(citation);
    },
  };
}

const pair = (text: string, citations: Citation[], changes: Partial<AnsweredPair> = {}): AnsweredPair => ({
  question: { id: 'Q1', category: 'Design & Usage', text: 'How?' },
  end: 'submitted',
  answer: { outcome: 'answered', text, citations },
  ...changes,
});
const sum: Citation = { kind: 'repository', path: 'src/sum.ts', symbol: 'sum', startLine: 1, endLine: 3 };
const dependency: Citation = { kind: 'dependency', package: 'six' };
const audited = (one: AnsweredPair, broken = false) => auditPair(one, [], repository(broken));

describe('an audited answer', () => {
  it('has the places that its text names beside its citations checked too', async () => {
    const text = '`sum` is 1 (`sum.ts:2`), `list` is empty (`src/list.ts:1`), and `src/gone.ts:4` reads it.';
    const { checked } = await audited(pair(text, [sum]));
    expect(checked.map(({ verdict, note }) => [verdict, note])).toEqual([
      ['confirmed', undefined],
      ['confirmed', 'named in the text'],
      ['struck', 'named in the text; there is no file src/gone.ts'],
    ]);
  });

  it('is not blamed for scratch files that its text names', async () => {
    const { checked } = await audited(pair('`sum` fails in `/tmp/try.ts:3`.', [sum]));
    expect(checked).toHaveLength(1);
  });

  it('has a place once, however it was written', async () => {
    const short: Citation = { ...sum, path: 'sum.ts' };
    expect((await audited(pair('So.', [sum, short]))).checked).toHaveLength(1);
  });

  it('takes over what was found in the container, and says where there was none', async () => {
    const found = { citation: { ...dependency, version: '1.16.0' }, verdict: 'confirmed' } as const;
    const both = pair('So.', [dependency, sum, { ...dependency, package: 'seven' }], { dependencies: [found] });
    expect((await audited(both)).checked.map(({ verdict }) => verdict)).toEqual([
      'confirmed',
      'confirmed',
      'unchecked',
    ]);
  });

  it('is left unchecked where the repository could not be read in time', async () => {
    const { checked } = await audited(pair('So.', [sum]), true);
    expect(checked[0]).toMatchObject({ verdict: 'unchecked', note: 'it could not be read: it took too long' });
  });

  it('marks what it says about code without evidence', async () => {
    const { uncited } = await audited(pair('`sum` returns.\n\n- `evict` clears it.', [sum]));
    expect(uncited).toEqual(['- `evict` clears it.']);
  });

  it('has nothing to check where there is no answer', async () => {
    const { question, end } = pair('', []);
    expect(await audited({ question, end })).toEqual({ question, end, checked: [] });
  });
});

describe('an audited finding', () => {
  it('has the places that its text names checked too', async () => {
    const reader = readerOf(files);
    const location = { path: 'src/sum.ts', startLine: 2, endLine: 2 };
    const finding = {
      locationExplanation: 'Called by `src/list.ts:1`.',
      rootCause: 'It returns 1 (sum.ts:2), which `src/gone.ts:4` reads; see /tmp/try.ts:3.',
      solutionIdea: 'Start at 0.',
      dependencies: 'src/sum.ts:90 relies on it.',
      testingImpact: 'None.',
      locations: [location],
    };
    const repository = { checkLocation: async (place: typeof location) => reader.checkLocation(place) };
    const { checked, misnamed } = await auditFinding(finding, repository);
    expect(checked).toEqual([{ location, verdict: 'confirmed' }]);
    expect(misnamed?.map(({ note }) => note)).toEqual(['there is no file src/gone.ts', 'src/sum.ts has only 3 lines']);
  });
});
