import { InboxEntry, type IssueInboxEntry } from '../domain/inbox.ts';
import type { RunMode } from '../domain/stage.ts';
import type { Sql } from './database.ts';

/** Version of stored entries. A new version of Fathom reads the older ones; see `readEntry`. */
export const ENTRY_VERSION = 1;

/** An entry that asks for a run. */
export type Request = Extract<IssueInboxEntry, { kind: 'labeled' | 'unlabeled' } | { kind: 'command' }>;

type CommandEntry = Extract<InboxEntry, { kind: 'command' }>;
type ControlEntry = CommandEntry & { command: 'stop' | 'unknown' };

export interface WaitingRequest {
  id: string;
  entry: Request;
}

interface EntryRow {
  id: string | number;
  version: number;
  entry: string;
}

/** What asks for a run on the issue and was not acted upon yet, oldest first. Controls are not among them. */
export async function waitingRequests(sql: Sql, issue: string): Promise<WaitingRequest[]> {
  const rows = await sql.query<EntryRow>(
    'SELECT id, version, entry FROM fathom.inbox WHERE issue_key = $1 AND outcome IS NULL ORDER BY id',
    [issue],
  );
  return rows.map((row) => ({ id: String(row.id), entry: readEntry(row) })).filter(isRequest);
}

/** What goes past the queue of runs: it starts none, and waits behind none. */
export const isControl = (entry: InboxEntry): entry is ControlEntry =>
  entry.kind === 'command' && (entry.command === 'stop' || entry.command === 'unknown');

/** Those on the issue that were not acted upon yet, oldest first. */
export async function waitingControls(sql: Sql, issue: string): Promise<{ id: string; entry: ControlEntry }[]> {
  const rows = await sql.query<EntryRow>(
    "SELECT id, version, entry FROM fathom.inbox WHERE issue_key = $1 AND outcome IS NULL AND kind = 'command' ORDER BY id",
    [issue],
  );
  return rows.flatMap((row) => {
    const entry = readEntry(row);
    return isControl(entry) ? [{ id: String(row.id), entry }] : [];
  });
}

/** The same for several issues at once. */
export async function waitingRequestsOn(sql: Sql, issues: string[]): Promise<Map<string, WaitingRequest[]>> {
  const rows = await sql.query<EntryRow & { issue: string }>(
    `SELECT id, version, entry, issue_key AS issue FROM fathom.inbox
     WHERE issue_key = ANY ($1::text[]) AND outcome IS NULL ORDER BY id`,
    [issues],
  );
  const requests = rows.map((row) => ({ id: String(row.id), entry: readEntry(row), issue: row.issue }));
  return Map.groupBy(requests.filter(isRequest), ({ issue }) => issue);
}

/** The one that a run is made of: the newest of the widest mode. */
export const chosenOf = <T extends WaitingRequest>(requests: T[], last: RunMode | undefined): T | undefined =>
  requests.findLast(({ entry }) => modeOf(entry, last) === 'resolve') ?? requests.at(-1);

/** Bots that an operator allows ask like people, and may ask each other for ever. */
export const isByBot = ({ actor }: Pick<Request, 'actor'>): boolean => actor.login.endsWith('[bot]');

/** A person's command goes before automatic triggers. */
export const isUrgent = (entry: Request): boolean => entry.kind === 'command' && !isByBot(entry);

/** When it happened on the code host (ISO). Of all but comments the issue's time of change is the nearest that is told. */
export const happenedAt = (entry: IssueInboxEntry): string =>
  entry.kind === 'command' ? entry.comment.createdAt : entry.issue.updatedAt;

/** What was told so much later than it happened may have been overtaken by what came after it. */
const LATE_MS = 60_000;

/** When a stop happened, where it is told of late; else it holds for all that was asked for before, however near in time. */
export function happenedBefore(entry: IssueInboxEntry): { happened?: string } {
  const happened = happenedAt(entry);
  return Date.parse(entry.receivedAt) - Date.parse(happened) > LATE_MS ? { happened } : {};
}

/** The label that asks, where it is one. */
export const labelOf = ({ entry }: WaitingRequest): string | undefined =>
  entry.kind === 'command' ? undefined : entry.label;

export async function findEntry(sql: Sql, id: string): Promise<InboxEntry | undefined> {
  const [row] = await sql.query<EntryRow>('SELECT id, version, entry FROM fathom.inbox WHERE id = $1', [id]);
  return row && readEntry(row);
}

/** Answers of maintainers with this outcome, oldest first. */
export async function correctionsOf(sql: Sql, issue: string, outcome: string): Promise<CommandEntry[]> {
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

/** What came to this outcome waits again. */
export async function reopenEntries(sql: Sql, issue: string, outcome: string): Promise<void> {
  await sql.query('UPDATE fathom.inbox SET outcome = NULL WHERE issue_key = $1 AND outcome = $2', [issue, outcome]);
}

/** The mode that the entry asks for; a retry repeats what `last` was. */
export function modeOf(entry: Request, last: RunMode | undefined): RunMode {
  if (entry.kind !== 'command') return entry.mode;
  return entry.command === 'resolve' || (entry.command === 'retry' && last === 'resolve') ? 'resolve' : 'diagnose';
}

/** There is one version so far; the reader of a later one brings this one up to date here. */
const readEntry = (row: EntryRow): InboxEntry => InboxEntry.parse(JSON.parse(row.entry));

function isRequest<T extends { id: string; entry: InboxEntry }>(waiting: T): waiting is T & WaitingRequest {
  const { entry } = waiting;
  return entry.kind === 'labeled' || (entry.kind === 'command' && !isControl(entry));
}
