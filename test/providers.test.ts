import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProviders } from '#src/app-providers.ts';
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

function problemsOf(text: string, variables: Record<string, string> = {}): string[] {
  try {
    rulesOf(text, variables);
  } catch (error) {
    if (error instanceof InputError) return error.problems.map((problem) => problem.message);
    throw error;
  }
  return [];
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
    ['a rule about nobody', '- model: m', 'rule 1: says of nobody'],
    ['a rule that refuses and names a provider', '- owners: [a]\n  refuse: true\n  model: m', 'rule 1: refuses, and'],
    [
      'another provider without a key',
      '- owners: [a]\n  base-url: https://x.example/v1\n  model: m',
      'not both a key and',
    ],
    ['a key that is not set', '- owners: [a]\n  key: NO_KEY', 'rule 1: NO_KEY is not set'],
    ['a key in the file', '- owners: [a]\n  key: sk-live', 'is no name of a variable'],
    ['a word that is no setting', '- owners: [a]\n  modle: m', 'Unrecognized key'],
    ['a role that there is not', '- owners: [a]\n  models: { poet: m }', 'models'],
    ['a file that is no list', 'owners: [a]', 'expected array'],
    ['a file that is no YAML', '- [', 'cannot be read'],
  ])('%s is refused before anything starts', (_name, text, message) => {
    expect(problemsOf(text).join('\n')).toContain(message);
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
