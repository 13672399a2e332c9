import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { EnvironmentError } from '../domain/errors.ts';
import type { Database, Sql } from './database.ts';

const POOL = 6;
const PATIENCE_SECONDS = 60;
/** The code of the error where PostgreSQL may still come up. */
export const UNREACHABLE = 'database-unreachable';

export interface PostgresDatabase extends Database {
  readonly kind: 'postgres';
  readonly connectionString: string;
}

/**
 * PostgreSQL behind a pool of connections. `onError` hears of connections that broke while nobody used them.
 * @throws EnvironmentError when it cannot be reached or refuses the user.
 */
export async function openPostgresDatabase(
  connectionString: string,
  onError: (error: Error) => void,
): Promise<PostgresDatabase> {
  const pool = new pg.Pool({
    connectionString,
    max: POOL,
    connectionTimeoutMillis: 5000,
    application_name: 'fathom',
  });
  pool.on('error', onError);
  const database = overPool(pool, connectionString);
  try {
    await pool.query('SELECT 1');
  } catch (cause) {
    await pool.end();
    throw unavailable(cause);
  }
  return database;
}

function overPool(pool: pg.Pool, connectionString: string): PostgresDatabase {
  const once = <T>(work: (sql: Sql) => Promise<T>) => patiently(PATIENCE_SECONDS, () => onClient(pool, work));
  return {
    kind: 'postgres',
    connectionString,
    query: (text, values) => once((sql) => sql.query(text, values)),
    script: (text) => once((sql) => sql.script(text)),
    transaction: (work, seconds = PATIENCE_SECONDS) =>
      patiently(seconds, () => onClient(pool, (sql) => inTransaction(sql, work))),
    close: () => pool.end(),
  };
}

/** The connection went away, or could not be had: whatever was asked may be asked again. */
class ConnectionLost extends Error {}

async function onClient<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((cause) => {
    throw isLastWord(cause) ? cause : new ConnectionLost('no connection', { cause });
  });
  let broken: Error | undefined;
  const onBroken = (error: Error) => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    return await work(statements(client));
  } catch (cause) {
    if (broken !== undefined || isPassing(cause)) throw new ConnectionLost('connection lost', { cause });
    throw cause;
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}

function statements(client: pg.PoolClient): Sql {
  return {
    query: async <Row>(text: string, values?: unknown[]) => (await client.query(text, values)).rows as Row[],
    script: async (text) => {
      await client.query(text);
    },
  };
}

async function inTransaction<T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> {
  await sql.query('BEGIN');
  try {
    const result = await work(sql);
    await sql.query('COMMIT');
    return result;
  } catch (error) {
    // On a broken connection there is nothing left to roll back.
    await sql.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Tries again, with growing pauses, while the connection is what failed. */
async function patiently<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + seconds * 1000;
  for (let pause = 50; ; pause = Math.min(pause * 2, 1000)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      if (performance.now() + pause > until) throw unavailable(error);
      await delay(pause);
    }
  }
}

/** SQLSTATE classes 08 and 57P: connections and shutdowns; 53300: too many connections; 40: a transaction to repeat. */
const passing = /^(08|57P|40)|^53300$/;

const isPassing = (error: unknown): boolean => error instanceof pg.DatabaseError && passing.test(error.code ?? '');
const isLastWord = (error: unknown): boolean => error instanceof pg.DatabaseError && !isPassing(error);

function unavailable(cause: unknown): EnvironmentError {
  const remedy = 'Check DATABASE_URL, and that PostgreSQL runs and lets this user in.';
  return isLastWord(cause)
    ? new EnvironmentError('database', `the database answered: ${(cause as pg.DatabaseError).message}`, remedy, {
        cause,
      })
    : new EnvironmentError(UNREACHABLE, `the database cannot be reached${codeOf(cause)}`, remedy, { cause });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? codeOf(error.cause) : ` (${code})`;
}
