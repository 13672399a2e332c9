import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { EnvironmentError } from '../domain/errors.ts';
import type { Database, Sql } from './database.ts';

const POOL = 6;
const PATIENCE_SECONDS = 60;
/** A connection whose other side went away without a word would otherwise be waited for as long as TCP tries. */
const SILENT_SECONDS = 30;
/** The code of the error where PostgreSQL may still come up. */
export const UNREACHABLE = 'database-unreachable';

export interface PostgresDatabase extends Database {
  readonly kind: 'postgres';
  readonly connectionString: string;
}

/**
 * PostgreSQL behind a pool of connections. `onError` hears of connections that broke while nobody used them. A statement
 * that gets no answer for `silentSeconds` is taken for lost, with its connection; scripts, as migrations are, may be slow.
 * @throws EnvironmentError when it cannot be reached or refuses the user.
 */
export async function openPostgresDatabase(
  connectionString: string,
  onError: (error: Error) => void,
  silentSeconds = SILENT_SECONDS,
): Promise<PostgresDatabase> {
  const pool = new pg.Pool({
    connectionString,
    max: POOL,
    connectionTimeoutMillis: 5000,
    application_name: 'fathom',
  });
  pool.on('error', onError);
  const database = overPool(pool, connectionString, silentSeconds);
  try {
    await pool.query('SELECT 1');
  } catch (cause) {
    await pool.end();
    throw unavailable(cause);
  }
  return database;
}

function overPool(pool: pg.Pool, connectionString: string, silentSeconds: number): PostgresDatabase {
  const onOne = <T>(work: (sql: Sql) => Promise<T>) => onClient(pool, silentSeconds, work);
  const once = <T>(work: (sql: Sql) => Promise<T>) => patiently(PATIENCE_SECONDS, () => onOne(work));
  return {
    kind: 'postgres',
    connectionString,
    query: (text, values) => once((sql) => sql.query(text, values)),
    script: (text) => once((sql) => sql.script(text)),
    transaction: (work, seconds = PATIENCE_SECONDS) =>
      patiently(seconds, () => onOne((sql) => inTransaction(sql, work))),
    close: () => pool.end(),
  };
}

/** The connection went away, or could not be had: whatever was asked may be asked again. */
class ConnectionLost extends Error {}

async function onClient<T>(pool: pg.Pool, silentSeconds: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((cause) => {
    throw isLastWord(cause) ? cause : new ConnectionLost('no connection', { cause });
  });
  let broken: Error | undefined;
  const onBroken = (error: Error) => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    return await work(statements(client, silentSeconds));
  } catch (cause) {
    if (broken === undefined && !isPassing(cause) && !(cause instanceof ConnectionLost)) throw cause;
    // Another server may be the one that writes by now, so that the next try needs a connection of its own.
    broken ??= cause as Error;
    throw new ConnectionLost('connection lost', { cause });
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}

function statements(client: pg.PoolClient, silentSeconds: number): Sql {
  let silent = false;
  async function answered<T>(answer: Promise<T>): Promise<T> {
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const limit = setTimeout(() => {
      silent = true;
      reject(new ConnectionLost(`no answer within ${silentSeconds} s`));
    }, silentSeconds * 1000);
    // Of a connection that is given up, the answer is nobody's.
    answer.catch(() => undefined);
    return Promise.race([answer, silence]).finally(() => clearTimeout(limit));
  }
  return {
    query: async <Row>(text: string, values?: unknown[]) => {
      // What is asked after a statement without an answer waits behind it.
      if (silent) throw new ConnectionLost('no answer');
      return (await answered(client.query(text, values))).rows as Row[];
    },
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

/**
 * SQLSTATE classes 08 and 57P: connections and shutdowns; 53: no room on the disk, in memory or for connections; 25006: it
 * only reads, as after a failover; 40: a transaction to repeat.
 */
const passing = /^(08|57P|53|40)|^25006$/;

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
  if (code === undefined) return codeOf(error.cause);
  return error instanceof pg.DatabaseError ? ` (${code}: ${error.message})` : ` (${code})`;
}
