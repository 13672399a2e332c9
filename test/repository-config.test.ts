import { describe, expect, it } from 'vitest';
import { defaultRunSettings } from '../src/domain/default-settings.ts';
import { InputError } from '../src/domain/errors.ts';
import { applyRepositoryConfig } from '../src/repository-config.ts';
import { reductionsOf } from '../src/repository-reductions.ts';

const settings = defaultRunSettings('m');

function problemsOf(text: string) {
  try {
    applyRepositoryConfig(text, settings);
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  return [];
}

describe('.github/fathom.yml', () => {
  it('without the file, or with an empty one, the operator decides', () => {
    expect(applyRepositoryConfig(undefined, settings)).toEqual(settings);
    expect(applyRepositoryConfig('# nothing\n', settings)).toEqual(settings);
  });

  it('says how the repository is set up and tested', () => {
    const text = 'setup: make deps\ntest: make check\ntimeout: 60\nprotected:\n  - vendor/**\n';
    const applied = applyRepositoryConfig(text, settings);
    expect(applied.tests).toMatchObject({ setup: 'make deps', test: 'make check', timeoutSeconds: 60 });
    expect(applied.protectedPaths).toContain('vendor/**');
    expect(applied.protectedPaths).toContain('.github/**');
  });

  it('can ask for less than the operator allows, never for more', () => {
    const applied = applyRepositoryConfig('budget: 500\nquestions: 5\ntimeout: 7000\n', settings);
    expect(applied.budgetUsd).toBe(settings.budgetUsd);
    expect(applied.questions).toBe(settings.questions);
    expect(applied.tests.timeoutSeconds).toBe(settings.tests.timeoutSeconds);
    expect(applyRepositoryConfig('budget: 1\nquestions: 0\n', settings)).toMatchObject({ budgetUsd: 1, questions: 0 });
  });

  it('that asks for more is told what it got, in one sentence, and one that does not is told nothing', () => {
    const text = 'budget: 500\nquestions: 5\nverifier: full\nfindings: true\n';
    const operator = { ...settings, questions: 2, budgetUsd: 6, verifier: 'light' as const };
    expect(reductionsOf(text, operator)).toEqual([
      '`.github/fathom.yml` asks for more than the operator of Fathom allows: questions is 2 and not 5, ' +
        'verifier is light and not full, budget is 6 and not 500.',
    ]);
    expect(reductionsOf('budget: 1\nattempts: 3\n', settings)).toEqual([]);
    expect(reductionsOf(undefined, settings)).toEqual([]);
  });

  it('names an unknown setting with its line and the nearest right one', () => {
    const problems = problemsOf('test: make\nqestions: 2\n');
    expect(problems).toEqual([
      {
        source: '.github/fathom.yml:2',
        message: '"qestions" is no setting',
        remedy: 'Line 2: did you mean `questions`?',
      },
    ]);
  });

  it('reports all wrong values at once, each with its line', () => {
    expect(problemsOf('questions: many\nfindings: 3\n').map((one) => one.source)).toEqual([
      '.github/fathom.yml:1',
      '.github/fathom.yml:2',
    ]);
  });

  it('reports them in the order of the file, in words and not in those of a validator', () => {
    const text = 'tests: make\nquestions: 9\nsetup: true\ntimeout: soon\nattempts: 1.5\nbudget: 0\nprotected: vendor\n';
    expect(problemsOf(text).map(({ source, message }) => `${source} ${message}`)).toEqual([
      '.github/fathom.yml:1 "tests" is no setting',
      '.github/fathom.yml:2 questions is too large: at most 5',
      '.github/fathom.yml:3 setup is not a text',
      '.github/fathom.yml:4 timeout is not a number',
      '.github/fathom.yml:5 attempts is not a whole number',
      '.github/fathom.yml:6 budget is too small: more than 0',
      '.github/fathom.yml:7 protected is not a list',
    ]);
  });

  it.each([
    ['broken YAML', 'test: [unclosed\n'],
    ['a list', '- a\n- b\n'],
    ['an alias bomb', `a: &a [x,x]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\ntest: *c\n`],
    ['ten megabytes', `test: ${'x'.repeat(10_000_000)}`],
    ['a prototype key', '__proto__: {questions: 1}\nconstructor: 1\n'],
  ])('refuses %s with a problem and not a crash', (_name, text) => {
    expect(problemsOf(text).length).toBeGreaterThan(0);
  });
});
