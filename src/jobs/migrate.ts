import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvironmentError } from '../domain/errors.ts';
import type { Database, Sql } from './database.ts';

const folder = join(import.meta.dirname, 'migrations');
/** Any number that nobody else uses on this database. */
const LOCK = 7_201_146;

/**
 * Brings the database's tables to what this version needs, each step in one transaction; steps only go forward.
 * @throws EnvironmentError when a newer version has been here.
 */
export async function migrate(database: Database): Promise<void> {
  const steps = await readSteps();
  await database.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await sql.script(
      'CREATE SCHEMA IF NOT EXISTS fathom; CREATE TABLE IF NOT EXISTS fathom.migration (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());',
    );
    const before = await versionOf(sql);
    refuseNewer(before, steps.length);
    for (const [index, step] of steps.entries()) {
      if (index + 1 <= before) continue;
      await sql.script(step);
      await sql.query('INSERT INTO fathom.migration (version) VALUES ($1)', [index + 1]);
    }
  });
}

async function readSteps(): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}

async function versionOf(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ version: number | null }>('SELECT max(version) AS version FROM fathom.migration');
  return row?.version ?? 0;
}

function refuseNewer(found: number, known: number): void {
  if (found <= known) return;
  const message = `the database is at version ${found}, and this Fathom knows only ${known}`;
  throw new EnvironmentError('database-newer', message, 'Start the newer version that was here before.');
}
