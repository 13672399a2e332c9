import { join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { EnvironmentError } from '../domain/errors.ts';
import type { Database, Sql } from './database.ts';
import { lockDirectory } from './directory-lock.ts';
import { NoTurn, PriorityTurns } from './priority-turns.ts';

export interface EmbeddedDatabase extends Database {
  readonly kind: 'embedded';
  readonly lite: PGlite;
}

/**
 * PGlite in `<dataDir>/db`, for one process. It does not sync to disk: it survives the end of its process, but a loss
 * of power can cost the last moments.
 * @throws InputError when another process holds the folder, EnvironmentError when it cannot be opened.
 */
export async function openEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  const unlock = lockDirectory(dataDir);
  const folder = join(dataDir, 'db');
  try {
    const lite = await PGlite.create(folder);
    return embedded(lite, unlock);
  } catch (cause) {
    unlock();
    const remedy = 'Look at the folder and the disk; restore it from a backup, or move it away to start anew.';
    throw new EnvironmentError('database', `cannot open the database in ${folder}`, remedy, { cause });
  }
}

function embedded(lite: PGlite, unlock: () => void): EmbeddedDatabase {
  let closing: Promise<void> | undefined;
  // There is one connection: without turns, a delivery that has to be answered in time would wait behind all work.
  const turns = new PriorityTurns();
  const { query, script } = statements(lite);
  return {
    kind: 'embedded',
    lite,
    query: <Row>(text: string, values?: unknown[]) => turns.take(() => query<Row>(text, values)).catch(passing),
    script: (text) => turns.take(() => script(text)),
    transaction: (work, seconds) =>
      turns.take(() => lite.transaction((tx) => work(statements(tx))), seconds).catch(passing),
    close: () => {
      closing ??= lite.close().finally(unlock);
      return closing;
    },
  };
}

/** What goes better another time; everything else is thrown as it is. */
function passing(cause: unknown): never {
  if (hasNoRoom(cause)) {
    const remedy = 'Free some space where FATHOM_DATA is; nothing that was finished is lost.';
    throw new EnvironmentError('database', 'the embedded database has no room on its disk', remedy, { cause });
  }
  if (!(cause instanceof NoTurn)) throw cause;
  const remedy = 'It passes. Where it happens often, give DATABASE_URL of a PostgreSQL.';
  throw new EnvironmentError('database', 'the embedded database has more to do than it can', remedy, { cause });
}

/** SQLSTATE class 53: insufficient resources. */
const hasNoRoom = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && /^53/.test(String(cause.code));

function statements(on: PGlite | Transaction): Sql {
  return {
    query: async <Row>(text: string, values?: unknown[]) => (await on.query<Row>(text, values)).rows,
    script: async (text) => {
      await on.exec(text);
    },
  };
}
