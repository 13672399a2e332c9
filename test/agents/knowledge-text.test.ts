import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knowledgeText } from '#src/agents/knowledge-text.ts';
import type { CheckedCitation } from '#src/domain/citation.ts';
import type { AuditedFinding, AuditedPair, Diagnosis, Verification } from '#src/domain/diagnosis.ts';
import { loadPrompts } from '#src/prompts/load-prompts.ts';

const prompts = loadPrompts(join(import.meta.dirname, '../../prompts'));
const place = { path: 'src/sum.ts', startLine: 3, endLine: 4 };
const cited: CheckedCitation = { citation: { kind: 'repository', ...place, symbol: 'sum' }, verdict: 'confirmed' };

const pair = (id: string, changes: Partial<AuditedPair> = {}, text = 'It starts at 1.'): AuditedPair => ({
  question: { id, category: 'Design & Usage', text: `What about ${id}?` },
  answer: { outcome: 'answered', text, citations: [], falsifier: `\`node ${id}.js\` prints 0.` },
  end: 'submitted',
  checked: [cited],
  ...changes,
});
const finding: AuditedFinding = {
  locationExplanation: 'l',
  rootCause: 'r',
  solutionIdea: 's',
  dependencies: 'd',
  testingImpact: 't',
  locations: [place],
  checked: [
    { location: place, verdict: 'confirmed' },
    { location: place, verdict: 'corrected' },
  ],
};
const told = (diagnosis: Partial<Diagnosis>): string =>
  knowledgeText({ base: 'b', knowledge: [], findings: [], suspects: [], notes: [], ...diagnosis }, prompts);

describe('the knowledge that a Resolver is given', () => {
  it('names each place as evidence once, and each location of a finding once', () => {
    const text = told({ knowledge: [pair('Q1', { checked: [cited, cited] }), pair('Q2')], findings: [finding] });
    expect(text.split('- src/sum.ts:3-4 sum')).toHaveLength(2);
    expect(text).toContain('Locations: src/sum.ts:3-4\n');
  });

  it('says what would show an answer to be wrong', () => {
    expect(told({ knowledge: [pair('Q1')] })).toContain('Would be wrong if: `node Q1.js` prints 0.');
  });

  it('says which evidence was struck and why, and what is said without any', () => {
    const gone = { kind: 'repository', path: 'src/gone.ts', startLine: 1, endLine: 2 } as const;
    const checked: CheckedCitation[] = [{ citation: gone, verdict: 'struck', note: 'there is no file src/gone.ts' }];
    const text = told({ knowledge: [pair('Q1', { checked, uncited: ['`spook` is called.'] })] });
    expect(text).toContain('not supported:\n- src/gone.ts:1-2 (there is no file src/gone.ts)');
    expect(text).toContain('Said without a citation of its own:\n- `spook` is called.');
    expect(text).not.toContain('Evidence:');
  });

  it('tells where in a package something is, and marks what could not be checked', () => {
    const citation = { kind: 'dependency', package: 'six', version: '1.16', path: 'six.py', symbol: 'u' } as const;
    const checked: CheckedCitation[] = [
      { citation: { ...citation, startLine: 3, endLine: 4 }, verdict: 'confirmed' },
      { citation: { kind: 'dependency', package: 'gone' }, verdict: 'unchecked' },
    ];
    const text = told({ knowledge: [pair('Q1', { checked })] });
    expect(text).toContain('- dependency six 1.16 six.py:3-4 u\n- dependency gone (not checked)\n');
  });

  it('sets off what a command printed, tells it first, and says how much evidence is left out', () => {
    const read = Array.from({ length: 20 }, (_, line): CheckedCitation => {
      const startLine = line + 1;
      return { citation: { kind: 'repository', path: 'a.ts', startLine, endLine: startLine }, verdict: 'confirmed' };
    });
    const ran: CheckedCitation = {
      citation: { kind: 'observation', command: 'node x.js', output: 'one\ntwo' },
      verdict: 'confirmed',
    };
    const text = told({ knowledge: [pair('Q1', { checked: [...read, ran] })] });
    expect(text).toContain('- command:\n      node x.js\n  gave:\n      one\n      two\n- a.ts:1-1\n');
    expect(text).toContain('- and 5 more\n');
  });

  it('warns of findings that no answer comes near, and of what the Verifier doubts', () => {
    const crossChecks = [{ question: 'Q1', finding: 1, relation: 'elsewhere' } as const];
    const rated = { rootCause: 4, location: 4, actionability: 4, overall: 4, composite: 4 };
    const verification: Verification = { mode: 'light', ...rated, unsupported: ['sum is cached'] };
    const text = told({ findings: [finding], crossChecks, verification });
    expect(text).toContain('- not shown by the lines: sum is cached\n- finding 1 lies in files that no answer cites');
  });

  it('stays short, whatever it is made of', () => {
    const long = 'word '.repeat(20_000);
    const many = Array.from({ length: 300 }, (_, line): CheckedCitation => {
      return { citation: { kind: 'observation', command: `cat ${line}`, output: long }, verdict: 'confirmed' };
    });
    const knowledge = ['Q1', 'Q2', 'Q3', 'Q4', 'Q5'].map((id) => pair(id, { checked: many }, long));
    const wide = { ...finding, rootCause: long, dependencies: long };
    expect(told({ knowledge: knowledge.slice(0, 2), findings: [wide] }).length).toBeLessThan(35_000);
    expect(told({ knowledge, findings: Array(10).fill(wide) }).length).toBeLessThanOrEqual(40_000);
  });

  it('is empty where nothing is known', () => {
    expect(told({})).toBe('');
  });
});
