import type { EmbeddedDatabase } from './embedded-database.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { migrate } from './migrate.ts';
import { openPostgresDatabase, type PostgresDatabase } from './postgres-database.ts';

export interface DatabaseSettings {
  /** Of PostgreSQL; absent for the embedded database. */
  url: string | undefined;
  dataDir: string;
}

export type OpenDatabase = EmbeddedDatabase | PostgresDatabase;

/**
 * Opens PostgreSQL where a URL is given, else the embedded database in the data directory, and brings its tables up to
 * date. `onError` hears of idle connections that broke. @throws InputError, EnvironmentError.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  onError: (error: Error) => void = () => undefined,
): Promise<OpenDatabase> {
  const database =
    settings.url === undefined
      ? await openEmbeddedDatabase(settings.dataDir)
      : await openPostgresDatabase(settings.url, onError);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
