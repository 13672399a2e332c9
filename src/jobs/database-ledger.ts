import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { HandedOverError, InputError } from '../domain/errors.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import type { Sql } from './database.ts';
import { addSpending, readSpending, runScope } from './spending.ts';

/**
 * A RunLedger in the database, for one attempt: once a later attempt has taken the run up, nothing is written any more.
 * @throws HandedOverError from every write after that, InputError when what was kept does not fit its schema.
 */
export function createDatabaseLedger(sql: Sql, attempt: number): RunLedger {
  return {
    load: (run, key, schema) => load(sql, run, key, schema),
    save: (run, key, value) =>
      fenced(
        sql,
        run,
        attempt,
        `INSERT INTO fathom.artefact (run, key, value) SELECT id, $3::text, $4::text FROM held
         ON CONFLICT (run, key) DO UPDATE SET value = excluded.value, saved_at = now()`,
        [key, JSON.stringify(value ?? null)],
      ),
    append: (run, event) =>
      fenced(
        sql,
        run,
        attempt,
        `INSERT INTO fathom.event (run, token, event) SELECT id, $3::uuid, $4::text FROM held ON CONFLICT DO NOTHING`,
        [randomUUID(), JSON.stringify(event)],
      ),
    spent: (run) => readSpending(sql, runScope(run)),
    addSpent: (run, spent) => addSpending(sql, [runScope(run)], spent),
  };
}

/** Carries `insert` out over `held`, the run's row, which is empty for all but the last attempt. */
async function fenced(sql: Sql, run: string, attempt: number, insert: string, values: unknown[]): Promise<void> {
  const [row] = await sql.query<{ held: boolean }>(
    `WITH held AS MATERIALIZED (SELECT id FROM fathom.run WHERE id = $1 AND attempt = $2 FOR SHARE), kept AS (${insert})
     SELECT EXISTS (SELECT 1 FROM held) AS held`,
    [run, attempt, ...values],
  );
  if (row?.held !== true) throw new HandedOverError('another worker');
}

async function load<T>(sql: Sql, run: string, key: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const [row] = await sql.query<{ value: string }>('SELECT value FROM fathom.artefact WHERE run = $1 AND key = $2', [
    run,
    key,
  ]);
  if (row === undefined) return undefined;
  const parsed = schema.safeParse(JSON.parse(row.value));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => ({
    source: `run ${run}, ${key}`,
    message: `${issue.path.join('.') || 'content'}: ${issue.message}`,
    remedy: 'Start a new run: this one was kept by a version that this one does not understand.',
  }));
  throw new InputError(problems, { cause: parsed.error });
}
