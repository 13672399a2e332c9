import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EnvironmentError } from '../../src/domain/errors.ts';
import { openDatabase } from '../../src/jobs/open-database.ts';
import { onPostgres } from './support/databases.ts';
import { postgresPrograms } from './support/postgres.ts';

describe('the database', () => {
  it('is kept over a restart, and refused once a newer version has been there', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'fathom-migrate-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const first = await openDatabase({ url: undefined, dataDir });
    await first.query("INSERT INTO fathom.issue VALUES ('10#1', 77, 10, 'acme', 'widget', 1)");
    await first.close();
    const second = await openDatabase({ url: undefined, dataDir });
    expect(await second.query('SELECT key FROM fathom.issue')).toEqual([{ key: '10#1' }]);
    await second.query('INSERT INTO fathom.migration (version) VALUES (9999)');
    await second.close();
    await expect(openDatabase({ url: undefined, dataDir })).rejects.toThrow('9999');
    // The refusal gives the folder free again.
    await expect(openDatabase({ url: undefined, dataDir })).rejects.toThrow(EnvironmentError);
  }, 60_000);

  it('that cannot be reached is named with what to look at', async () => {
    const opening = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', dataDir: '' });
    await expect(opening).rejects.toThrow(EnvironmentError);
    await expect(opening).rejects.toMatchObject({
      message: expect.stringContaining('ECONNREFUSED'),
      remedy: expect.stringContaining('DATABASE_URL'),
    });
  });
});

describe.skipIf(postgresPrograms === undefined)('PostgreSQL', () => {
  const database = onPostgres();
  it('is brought up to date once when several processes start together', async () => {
    await database.get().script('DROP SCHEMA fathom CASCADE');
    const url = database.cluster().url;
    const opened = await Promise.all([1, 2, 3].map(() => openDatabase({ url, dataDir: '' })));
    for (const one of opened) await one.close();
    const steps = await database
      .get()
      .query<{ version: number }>('SELECT version FROM fathom.migration ORDER BY version');
    expect(steps.map(({ version }) => version)).toEqual(steps.map((_, index) => index + 1));
  });

  it('that has no such database says so', async () => {
    const url = new URL(database.cluster().url);
    url.pathname = '/another';
    await expect(openDatabase({ url: url.href, dataDir: '' })).rejects.toThrow('"another" does not exist');
  });
});
