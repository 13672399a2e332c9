import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '#src/domain/errors.ts';
import { loadServerConfig } from '#src/server-config.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const enough = { APP_ID: '12', PRIVATE_KEY: privateKey, WEBHOOK_SECRET: 'long enough' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fathom-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function problemsOf(variables: Record<string, string>): string[] {
  try {
    loadServerConfig(folder, variables);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map((problem) => problem.source);
  }
}

describe('the settings of the server', () => {
  it('three of them are enough', () => {
    const config = loadServerConfig(folder, enough);
    expect(config.app.appId).toBe(12);
    expect(config.labels).toEqual({ resolve: 'auto-triage', diagnose: 'auto-diagnose' });
    expect(config.databaseUrl).toBeUndefined();
  });

  it('without a webhook secret there is no start', () => {
    const { WEBHOOK_SECRET: _, ...rest } = enough;
    expect(problemsOf(rest)).toEqual(['WEBHOOK_SECRET']);
    expect(problemsOf({ ...enough, WEBHOOK_SECRET: '' })).toEqual(['WEBHOOK_SECRET']);
    expect(problemsOf({ ...enough, WEBHOOK_SECRET: 'short' })).toEqual(['WEBHOOK_SECRET']);
  });

  it('everything that is wrong is said at once, the settings of runs included', () => {
    const wrong = { APP_ID: 'x', PORT: '99999', DATABASE_URL: 'mysql://x', FATHOM_QUESTIONS: '9' };
    expect(problemsOf(wrong).sort()).toEqual(
      ['APP_ID', 'DATABASE_URL', 'FATHOM_QUESTIONS', 'PORT', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET'].sort(),
    );
  });

  it("a wrong address of GitHub's API is answered with what one looks like", () => {
    try {
      loadServerConfig(folder, { ...enough, GITHUB_API_URL: 'nonsense' });
      expect.unreachable();
    } catch (error) {
      expect((error as InputError).problems).toMatchObject([
        { source: 'GITHUB_API_URL', message: '"nonsense" is no address such as https://HOST/api/v3' },
      ]);
    }
  });

  it('no message repeats a secret', () => {
    const wrong = { ...enough, WEBHOOK_SECRET: 's3cret', PRIVATE_KEY: 'k3y', FATHOM_METRICS_TOKEN: 't0ken' };
    try {
      loadServerConfig(folder, wrong);
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify((error as InputError).problems)).not.toMatch(/s3cret|k3y|t0ken/);
    }
  });

  it('the key may be a file, one line with \\n, or base64', () => {
    const { PRIVATE_KEY: key, ...rest } = enough;
    const path = join(folder, 'app.pem');
    writeFileSync(path, key);
    const keyOf = (more: Record<string, string>) => loadServerConfig(folder, { ...rest, ...more }).app.privateKey;
    expect(keyOf({ PRIVATE_KEY_PATH: path })).toBe(key);
    expect(keyOf({ PRIVATE_KEY: key.replaceAll('\n', '\\n') })).toBe(key);
    expect(keyOf({ PRIVATE_KEY: Buffer.from(key).toString('base64') })).toBe(key);
    expect(problemsOf({ ...rest, PRIVATE_KEY: 'not a key' })).toEqual(['PRIVATE_KEY']);
    expect(problemsOf({ ...rest, PRIVATE_KEY_PATH: join(folder, 'none') })).toEqual(['PRIVATE_KEY_PATH']);
  });

  it('one label for both modes is refused', () => {
    const same = { FATHOM_LABEL_RESOLVE: 'fix', FATHOM_LABEL_DIAGNOSE: 'FIX' };
    expect(problemsOf({ ...enough, ...same })).toEqual(['FATHOM_LABEL_RESOLVE, FATHOM_LABEL_DIAGNOSE']);
  });

  it('bots that may ask are given by id', () => {
    expect(loadServerConfig(folder, { ...enough, FATHOM_ALLOWED_BOTS: '7, 9' }).allowedBots).toEqual([7, 9]);
    expect(problemsOf({ ...enough, FATHOM_ALLOWED_BOTS: 'renovate[bot]' })).toEqual(['FATHOM_ALLOWED_BOTS']);
  });
});
