import type { InboxEntry, IssueInboxEntry } from '../domain/inbox.ts';
import type { RunInbox } from '../domain/ports/run-inbox.ts';
import type { Database, Sql } from './database.ts';
import { ENTRY_VERSION } from './inbox-entries.ts';
import { issueKey, upsertIssue } from './issues.ts';
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
  const onIssue = isOnIssue(entry);
  // Locks the issue, so that its entries and the end of its job come one after the other.
  if (onIssue) await upsertIssue(sql, entry);
  const id = await store(sql, entry, onIssue ? issueKey(entry) : null);
  if (id === undefined) return 'known';
  if (onIssue) await dispatch(sql, queue, id, entry);
  else await stopInstallation(sql, queue, entry);
  return 'new';
}

const isOnIssue = (entry: InboxEntry): entry is IssueInboxEntry => 'issue' in entry;

async function store(sql: Sql, entry: InboxEntry, issue: string | null): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string | number }>(
    `INSERT INTO fathom.inbox (delivery_id, event_key, issue_key, kind, version, entry, outcome)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id`,
    [
      entry.deliveryId,
      entry.eventKey,
      issue,
      entry.kind,
      ENTRY_VERSION,
      JSON.stringify(entry),
      waits(entry) ? null : 'noted',
    ],
  );
  return row === undefined ? undefined : String(row.id);
}

/** True for what a worker has to act on; everything else is done with once it is stored. */
const waits = (entry: InboxEntry): boolean => entry.kind === 'labeled' || entry.kind === 'command';

async function dispatch(sql: Sql, queue: Queue, id: string, entry: IssueInboxEntry): Promise<void> {
  const issue = issueKey(entry);
  const repositoryId = String(entry.repository.id);
  if (entry.kind === 'command' && entry.command === 'stop') return queue.sendControl(sql, id);
  if (entry.kind === 'command' || entry.kind === 'labeled') {
    return queue.sendIssue(sql, { issue, repositoryId, urgent: entry.kind === 'command' });
  }
  if (entry.kind === 'edited') return;
  const label = entry.kind === 'unlabeled' ? entry.label : undefined;
  await stopIssue(sql, queue, { id, issue, by: `@${entry.actor.login}`, ...(label === undefined ? {} : { label }) });
}
