import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/jobs/open-database.ts';
import { type Cluster, postgresPrograms, startCluster } from './postgres.ts';

export interface TestDatabase {
  /** Empty at the start of each test. */
  get(): OpenDatabase;
}

const START_MS = 120_000;

/** The same tests on the embedded database and, where it is installed, on PostgreSQL. */
export function onBothDatabases(tests: (database: TestDatabase) => void): void {
  describe('on the embedded database', () => tests(embedded()));
  describe.skipIf(postgresPrograms === undefined)('on PostgreSQL', () => tests(onPostgres()));
}

export function embedded(): TestDatabase {
  let database: OpenDatabase;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fathom-db-'));
    database = await openDatabase({ url: undefined, dataDir: folder });
  }, START_MS);
  beforeEach(() => empty(database));
  afterAll(async () => {
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  }, START_MS);
  return { get: () => database };
}

export function onPostgres(): TestDatabase & { cluster(): Cluster } {
  let database: OpenDatabase;
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = startCluster();
    database = await openDatabase({ url: cluster.url, dataDir: '' });
  }, START_MS);
  beforeEach(() => empty(database));
  afterAll(async () => {
    await database?.close();
    cluster?.remove();
  }, START_MS);
  return { get: () => database, cluster: () => cluster };
}

/** The queue's own tables stay: making them anew would take longer than most tests. */
async function empty(database: OpenDatabase): Promise<void> {
  await database.script(`
    TRUNCATE fathom.issue, fathom.inbox, fathom.stop, fathom.run, fathom.artefact, fathom.event, fathom.trajectory,
      fathom.spending, fathom.reservation, fathom.settled, fathom.waiting`);
  const queue = await database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'");
  if (queue.length > 0) await database.script('DELETE FROM pgboss.job');
}
