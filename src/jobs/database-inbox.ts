import type { InboxEntry, IssueInboxEntry } from '../domain/inbox.ts';
import type { RunInbox } from '../domain/ports/run-inbox.ts';
import { startedRun } from './control.ts';
import type { Database, Sql } from './database.ts';
import { ENTRY_VERSION, happenedAt, happenedBefore, isControl, isUrgent, settleEntries } from './inbox-entries.ts';
import { issueKey } from './issues.ts';
import type { Queue } from './queue.ts';
import { stopInstallation, stopIssue } from './stops.ts';

/** A delivery has to be answered within 10 seconds (GitHub's limit), so nobody waits longer for the database. */
const PATIENCE_SECONDS = 7;

/**
 * The inbox in the database. One transaction stores the entry, puts a job for its issue into the queue, and carries out
 * a stop: what ends a run does not wait behind it. @throws EnvironmentError when nothing was stored.
 */
export function createDatabaseInbox(database: Database, queue: Queue): RunInbox {
  return {
    accept: (entry) => database.transaction((sql) => accept(sql, queue, entry), PATIENCE_SECONDS),
  };
}

async function accept(sql: Sql, queue: Queue, entry: InboxEntry): Promise<'new' | 'known'> {
  if (!isOnIssue(entry)) {
    if ((await storeAlone(sql, entry)) === undefined) return 'known';
    await stopInstallation(sql, queue, entry);
    return 'new';
  }
  const id = (await storeOnIssue(sql, entry)) ?? (await storeAgain(sql, entry));
  if (id === undefined) return 'known';
  await dispatch(sql, queue, id, entry);
  return 'new';
}

const isOnIssue = (entry: InboxEntry): entry is IssueInboxEntry => 'issue' in entry;

const COLUMNS = 'delivery_id, event_key, kind, version, entry, outcome';

const valuesOf = (entry: InboxEntry): unknown[] => [
  entry.deliveryId,
  entry.eventKey,
  entry.kind,
  ENTRY_VERSION,
  JSON.stringify(entry),
  waits(entry) ? null : 'noted',
];

/** The entry's number, or undefined where it is known already. */
async function storeAlone(sql: Sql, entry: InboxEntry): Promise<string | undefined> {
  const rows = await sql.query<{ id: string | number }>(
    `INSERT INTO fathom.inbox (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
    valuesOf(entry),
  );
  return numberOf(rows);
}

/**
 * Keeps what the entry says of its issue, and the entry. The issue's row is locked first, so that its entries and the
 * end of its job come one after the other.
 */
async function storeOnIssue(sql: Sql, entry: IssueInboxEntry): Promise<string | undefined> {
  const { repository, issue } = entry;
  const rows = await sql.query<{ id: string | number }>(
    `WITH issue AS (
       INSERT INTO fathom.issue (key, installation_id, repository_id, owner, name, number)
       VALUES ($7, $8, $9, $10, $11, $12)
       ON CONFLICT (key) DO UPDATE SET installation_id = excluded.installation_id, owner = excluded.owner,
         name = excluded.name
       RETURNING key)
     INSERT INTO fathom.inbox (${COLUMNS}, issue_key, happened)
     SELECT $1::text, $2::text, $3::text, $4::int, $5::text, $6::text, key, $13::timestamptz FROM issue
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      ...valuesOf(entry),
      issueKey(entry),
      entry.installationId,
      repository.id,
      repository.owner,
      repository.name,
      issue.number,
      happenedAt(entry),
    ],
  );
  return numberOf(rows);
}

/**
 * Labels have nothing but the second in which they came to tell them apart. One that is known, and was taken off since, came
 * a second time; the same delivery did not.
 */
async function storeAgain(sql: Sql, entry: IssueInboxEntry): Promise<string | undefined> {
  if (entry.kind !== 'labeled' && entry.kind !== 'unlabeled') return undefined;
  const [known] = await sql.query(
    `SELECT 1 FROM fathom.inbox e WHERE e.event_key = $1 AND EXISTS (
       SELECT 1 FROM fathom.inbox later
       WHERE later.issue_key = e.issue_key AND later.id > e.id AND later.kind IN ('labeled', 'unlabeled')
         AND later.kind <> e.kind AND later.happened = e.happened)`,
    [entry.eventKey],
  );
  if (known === undefined) return undefined;
  return storeOnIssue(sql, { ...entry, eventKey: `${entry.eventKey}/${entry.deliveryId}` });
}

const numberOf = ([row]: { id: string | number }[]): string | undefined =>
  row === undefined ? undefined : String(row.id);

/** True for what a worker has to act on; everything else is done with once it is stored. */
const waits = (entry: InboxEntry): boolean => entry.kind === 'labeled' || entry.kind === 'command';

async function dispatch(sql: Sql, queue: Queue, id: string, entry: IssueInboxEntry): Promise<void> {
  const issue = issueKey(entry);
  const repositoryId = String(entry.repository.id);
  if (isControl(entry)) {
    // Nobody's other stops, and no silence of the code host, are waited for.
    const ends = entry.command === 'stop' && (await startedRun(sql, issue, entry.actor.login));
    if (!ends) return queue.sendControl(sql, id);
    await stopIssue(sql, queue, { id, issue, by: `@${entry.actor.login}`, ...happenedBefore(entry) });
    return settleEntries(sql, [id], 'stopped');
  }
  if (entry.kind === 'command' || entry.kind === 'labeled') {
    return queue.sendIssue(sql, { issue, repositoryId, urgent: isUrgent(entry) });
  }
  if (entry.kind === 'edited') return;
  const label = entry.kind === 'unlabeled' ? entry.label : undefined;
  const stop = { id, issue, by: `@${entry.actor.login}`, ...happenedBefore(entry) };
  await stopIssue(sql, queue, { ...stop, ...(label === undefined ? {} : { label }) });
}
