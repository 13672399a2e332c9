import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { InputError } from '../src/domain/errors.ts';

const empty = () => mkdtempSync(join(tmpdir(), 'fathom-config-'));

function problemsOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('without a model there is none, and the papers set the limits', () => {
    const config = loadConfig({}, empty(), {});
    expect(config.model).toBeUndefined();
    expect(config.settings.questions).toBe(2);
    expect(config.settings.roles.answerer.limits).toMatchObject({ steps: 150, usd: 2, commandSeconds: 120 });
    expect(config.settings.roles.resolver.limits).toMatchObject({ steps: 250, usd: 3, commandSeconds: 360 });
    expect(config.settings.roles.localizer).toMatchObject({ temperature: 0.99, topP: 0.95, limits: { steps: 20 } });
  });

  it('a flag wins over the environment, which wins over .env', () => {
    const folder = empty();
    writeFileSync(
      join(folder, '.env'),
      'FATHOM_QUESTIONS=1\nFATHOM_MODEL=from-file\nOPENAI_API_KEY=k\nFATHOM_BUDGET_USD=2\n',
    );
    const config = loadConfig({ questions: '4' }, folder, { FATHOM_MODEL: 'from-environment', FATHOM_QUESTIONS: '3' });
    expect(config.settings.questions).toBe(4);
    expect(config.settings.roles.resolver.model).toBe('from-environment');
    expect(config.settings.budgetUsd).toBe(2);
  });

  it('every problem is reported at once, each under the name the user used', () => {
    const variables = { FATHOM_BUDGET_USD: '-1', FATHOM_VERIFIER: 'maybe', OPENAI_BASE_URL: 'nowhere' };
    const problems = problemsOf(() => loadConfig({ questions: '9' }, empty(), variables));
    expect(problems.map((problem) => problem.source).sort()).toEqual([
      '--questions',
      'FATHOM_BUDGET_USD',
      'FATHOM_VERIFIER',
      'OPENAI_BASE_URL',
    ]);
    expect(problems.every((problem) => problem.remedy.length > 0)).toBe(true);
  });

  it('a model without a key, and a key without a model, are told with what to set', () => {
    expect(problemsOf(() => loadConfig({ model: 'm' }, empty(), {})).map((one) => one.source)).toEqual([
      'OPENAI_API_KEY',
    ]);
    expect(problemsOf(() => loadConfig({}, empty(), { OPENAI_API_KEY: 'k' })).map((one) => one.source)).toEqual([
      'FATHOM_MODEL',
    ]);
  });

  it('another server speaks the older API unless told otherwise, and OpenAI the newer one', () => {
    const key = { OPENAI_API_KEY: 'k', FATHOM_MODEL: 'm' };
    expect(loadConfig({}, empty(), key).model?.api).toBe('responses');
    expect(loadConfig({}, empty(), { ...key, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }).model?.api).toBe('chat');
  });

  it('findings are left out by the flag or by the environment, and the absent flag does not bring them back', () => {
    expect(loadConfig({ findings: false }, empty(), {}).settings.findings).toBe(false);
    expect(loadConfig({ findings: true }, empty(), { FATHOM_FINDINGS: 'false' }).settings.findings).toBe(false);
    expect(loadConfig({ findings: true }, empty(), {}).settings.findings).toBe(true);
  });

  it('what a command line says beside settings does no harm', () => {
    const flags = { repo: '.', issue: 'i.md', json: true, questions: '1' };
    expect(loadConfig(flags, empty(), {}).settings.questions).toBe(1);
  });

  it('an empty variable counts as not set', () => {
    expect(loadConfig({}, empty(), { FATHOM_MODEL: '', OPENAI_API_KEY: '  ' }).model).toBeUndefined();
  });
});

