import { InboxEntry, type IssueInboxEntry } from '../domain/inbox.ts';
import type { RunMode } from '../domain/stage.ts';
import type { Sql } from './database.ts';

/** Version of stored entries. A new version of Fathom reads the older ones; see `readEntry`. */
export const ENTRY_VERSION = 1;

/** An entry that asks for a run. */
export type Request = Extract<IssueInboxEntry, { kind: 'labeled' | 'unlabeled' } | { kind: 'command' }>;

export interface WaitingRequest {
  id: string;
  entry: Request;
}

interface EntryRow {
  id: string | number;
  version: number;
  entry: string;
}

/** What asks for a run on the issue and was not acted upon yet, oldest first. Stop commands are not among them. */
export async function waitingRequests(sql: Sql, issue: string): Promise<WaitingRequest[]> {
  const rows = await sql.query<EntryRow>(
    'SELECT id, version, entry FROM fathom.inbox WHERE issue_key = $1 AND outcome IS NULL ORDER BY id',
    [issue],
  );
  return rows.map((row) => ({ id: String(row.id), entry: readEntry(row) })).filter(isRequest);
}

export async function findEntry(sql: Sql, id: string): Promise<InboxEntry | undefined> {
  const [row] = await sql.query<EntryRow>('SELECT id, version, entry FROM fathom.inbox WHERE id = $1', [id]);
  return row && readEntry(row);
}

/** Answers of maintainers with this outcome, oldest first. */
export async function correctionsOf(
  sql: Sql,
  issue: string,
  outcome: string,
): Promise<Extract<InboxEntry, { kind: 'command' }>[]> {
  const rows = await sql.query<EntryRow>(
    'SELECT id, version, entry FROM fathom.inbox WHERE issue_key = $1 AND outcome = $2 ORDER BY id',
    [issue, outcome],
  );
  return rows.map(readEntry).filter((entry) => entry.kind === 'command');
}

/** True for what corrects an answer: it is noted, and starts nothing by itself. */
export const isCorrection = ({ entry }: WaitingRequest): boolean =>
  entry.kind === 'command' && entry.command === 'answer';

/** Says what became of entries; what was said before stays. */
export async function settleEntries(sql: Sql, ids: string[], outcome: string): Promise<void> {
  if (ids.length === 0) return;
  await sql.query('UPDATE fathom.inbox SET outcome = $2 WHERE id = ANY ($1::bigint[]) AND outcome IS NULL', [
    ids,
    outcome,
  ]);
}

/** The mode that the entry asks for; a retry repeats what `last` was. */
export function modeOf(entry: Request, last: RunMode | undefined): RunMode {
  if (entry.kind !== 'command') return entry.mode;
  return entry.command === 'resolve' || (entry.command === 'retry' && last === 'resolve') ? 'resolve' : 'diagnose';
}

/** There is one version so far; the reader of a later one brings this one up to date here. */
const readEntry = (row: EntryRow): InboxEntry => InboxEntry.parse(JSON.parse(row.entry));

function isRequest(waiting: { id: string; entry: InboxEntry }): waiting is WaitingRequest {
  const { entry } = waiting;
  return entry.kind === 'labeled' || (entry.kind === 'command' && entry.command !== 'stop');
}
