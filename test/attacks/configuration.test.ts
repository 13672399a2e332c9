import { describe, expect, it } from 'vitest';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import { InputError } from '#src/domain/errors.ts';
import { applyRepositoryConfig, RepositoryConfig } from '#src/repository-config.ts';

const operator = defaultRunSettings('m');
const bomb = [
  'a: &a [x, x]',
  ...[...'bcdefghi'].map((name, i) => `${name}: &${name} [*${'abcdefgh'[i]}, *${'abcdefgh'[i]}]`),
];

describe('a configuration that attacks', () => {
  it.each<[string, string]>([
    ['explodes by its aliases', bomb.join('\n')],
    ['refers to itself', 'protected: &a [*a]'],
    ['merges what it may not say', 'base: &b { budget: 1 }\n<<: *b'],
    ['is 10 MB long', `protected:\n${'  - src/**\n'.repeat(1_000_000)}`],
    ['is nested without end', `protected: ${'['.repeat(20_000)}`],
    ['names a type of a language', 'setup: !!js/function "process.exit()"\nnope: 1'],
    ['reaches for the prototype', '__proto__: { budget: 100 }\nconstructor: { prototype: { budget: 100 } }'],
    ['gives numbers that are none', 'budget: .inf\nquestions: .nan\ntimeout: 1e999'],
    ['gives lists for words', 'setup: [curl, x]\ntest: { a: 1 }'],
    ['says one thing twice', 'budget: 1\nbudget: 100'],
    ['sets what only the operator may', 'model: x\nseconds: 99999\nsandboxImage: x\nnetwork: host\nprotectedPaths: []'],
    ['is no map', '- setup\n- test'],
    ['is several documents', 'budget: 1\n---\nbudget: 2'],
    ['has maps as keys of maps as keys of maps', '? '.repeat(700)],
  ])('%s: it is refused, with reasons that name its lines', (_name, text) => {
    let refused: unknown;
    try {
      applyRepositoryConfig(text, operator);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(InputError);
    for (const problem of (refused as InputError).problems) {
      expect(problem.source).toMatch(/^\.github\/fathom\.yml:\d+$/);
      expect(problem.message.length + problem.remedy.length).toBeLessThan(1000);
    }
    expect(Object.hasOwn(Object.prototype, 'budget')).toBe(false);
  });

  it('asks for more than the operator allows, and gets no more', () => {
    const more =
      'questions: 5\nbudget: 100000\ntimeout: 7200\nfindings: true\nverifier: full\nprotected: ["!.github/**"]';
    let made = operator;
    try {
      made = applyRepositoryConfig(more, operator);
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
    }
    expect(made.questions).toBeLessThanOrEqual(operator.questions);
    expect(made.budgetUsd).toBeLessThanOrEqual(operator.budgetUsd);
    expect(made.tests.timeoutSeconds).toBeLessThanOrEqual(operator.tests.timeoutSeconds);
    expect(made.verifier).toBe('off');
    expect(made.protectedPaths).toEqual(expect.arrayContaining(operator.protectedPaths));
  });

  it('raises no limit with any setting that there is', () => {
    // A setting that is new has to be thought of here.
    const most: Required<RepositoryConfig> = {
      questions: 5,
      findings: true,
      verifier: 'full',
      budget: 1e9,
      image: 'python:3.12',
      setup: 'true',
      test: 'true',
      timeout: 7200,
      protected: ['src/**'],
      'open-without-proof': true,
      attempts: 5,
    };
    expect(Object.keys(most).sort()).toEqual(Object.keys(RepositoryConfig.shape).sort());
    const limits = { openWithoutProof: false, images: ['python:*'] };
    const strict = { ...operator, findings: false, questions: 0, attempts: 1, repositoryLimits: limits };
    const made = applyRepositoryConfig(JSON.stringify(most), strict);
    const { image, setup, test, ...tests } = made.tests;
    expect({ ...made, tests }).toEqual({ ...strict, protectedPaths: [...strict.protectedPaths, 'src/**'] });
    expect({ image, setup, test }).toEqual({ image: 'python:3.12', setup: 'true', test: 'true' });
  });

  it('asks for the full Verifier, and gets the light one that the operator pays for', () => {
    expect(applyRepositoryConfig('verifier: full', { ...operator, verifier: 'light' }).verifier).toBe('light');
    expect(applyRepositoryConfig('verifier: light', { ...operator, verifier: 'full' }).verifier).toBe('light');
  });

  it.each([
    ['what a set-up of somebody else left', 'fathom-environment:0123456789abcdef0123456789abcdef', ['*']],
    ['the same under the name of a registry', 'docker.io/library/fathom-environment:0123456789abcdef', ['*']],
    ['any image by its id', '0f1e2d3c4b5a', ['*']],
    ['any image by the first digits of its id', '6d', ['*']],
    ['any image by the first digits of its digest', 'sha256:6d', ['*']],
    ['any image by its digest', 'sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0', ['*']],
    ['an image that is not on the list', 'company/secrets:latest', ['python:*', 'node:24']],
    ['a longer name than the one on the list', 'node:24-evil', ['node:24']],
    ['an option of a program', '--privileged', ['*']],
    ['any image, where none is allowed', 'python:3.12', []],
  ])('is refused %s as its image', (_name, image, images) => {
    const strict = { ...operator, repositoryLimits: { openWithoutProof: true, images } };
    expect(() => applyRepositoryConfig(`image: "${image}"`, strict)).toThrow(InputError);
  });
});
