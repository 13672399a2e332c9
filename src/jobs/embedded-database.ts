import { join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { EnvironmentError } from '../domain/errors.ts';
import type { Database, Sql } from './database.ts';
import { lockDirectory } from './directory-lock.ts';

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
  return {
    kind: 'embedded',
    lite,
    ...statements(lite),
    transaction: (work) => lite.transaction((tx) => work(statements(tx))),
    close: () => {
      closing ??= lite.close().finally(unlock);
      return closing;
    },
  };
}

function statements(on: PGlite | Transaction): Sql {
  return {
    query: async <Row>(text: string, values?: unknown[]) => (await on.query<Row>(text, values)).rows,
    script: async (text) => {
      await on.exec(text);
    },
  };
}
