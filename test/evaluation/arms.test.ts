import { describe, expect, it } from 'vitest';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import { InputError } from '#src/domain/errors.ts';
import { parseArms } from '#src/evaluation/arms/arms.ts';
import { oracleFinding, shuffledDonors } from '#src/evaluation/arms/given-diagnosis.ts';
import { maskIssue } from '#src/evaluation/arms/mask-issue.ts';
import { goldOf } from '#src/evaluation/datasets/gold.ts';
import { gateFindings } from '#src/pipeline/gate-findings.ts';

const base = defaultRunSettings('m');
const without = (tool: string) => base.localizerTools.filter((name) => name !== tool);
const recoveriesBut = (name: string) => ({ ...base.recoveries, [name]: false });
const problemsOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return '';
};

describe('an arm', () => {
  it.each([
    ['none', { questions: 0, findings: false }],
    ['questions', { questions: 2, findings: false, asking: 'categories' }],
    ['findings', { questions: 0, findings: true, hint: true, verifier: 'off' }],
    ['both', { questions: 2, findings: true }],
    ['free', { questions: 2, asking: 'free' }],
    ['proposal', { questions: 1, asking: 'proposal' }],
    ['no-hint', { findings: true, hint: false }],
    ['gate', { findings: true, verifier: 'light', findingsGate: 4 }],
    ['verifier-full', { findings: true, verifier: 'full', findingsGate: 4 }],
    ['n5', { questions: 5, findings: false }],
    ['no-view-file', { questions: 0, findings: true, localizerTools: without('view_file') }],
    ['no-codebase-search', { questions: 0, findings: true, localizerTools: without('codebase_search') }],
    ['no-repo-tree', { questions: 0, findings: true, localizerTools: without('repo_tree') }],
    ['no-connected-tree', { questions: 0, findings: true, localizerTools: without('connected_tree') }],
    ['no-shell', { questions: 2, findings: false, answererTools: [] }],
    ['no-context-management', { questions: 2, findings: true, recoveries: recoveriesBut('contextManagement') }],
    ['no-loop-detection', { questions: 2, findings: true, recoveries: recoveriesBut('loopDetection') }],
    ['no-implicit-tool-calls', { questions: 2, findings: true, recoveries: recoveriesBut('implicitToolCalls') }],
    ['no-response-length', { questions: 2, findings: true, recoveries: recoveriesBut('responseLength') }],
    ['no-final-turn', { questions: 2, findings: true, recoveries: recoveriesBut('finalTurn') }],
  ])('%s is these settings and leaves the others as they are', (name, expected) => {
    const [arm] = parseArms(name, 'resolve');
    const settings = arm?.settings(base);
    expect(settings).toMatchObject(expected);
    expect({ ...settings, ...expected }).toMatchObject({ roles: base.roles, budgetUsd: base.budgetUsd });
  });

  it('that does not exist is answered with the nearest one that does', () => {
    const remedyOf = (name: string) => {
      try {
        return parseArms(name, 'resolve').length;
      } catch (error) {
        return error instanceof InputError ? error.remedy : error;
      }
    };
    expect(remedyOf('no-viewfile')).toBe('Did you mean no-view-file?');
    expect(remedyOf('finding')).toBe('Did you mean findings?');
    expect(remedyOf('something else')).toMatch(/^Choose of none, .*no-final-turn/);
  });

  it('can give a role another model', () => {
    const [arm] = parseArms('both@resolver=large:1+localizer=small/2', 'resolve');
    const { roles } = arm?.settings(base) ?? base;
    expect([roles.resolver.model, roles.localizer.model, roles.answerer.model]).toEqual(['large:1', 'small/2', 'm']);
  });

  it('asks nothing when only the Localizer is measured', () => {
    expect(parseArms('both', 'localize')[0]?.settings(base).questions).toBe(0);
  });

  it('is refused where it does nothing, is unknown or comes twice, all at once', () => {
    const said = problemsOf(() => parseArms('none,nonsense,findings,findings,both@boss=x', 'localize'));
    expect(said).toContain('none has no Localizer');
    expect(said).toContain('nonsense is no arm');
    expect(said).toContain('findings comes twice');
    expect(said).toContain('boss is no role');
    expect(problemsOf(() => parseArms(' , ', 'resolve'))).toContain('names no arm');
    expect(problemsOf(() => parseArms('no-shell', 'localize'))).toContain('no-shell has no Localizer');
    expect(problemsOf(() => parseArms('oracle', 'diagnose'))).toContain('about the repair');
  });
});

describe('a masked issue', () => {
  it('names no path, module, link or repository any more', () => {
    const masked = maskIssue(
      'In pallets/flask, see src/flask/app.py:12 and flask.views.View (https://x.y/z).\nFile "C:\\a\\flask\\app.py", tests/test_a.py; setup.cfg. Flask breaks at 3/4 of and/or e.g. 1.5.',
      'pallets/flask',
    );
    expect(masked).toBe(
      'In [REPOSITORY], see [PATH] and [MODULE] ([URL]).\nFile "[PATH]", [PATH]; [PATH]. [REPOSITORY] breaks at 3/4 of and/or e.g. 1.5.',
    );
  });

  it('is made in time linear in the text', () => {
    expect(maskIssue('a/'.repeat(300_000), 'o/n').length).toBeGreaterThan(0);
    expect(maskIssue('.'.repeat(300_000), 'o/n').length).toBe(300_000);
  });
});

describe('what a control is given', () => {
  const instance = (instance_id: string, repo: string) => ({ instance_id, repo });

  it('never an instance’s own findings, and another repository’s where there is one', () => {
    const all = [instance('a1', 'a/a'), instance('a2', 'a/a'), instance('b1', 'b/b')];
    const donors = shuffledDonors(all);
    expect(donors.get('a1')).toBe('b1');
    expect(donors.get('a2')).toBe('b1');
    expect(donors.get('b1')).toMatch(/^a/);
    expect(shuffledDonors(all)).toEqual(donors);
    expect(shuffledDonors([instance('a1', 'a/a')]).size).toBe(0);
  });

  it('the places of the fix, for the oracle', () => {
    const patch = '--- a/src/a.py\n+++ b/src/a.py\n@@ -3,2 +3,2 @@\n a\n-b\n+c\n';
    const made = { instance_id: 'i', repo: 'o/n', base_commit: 'a'.repeat(40), problem_statement: 'x', patch };
    expect(oracleFinding(made, goldOf(patch)).locations).toEqual([{ path: 'src/a.py', startLine: 4, endLine: 4 }]);
  });
});

describe('the gate', () => {
  const finding = oracleFinding(
    { instance_id: 'i', repo: 'o/n', base_commit: 'a'.repeat(40), problem_statement: 'x', patch: 'x' },
    { files: ['a.py'], chunks: [] },
  );
  const rated = (composite: number) => ({
    ...{ base: 'b', knowledge: [], findings: [finding], suspects: [], notes: [] },
    verification: { mode: 'light' as const, rootCause: 3, location: 3, actionability: 3, overall: 3, composite },
  });

  it('keeps findings that are rated well enough, and all where there is no gate', () => {
    expect(gateFindings(rated(4), 4).findings).toHaveLength(1);
    expect(gateFindings(rated(1), undefined).findings).toHaveLength(1);
  });

  it('withholds findings that are rated lower, or were not rated', () => {
    expect(gateFindings(rated(3.9), 4).findings).toEqual([]);
    const { verification: _, ...unrated } = rated(5);
    expect(gateFindings(unrated, 4).findings).toEqual([]);
  });
});
