import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProviders } from '#src/app-providers.ts';
import { describeError } from '#src/cli/describe-error.ts';
import { loadConfig } from '#src/config.ts';
import { InputError } from '#src/domain/errors.ts';
import { readProviders } from '#src/providers-config.ts';
import { chatRequest } from './fakes/chat-request.ts';
import { startChatServer } from './fakes/chat-server.ts';
import { onBothDatabases } from './jobs/support/databases.ts';
import { labeled } from './jobs/support/entries.ts';
import { diagnosed, testWorker, until } from './jobs/support/worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'fathom-providers-'));
const never = new AbortController().signal;

function rulesOf(text: string, variables: Record<string, string> = {}) {
  const path = join(folder, 'providers.yml');
  writeFileSync(path, text);
  return readProviders(path, variables);
}

function errorOf(text: string): InputError | undefined {
  try {
    rulesOf(text);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  return undefined;
}

const problemsOf = (text: string): string[] => errorOf(text)?.problems.map((problem) => problem.message) ?? [];

/** What a person at a terminal reads. */
function toldOf(text: string): string {
  const error = errorOf(text);
  return error ? describeError(error) : '';
}

/** A provider on loopback that keeps what it was sent. */
async function provider() {
  const server = await startChatServer(() => ({ text: 'Yes.' }));
  onTestFinished(() => server.close());
  return server;
}

const code = (owner: string, repo = 'widget', installationId = 1) => ({ owner, repo, installationId });

describe('which provider sees whose code', () => {
  it('is what the first fitting rule says, with its own key and model; what no rule is about goes nowhere', async () => {
    const [common, european] = [await provider(), await provider()];
    const environment = { OPENAI_BASE_URL: common.url, OPENAI_API_KEY: 'common-key', FATHOM_MODEL: 'common' };
    const text = `
- repositories: [Acme/Secret]
  refuse: true
- owners: [acme]
  base-url: ${european.url}
  key: ACME_KEY
  model: small
  models: { resolver: large }
- owners: [globex]
  installations: [7]
- owners: [initech]
  model: cheap
`;
    const providers = rulesOf(text, { ACME_KEY: 'acme-key' });
    const of = createProviders({ ...loadConfig({}, folder, environment), providers }, () => undefined);
    expect(of(code('acme', 'secret'))).toBeUndefined();
    expect(of(code('mallory'))).toBeUndefined();
    expect(of(code('globex', 'widget', 8))).toBeUndefined();
    const acme = of(code('ACME'));
    expect(acme?.roles.answerer.model).toBe('small');
    expect(acme?.roles.resolver.model).toBe('large');
    await acme?.model?.complete(chatRequest({ settings: { model: 'small' } }), never);
    expect(common.requests).toEqual([]);
    expect(european.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer acme-key']);
    await of(code('globex', 'widget', 7))?.model?.complete(chatRequest({ settings: { model: 'common' } }), never);
    expect(of(code('initech'))?.roles.verifier.model).toBe('cheap');
    expect(common.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer common-key']);
    expect(european.requests).toHaveLength(1);
  });

  it("is the environment's for everybody where there are no rules, and nobody's where the rules are empty", () => {
    const config = loadConfig({}, folder, { OPENAI_API_KEY: 'k', FATHOM_MODEL: 'm' });
    expect(createProviders({ ...config, providers: undefined }, () => undefined)(code('anybody'))?.model).toBeDefined();
    expect(createProviders({ ...config, providers: rulesOf('[]') }, () => undefined)(code('anybody'))).toBeUndefined();
  });

  it.each([
    ['a rule about nobody', '- model: m', 'line 1, rule 1: does not say whose code it is about'],
    ['a rule that refuses and names a provider', '- owners: [a]\n  refuse: true\n  model: m', 'refuses, and names'],
    [
      'another provider without a key',
      '- owners: [a]\n  base-url: https://x.example/v1\n  model: m',
      'has a base-url and no key',
    ],
    ['a key that is not set', '- owners: [a]\n  key: NO_KEY', 'line 2, rule 1: NO_KEY is not set'],
    ['a key in the file', '- owners: [a]\n  key: sk-live', 'line 2, rule 1: key is no name of a variable'],
    ['a word that is no setting', '- owners: [a]\n\n  modle: m', 'line 3, rule 1: "modle" is no setting'],
    ['a role that there is not', '- owners: [a]\n  models: { poet: m }', 'line 2, rule 1: "poet" is no role'],
    ['a name that is a number', '- owners:\n  - 7', 'line 2, rule 1: owners, entry 1, is not a text'],
    ['a list of nobody', '- owners: []', 'line 1, rule 1: owners is empty'],
    ['a refusal that is none', '- owners: [a]\n  refuse: no', 'line 2, rule 1: refuse is not true'],
    ['a rule that is text', '- owners: [a]\n- b', 'line 2, rule 2: is no rule'],
    ['a file that is no list', 'owners: [a]', 'line 1: the rules are not a list'],
    ['a file without rules', '# nothing yet\n', 'line 1: there are no rules'],
    ['an alias of nothing', '- owners: *nobody', 'an alias stands for nothing'],
    ['a file that is no YAML', '- [', 'line 1: is not valid YAML'],
  ])('%s is refused before anything starts', (_name, text, message) => {
    expect(problemsOf(text).join('\n')).toContain(message);
  });

  it('tells all that is wrong at once, in the order of the file, each with its remedy and without the words of a validator', () => {
    const text = `
- owners: [a]
  key: sk-live-secret
  api: smoke
- owners: [b]
  modle: m
  key: NO_KEY
- base-url: ftp://host
  installations: [-1]
`;
    const told = toldOf(text);
    expect(told.split('\n').filter((line) => line.startsWith('fathom: '))).toHaveLength(7);
    const places = [...told.matchAll(/providers\.yml, line (\d+), rule/g)].map(([, line]) => Number(line));
    expect(places).toEqual([3, 4, 6, 7, 8, 8, 9]);
    expect(told).toContain('Did you mean `model`?');
    expect(told).toContain('Set NO_KEY to the key of that provider.');
    expect(told).toContain('Add key and model: those of another provider are never used.');
    expect(told).not.toMatch(/sk-live|[Ii]nvalid|expected|received|Unrecognized|Too small/);
  });
});

describe('a label on a repository whose code no provider may see', () => {
  onBothDatabases((database) => {
    it('starts nothing, and the person is told', async () => {
      const worker = await testWorker(database.get(), async () => diagnosed);
      onTestFinished(() => worker.stop());
      worker.ports.mayBeSent = () => false;
      await worker.inbox.accept(labeled());
      await worker.start();
      const [refused] = await until(() => (worker.refused.length > 0 ? worker.refused : undefined));
      expect(refused?.refusal).toEqual({ kind: 'provider' });
    });
  });
});
