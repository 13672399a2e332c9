import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readVariables } from '#src/config.ts';
import { unknownSettings } from '#src/unknown-settings.ts';

describe('a variable that begins like a setting of Fathom and is none', () => {
  it('is told with the name that was probably meant', () => {
    expect(unknownSettings({ FATHOM_MODLE: 'x', FATHOM_REPOSITORY_CONCURENCY: '2', fathom_budget_usd: '1' })).toEqual([
      'FATHOM_MODLE is no setting of Fathom and changes nothing. Did you mean FATHOM_MODEL?',
      'FATHOM_REPOSITORY_CONCURENCY is no setting of Fathom and changes nothing. Did you mean FATHOM_REPOSITORY_CONCURRENCY?',
      'fathom_budget_usd is no setting of Fathom and changes nothing. Did you mean FATHOM_BUDGET_USD?',
    ]);
  });

  it('is told without a guess where no name is near, and never with its value', () => {
    const [said] = unknownSettings({ FATHOM_XYZZY_PLUGH: 's3cret' });
    expect(said).toBe('FATHOM_XYZZY_PLUGH is no setting of Fathom and changes nothing.');
  });

  it('is told too where two letters of a setting with another beginning are wrong, unless that one is set', () => {
    expect(unknownSettings({ OPENAI_BASE_ULR: 'x', WEBHOOK_SECERT: 'x', openai_api_key: 'x' })).toEqual([
      'OPENAI_BASE_ULR is no setting of Fathom and changes nothing. Did you mean OPENAI_BASE_URL?',
      'WEBHOOK_SECERT is no setting of Fathom and changes nothing. Did you mean WEBHOOK_SECRET?',
      'openai_api_key is no setting of Fathom and changes nothing. Did you mean OPENAI_API_KEY?',
    ]);
    expect(unknownSettings({ DATABASE_URI: 'x', DATABASE_URL: 'postgresql://x' })).toEqual([]);
    const others = ['OPENAI_ORG_ID', 'OPENAI_MODEL', 'GITHUB_TOKEN', 'GITHUB_SERVER_URL', 'HOSTNAME', 'DOCKER_CONFIG'];
    expect(unknownSettings(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('in .env is told like one in the environment', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fathom-env-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, '.env'), 'FATHOM_VERIFER=full\n');
    expect(unknownSettings(readVariables(folder, {}).variables)).toHaveLength(1);
  });

  it('is not what the documentation names', () => {
    const text = ['README.md', 'docs/operations.md', 'compose.yaml'].map((name) => readFileSync(name, 'utf8')).join();
    const names = text.match(/\bFATHOM_[A-Z_]*[A-Z]\b/g) ?? [];
    expect(names.length).toBeGreaterThan(30);
    expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('is not what the settings of runs, of the server, of set-ups, of repositories or of compose.yaml are called', () => {
    const names = ['FATHOM_MODEL', 'FATHOM_CONCURRENCY', 'FATHOM_EXTRA_CA', 'FATHOM_REPOSITORY_IMAGES', 'FATHOM_BASE'];
    expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
    expect(unknownSettings({ PATH: '/bin', MY_FATHOM_MODLE: 'x' })).toEqual([]);
  });
});
