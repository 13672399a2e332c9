import type { Database } from './database.ts';

/** GitHub can be made to send what is three days old again; while it is known here, that starts nothing. */
const INBOX_DAYS = 14;
/** Months are kept longer than runs, so that a year can be looked back upon. */
const MONTHS_KEPT = 13;

/** Removes what ended longer ago than `days`: runs with all that was kept of them, and deliveries that were acted upon. */
export async function removeOld(database: Database, days: number): Promise<number> {
  return database.transaction(async (sql) => {
    const old = await sql.query<{ id: string }>(
      `DELETE FROM fathom.run WHERE state = 'ended' AND ended_at < now() - make_interval(days => $1) RETURNING id`,
      [days],
    );
    const ids = old.map((row) => row.id);
    for (const table of ['artefact', 'event', 'trajectory', 'reservation']) {
      await sql.query(`DELETE FROM fathom.${table} WHERE run = ANY ($1::text[])`, [ids]);
    }
    await sql.query("DELETE FROM fathom.spending WHERE split_part(scope, ':', 2) = ANY ($1::text[])", [ids]);
    await sql.query(
      `DELETE FROM fathom.spending WHERE scope ~ '^(repository|installation):'
         AND split_part(scope, ':', 3) < to_char(now() - make_interval(months => $1), 'YYYY-MM')`,
      [MONTHS_KEPT],
    );
    await sql.query(
      'DELETE FROM fathom.inbox WHERE outcome IS NOT NULL AND accepted_at < now() - make_interval(days => $1)',
      [Math.max(days, INBOX_DAYS)],
    );
    await sql.query('DELETE FROM fathom.stop WHERE at < now() - make_interval(days => $1)', [days]);
    await sql.query("DELETE FROM fathom.settled WHERE at < now() - interval '2 days'");
    await sql.query(
      `DELETE FROM fathom.issue i WHERE NOT EXISTS (SELECT 1 FROM fathom.run r WHERE r.issue_key = i.key)
         AND NOT EXISTS (SELECT 1 FROM fathom.inbox e WHERE e.issue_key = i.key)`,
    );
    return ids.length;
  });
}

/** Runs that ended, newest first: what an engine still holds of them is left over. */
export async function endedRuns(database: Database, limit: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    "SELECT id FROM fathom.run WHERE state = 'ended' ORDER BY ended_at DESC LIMIT $1",
    [limit],
  );
  return rows.map((row) => row.id);
}

export async function openRuns(database: Database): Promise<string[]> {
  const rows = await database.query<{ id: string }>("SELECT id FROM fathom.run WHERE state <> 'ended'");
  return rows.map((row) => row.id);
}
