import type { PgBoss } from 'pg-boss';
import type { Database, Sql } from './database.ts';

/** Runs at once, over all processes. */
export interface ClaimLimits {
  perRepository: number;
  perInstallation: number;
}

export interface ClaimedJob {
  id: string;
  issue: string;
  retryCount: number;
  /** Since it was put into the queue. */
  waitedSeconds: number;
}

/** Any number that nobody else uses on this database. */
const LOCK = 7_201_147;

/**
 * Takes the job whose turn it is, of those whose repository and installation have room: one of the installation with the
 * fewest runs, so that nobody's hundred issues keep others waiting; there a person's command before a label, then the one
 * that waits longest. Processes take turns here; each counting by itself, two would both see room for
 * one. Undefined where nothing may run now.
 */
export async function claimIssue(
  boss: PgBoss,
  database: Database,
  queue: string,
  limits: ClaimLimits,
): Promise<ClaimedJob | undefined> {
  // Without the lock, so that an idle process costs the others nothing.
  if (!(await waits(database, queue))) return undefined;
  for (;;) {
    const claimed = await claimOne(boss, database, queue, limits).catch((error: unknown) => {
      if (!(error instanceof PassedLimit)) throw error;
      return error;
    });
    // By now the repository that came in meanwhile is known, and left out.
    if (!(claimed instanceof PassedLimit)) return claimed;
  }
}

/** The job that was fetched is one too many of its installation: the transaction that fetched it is to be undone. */
class PassedLimit extends Error {}

function claimOne(
  boss: PgBoss,
  database: Database,
  queue: string,
  limits: ClaimLimits,
): Promise<ClaimedJob | undefined> {
  return database.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const [job] = await boss.fetch<{ issue: string }>(queue, {
      includeMetadata: true,
      ignoreGroups: await passedOver(sql, queue, limits),
      db: { executeSql: async (text: string, values?: unknown[]) => ({ rows: await sql.query(text, values) }) },
    });
    if (job === undefined) return undefined;
    await refuseBeyond(sql, queue, job.data.issue, limits);
    const { id, data, retryCount, startedOn, createdOn } = job;
    return { id, issue: data.issue, retryCount, waitedSeconds: (startedOn.getTime() - createdOn.getTime()) / 1000 };
  });
}

/** A repository of which the first issue came in after the full ones were looked up was not among them. */
async function refuseBeyond(sql: Sql, queue: string, issue: string, { perInstallation }: ClaimLimits): Promise<void> {
  const [row] = await sql.query<{ active: string | number }>(
    `SELECT count(*) AS active FROM pgboss.job j JOIN fathom.issue i ON i.key = j.singleton_key
     WHERE j.name = $1 AND j.state = 'active'
       AND i.installation_id = (SELECT installation_id FROM fathom.issue WHERE key = $2)`,
    [queue, issue],
  );
  if (Number(row?.active ?? 0) > perInstallation) throw new PassedLimit();
}

async function waits(sql: Sql, queue: string): Promise<boolean> {
  const rows = await sql.query(
    "SELECT 1 FROM pgboss.job WHERE name = $1 AND state < 'active' AND start_after <= now() LIMIT 1",
    [queue],
  );
  return rows.length > 0;
}

/**
 * Repositories whose jobs may not start, of their own or their installation's number of runs, and those whose turn it is
 * not. The former are among them without a job that waits, too: one may come in before the next job is fetched.
 */
async function passedOver(sql: Sql, queue: string, limits: ClaimLimits): Promise<string[]> {
  const rows = await sql.query<{ repository: string }>(
    `WITH active AS (
       SELECT i.repository_id, i.installation_id FROM pgboss.job j JOIN fathom.issue i ON i.key = j.singleton_key
       WHERE j.name = $1 AND j.state = 'active'),
     full_ones AS (
       SELECT repository_id FROM active GROUP BY repository_id HAVING count(*) >= $2
       UNION
       SELECT i.repository_id FROM fathom.issue i WHERE i.installation_id IN (
         SELECT installation_id FROM active GROUP BY installation_id HAVING count(*) >= $3)),
     ready AS (
       SELECT DISTINCT i.repository_id, i.installation_id FROM pgboss.job j JOIN fathom.issue i ON i.key = j.singleton_key
       WHERE j.name = $1 AND j.state < 'active' AND j.start_after <= now()
         AND i.repository_id NOT IN (SELECT repository_id FROM full_ones)),
     shares AS (
       SELECT repository_id,
         (SELECT count(*) FROM active WHERE active.installation_id = ready.installation_id) AS runs FROM ready)
     SELECT repository_id::text AS repository FROM full_ones
     UNION
     SELECT repository_id::text FROM shares WHERE runs > (SELECT min(runs) FROM shares)`,
    [queue, limits.perRepository, limits.perInstallation],
  );
  return rows.map((row) => row.repository);
}
