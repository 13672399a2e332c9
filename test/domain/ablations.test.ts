import { describe, expect, it } from 'vitest';
import { ABLATIONS, ablated, partsLeftOut, readAblations } from '#src/domain/ablations.ts';
import { defaultRunSettings } from '#src/domain/default-settings.ts';

const base = defaultRunSettings('m');
const without = (names: string) => ablated(base, readAblations(names, '--ablate').ablations);

describe('leaving parts out', () => {
  it.each([
    ['no-questions', { questions: 0 }],
    ['no-findings', { findings: false }],
    ['free', { asking: 'free' }],
    ['proposal', { asking: 'proposal' }],
    ['no-hint', { hint: false }],
    ['no-view-file', { localizerTools: ['codebase_search', 'repo_tree', 'connected_tree'] }],
    ['no-codebase-search', { localizerTools: ['view_file', 'repo_tree', 'connected_tree'] }],
    ['no-repo-tree', { localizerTools: ['view_file', 'codebase_search', 'connected_tree'] }],
    ['no-connected-tree', { localizerTools: ['view_file', 'codebase_search', 'repo_tree'] }],
    ['no-shell', { answererTools: [] }],
    ['no-context-management', { recoveries: { ...base.recoveries, contextManagement: false } }],
    ['no-loop-detection', { recoveries: { ...base.recoveries, loopDetection: false } }],
    ['no-implicit-tool-calls', { recoveries: { ...base.recoveries, implicitToolCalls: false } }],
    ['no-response-length', { recoveries: { ...base.recoveries, responseLength: false } }],
    ['no-final-turn', { recoveries: { ...base.recoveries, finalTurn: false } }],
  ])('%s changes that and nothing else', (name, change) => {
    expect(without(name)).toEqual({ ...base, ...change });
  });

  it('takes several at once, in the spelling of the tools as well', () => {
    expect(without('no-view_file, No-Repo-Tree,no-hint')).toEqual({
      ...base,
      hint: false,
      localizerTools: ['codebase_search', 'connected_tree'],
    });
  });

  it('names every unknown word with what was probably meant', () => {
    const { problems } = readAblations('no-viewfile,no_shel,elephants,no-hint', '--ablate');
    expect(problems.map(({ message, remedy }) => `${message}. ${remedy}`)).toEqual([
      'no-viewfile is nothing that can be left out. Did you mean no-view-file?',
      'no_shel is nothing that can be left out. Did you mean no-shell?',
      expect.stringMatching(/^elephants is nothing .* Choose of no-questions, .*no-final-turn\.$/),
    ]);
    expect(readAblations(' ,', '--ablate').problems).toHaveLength(1);
  });

  it('says afterwards what a run was made without, and of a usual run nothing', () => {
    expect(partsLeftOut(base)).toEqual([]);
    for (const { name, without: words } of ABLATIONS) expect(partsLeftOut(without(name))).toEqual([words]);
  });
});
