import type { InboxEntry } from '../domain/inbox.ts';
import type { Sql } from './database.ts';
import { lockIssue } from './issues.ts';
import type { Queue } from './queue.ts';

/** Channel on which every process hears of an issue whose run may have to stop. */
export const STOP_CHANNEL = 'fathom_stop';

export interface Stop {
  /** Number of the inbox entry: the stop holds for what was asked for before it. */
  id: string;
  issue: string;
  by: string;
  /** Set where only what this label asked for is to stop. */
  label?: string;
  /** When the code host says that it happened (ISO): what was asked for after that goes on. Absent: now. */
  happened?: string;
}

/**
 * Keeps a stop, tells every process once the transaction is over, and wakes a run that pauses so that it ends too.
 * Doing it twice is doing it once.
 */
export async function stopIssue(sql: Sql, queue: Pick<Queue, 'wake'>, stop: Stop): Promise<void> {
  // Whoever puts the run aside at this moment sees the stop, or is seen by it.
  await lockIssue(sql, stop.issue);
  await sql.query(
    'INSERT INTO fathom.stop (id, issue_key, label, by, happened) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
    [stop.id, stop.issue, stop.label?.toLowerCase() ?? null, stop.by, stop.happened ?? null],
  );
  await queue.wake(sql, stop.issue);
  await sql.query('SELECT pg_notify($1, $2)', [STOP_CHANNEL, stop.issue]);
}

/** Numbers for stops and retries that no delivery asked for. */
export async function nextNumber(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ id: string | number }>(
    "SELECT nextval(pg_get_serial_sequence('fathom.inbox', 'id')) AS id",
  );
  return String(row?.id);
}

type InstallationEntry = Extract<InboxEntry, { repositories: string[] }>;

const ending: readonly InstallationEntry['kind'][] = ['uninstalled', 'suspended', 'repositories-removed'];

/** Stops everything on the issues that the App can no longer reach. */
export async function stopInstallation(sql: Sql, queue: Queue, entry: InstallationEntry): Promise<void> {
  if (!ending.includes(entry.kind)) return;
  const removed = entry.kind === 'repositories-removed' ? entry.repositories.map((name) => name.toLowerCase()) : null;
  const issues = await sql.query<{ issue_key: string }>(
    `SELECT DISTINCT i.key AS issue_key FROM fathom.issue i
     WHERE i.installation_id = $1 AND ($2::text[] IS NULL OR lower(i.owner || '/' || i.name) = ANY ($2::text[]))
       AND (EXISTS (SELECT 1 FROM fathom.run r WHERE r.issue_key = i.key AND r.state <> 'ended')
         OR EXISTS (SELECT 1 FROM fathom.inbox e WHERE e.issue_key = i.key AND e.outcome IS NULL))
     ORDER BY issue_key`,
    [entry.installationId, removed],
  );
  for (const { issue_key: issue } of issues) {
    await stopIssue(sql, queue, { id: await nextNumber(sql), issue, by: `@${entry.actor.login}` });
  }
}

export interface AskedFor {
  issue: string;
  /** Number of the entry that asked for it. */
  since: string;
  label?: string | undefined;
}

/**
 * Who stopped what was asked for, or undefined where nobody did. Deliveries may come late and in any order: a stop holds
 * for what came before it, unless that happened after it.
 */
export async function stoppedBy(sql: Sql, asked: AskedFor): Promise<string | undefined> {
  const [row] = await sql.query<{ by: string }>(
    `SELECT s.by FROM fathom.stop s WHERE s.issue_key = $1 AND s.id > $2 AND (s.label IS NULL OR s.label = $3)
       AND NOT EXISTS (SELECT 1 FROM fathom.inbox e WHERE e.id = $2 AND e.happened > s.happened)
     ORDER BY s.id LIMIT 1`,
    [asked.issue, asked.since, asked.label?.toLowerCase() ?? null],
  );
  return row?.by;
}
