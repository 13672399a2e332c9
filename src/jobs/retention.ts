import type { Database, Sql } from './database.ts';

/** GitHub can be made to send what is three days old again; while it is known here, that starts nothing. */
const INBOX_DAYS = 14;
/** Months are kept longer than runs, so that a year can be looked back upon. */
const MONTHS_KEPT = 13;

/** Everything that was kept of these runs but what they cost their repository and installation. */
async function forget(sql: Sql, ids: string[]): Promise<void> {
  for (const table of ['artefact', 'event', 'trajectory', 'reservation']) {
    await sql.query(`DELETE FROM fathom.${table} WHERE run = ANY ($1::text[])`, [ids]);
  }
  await sql.query("DELETE FROM fathom.spending WHERE split_part(scope, ':', 2) = ANY ($1::text[])", [ids]);
}

const SIZES = `
  SELECT run, sum(bytes) AS bytes FROM (
    SELECT run, pg_column_size(value) AS bytes FROM fathom.artefact
    UNION ALL SELECT run, pg_column_size(entry) FROM fathom.trajectory
    UNION ALL SELECT run, pg_column_size(event) FROM fathom.event) AS kept
  GROUP BY run`;

/** Bytes that artefacts, transcripts and events take in the database. */
export async function keptBytes(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ bytes: string | number | null }>(
    `SELECT sum(bytes) AS bytes FROM (${SIZES}) AS runs`,
  );
  return Number(row?.bytes ?? 0);
}

/** Removes runs that ended, the oldest first, until what is kept of the rest takes no more than `bytes`. Says how many. */
export async function removeBeyond(database: Database, bytes: number): Promise<number> {
  return database.transaction(async (sql) => {
    const old = await sql.query<{ id: string }>(
      `WITH sized AS (
         SELECT r.id, r.state = 'ended' AND r.told AS over, r.ended_at, s.bytes
         FROM fathom.run r JOIN (${SIZES}) AS s ON s.run = r.id),
       summed AS (SELECT id, over, sum(bytes) OVER (ORDER BY over, ended_at DESC, id) AS up_to_here FROM sized)
       DELETE FROM fathom.run WHERE id IN (SELECT id FROM summed WHERE over AND up_to_here > $1) RETURNING id`,
      [bytes],
    );
    const ids = old.map((row) => row.id);
    await forget(sql, ids);
    return ids.length;
  });
}

/**
 * Removes what ended longer ago than `days`: runs with all that was kept of them, and deliveries that were acted upon;
 * transcripts alone where `transcriptDays` is less.
 */
export async function removeOld(database: Database, days: number, transcriptDays = days): Promise<number> {
  return database.transaction(async (sql) => {
    const old = await sql.query<{ id: string }>(
      `DELETE FROM fathom.run WHERE state = 'ended' AND ended_at < now() - make_interval(days => $1) RETURNING id`,
      [days],
    );
    const ids = old.map((row) => row.id);
    await forget(sql, ids);
    await sql.query(
      `DELETE FROM fathom.trajectory WHERE run IN
         (SELECT id FROM fathom.run WHERE state = 'ended' AND ended_at < now() - make_interval(days => $1))`,
      [transcriptDays],
    );
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

export async function openRuns(database: Database): Promise<string[]> {
  const rows = await database.query<{ id: string }>("SELECT id FROM fathom.run WHERE state <> 'ended'");
  return rows.map((row) => row.id);
}

/** The ids of all runs that are kept, by whether they have ended. */
export async function knownRuns(sql: Sql): Promise<Record<'ended' | 'open', Set<string>>> {
  const rows = await sql.query<{ id: string; ended: boolean }>("SELECT id, state = 'ended' AS ended FROM fathom.run");
  const ids = (ended: boolean) => new Set(rows.filter((row) => row.ended === ended).map((row) => row.id));
  return { ended: ids(true), open: ids(false) };
}
