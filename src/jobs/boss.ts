import { fromPglite, PgBoss } from 'pg-boss';
import type { OpenDatabase } from './open-database.ts';

export const ISSUE = 'issue';
export const CONTROL = 'control';
export const DEAD = 'issue-dead';

/** Workers that do not answer for this long have lost their job; pg-boss allows no less. */
const HEARTBEAT_SECONDS = 10;
/** A restart costs a retry, so there are more than failures alone would need. */
const RETRIES = 12;
const DAY = 86_400;
const retries = { retryLimit: RETRIES, retryDelay: 1, retryBackoff: true, retryDelayMax: 30 };

/** pg-boss on the database, with its queues. `onError` hears of what its background work could not do. */
export async function startBoss(database: OpenDatabase, onError: (error: unknown) => void): Promise<PgBoss> {
  const boss = bossOn(database);
  boss.on('error', onError);
  await boss.start();
  await declareQueues(boss, database.kind);
  // Known queues are kept in memory. Asked for inside a transaction, one that is not would wait for that transaction.
  for (const name of [ISSUE, CONTROL, DEAD]) await boss.findJobs(name, { limit: 1 });
  if (database.kind === 'embedded') await releaseOrphans(boss, database);
  return boss;
}

/** Queues that exist keep their policy; everything else is brought up to date. */
async function declareQueues(boss: PgBoss, kind: OpenDatabase['kind']): Promise<void> {
  // On the embedded database there is one process, and a heartbeat would only catch it when it is slow.
  const heartbeatSeconds = kind === 'embedded' ? null : HEARTBEAT_SECONDS;
  const dead = { retryLimit: 5, retryDelay: 5, retryBackoff: true };
  const issue = { deadLetter: DEAD, expireInSeconds: DAY, notify: false, ...retries };
  const control = { expireInSeconds: 600, notify: true, ...retries };
  await boss.createQueue(DEAD, dead);
  await boss.updateQueue(DEAD, dead);
  await boss.createQueue(ISSUE, { policy: 'exclusive', ...issue });
  await boss.updateQueue(ISSUE, { ...issue, heartbeatSeconds });
  await boss.createQueue(CONTROL, control);
  await boss.updateQueue(CONTROL, control);
}

function bossOn(database: OpenDatabase): PgBoss {
  // Both together say how soon a silent worker's job is let go, which only other processes wait for.
  const seconds = database.kind === 'embedded' ? 2 : 1;
  const common = {
    superviseIntervalSeconds: seconds,
    monitorIntervalSeconds: seconds,
    maintenanceIntervalSeconds: 300,
    useListenNotify: true,
    schedule: false,
  };
  return database.kind === 'embedded'
    ? new PgBoss({ db: fromPglite(database.lite), backend: 'pglite', ...common })
    : new PgBoss({ ...connections(database.connectionString), ...common });
}

/** pg-boss gives them to pg as they are: a statement on a connection that fell silent fails, and its next goes over another. */
const connections = (connectionString: string) => ({
  connectionString,
  max: 5,
  application_name: 'fathom-queue',
  query_timeout: 60_000,
});

/** One process at a time holds the embedded database, so whatever is active when it starts was left by a dead one. */
async function releaseOrphans(boss: PgBoss, database: OpenDatabase): Promise<void> {
  for (const name of [ISSUE, CONTROL, DEAD]) {
    const rows = await database.query<{ id: string }>(
      "SELECT id FROM pgboss.job WHERE name = $1 AND state = 'active'",
      [name],
    );
    if (rows.length > 0) await boss.fail(name, ids(rows), { message: 'the process that held it ended' });
  }
}

const ids = (rows: { id: string }[]): string[] => rows.map((row) => row.id);