describe('what the operator decides of containers and repositories', () => {
  it('has defaults, and is refused where it makes no sense', () => {
    const config = loadConfig({}, empty(), {});
    expect(config).toMatchObject({ diskBytes: 5e9, sandboxRuntime: undefined });
    expect(config.settings.repositoryLimits).toEqual({ openWithoutProof: true });
    const strict = {
      FATHOM_OPEN_WITHOUT_PROOF: 'never',
      FATHOM_REPOSITORY_IMAGES: 'python:*, node:24',
      FATHOM_DISK_GB: '2',
    };
    const { settings, diskBytes } = loadConfig({}, empty(), strict);
    expect(settings.repositoryLimits).toEqual({ openWithoutProof: false, images: ['python:*', 'node:24'] });
    expect(diskBytes).toBe(2e9);
    expect(loadConfig({}, empty(), { FATHOM_REPOSITORY_IMAGES: 'none' }).settings.repositoryLimits?.images).toEqual([]);
    const wrong = { FATHOM_DISK_GB: '-1', FATHOM_OPEN_WITHOUT_PROOF: 'yes', FATHOM_SANDBOX_RUNTIME: 'a b' };
    expect(
      problemsOf(() => loadConfig({}, empty(), wrong))
        .map((one) => one.source)
        .sort(),
    ).toEqual(Object.keys(wrong).sort());
  });
});

describe('how set-ups reach their registries', () => {
  const authority = join(import.meta.dirname, 'fixtures/authority/authority.pem');

  it('certificates, proxy and registries are known to every installer, and to no run', () => {
    const config = loadConfig({}, empty(), {
      FATHOM_EXTRA_CA: authority,
      FATHOM_SETUP_PROXY: 'http://user:secret@proxy.test:3128',
      FATHOM_NPM_REGISTRY: 'https://npm.test/',
      FATHOM_PIP_INDEX: 'https://pip.test/simple',
    });
    expect(config.access.certificates).toContain('BEGIN CERTIFICATE');
    expect(config.access.network).toEqual({
      mode: 'proxied',
      upstream: 'http://user:secret@proxy.test:3128',
      registries: ['npm.test:443', 'pip.test:443'],
    });
    expect(config.access.variables).toMatchObject({
      npm_config_registry: 'https://npm.test/',
      PIP_INDEX_URL: 'https://pip.test/simple',
    });
    expect(JSON.stringify(config.settings)).not.toContain('secret');
  });

  it('a list of hosts is what set-ups may reach; with the open network the proxy is told to them', () => {
    const variables = { FATHOM_SETUP_HOSTS: 'registry.npmjs.org, *.pythonhosted.org npm.test:4873' };
    expect(loadConfig({}, empty(), variables).access.network?.hosts).toEqual([
      ...['registry.npmjs.org', '*.pythonhosted.org', 'npm.test:4873'],
    ]);
    const open = { FATHOM_SETUP_NETWORK: 'open', FATHOM_SETUP_PROXY: 'http://proxy.test:3128' };
    const { network, variables: told } = loadConfig({}, empty(), open).access;
    expect(network?.mode).toBe('open');
    expect(told['https_proxy']).toBe('http://proxy.test:3128');
  });

  it.each([
    [{ FATHOM_SETUP_HOSTS: 'https://registry.npmjs.org/' }, 'FATHOM_SETUP_HOSTS'],
    [{ FATHOM_SETUP_NETWORK: 'host' }, 'FATHOM_SETUP_NETWORK'],
    [{ FATHOM_EXTRA_CA: '/nowhere/ca.pem' }, 'FATHOM_EXTRA_CA'],
    [{ FATHOM_EXTRA_CA: join(import.meta.dirname, '../package.json') }, 'FATHOM_EXTRA_CA'],
    [{ FATHOM_SETUP_PROXY: 'proxy.test' }, 'FATHOM_SETUP_PROXY'],
    [{ FATHOM_NPM_REGISTRY: 'file:///etc' }, 'FATHOM_NPM_REGISTRY'],
  ])('%j is named as wrong', (variables, source) => {
    expect(problemsOf(() => loadConfig({}, empty(), variables)).map((problem) => problem.source)).toEqual([source]);
  });
});
