import { createHash } from 'node:crypto';
import { defaultRunSettings } from '../domain/default-settings.ts';
import type { RunEnd } from '../domain/ends.ts';
import { HandedOverError } from '../domain/errors.ts';
import { Run } from '../domain/run.ts';
import type { RunMode } from '../domain/stage.ts';
import type { Sql } from './database.ts';
import { type IssueRow, issueOf, type KnownIssue } from './issues.ts';

/** Version of stored runs. A new version of Fathom reads the older ones; see `runOf`. */
const RUN_VERSION = 1;

export type RunState = 'running' | 'paused' | 'ended';

/** A run on an issue, with what the queue knows of it. */
export interface RunRecord {
  id: string;
  run: Run;
  issue: KnownIssue;
  label: string | undefined;
  /** Number of what asked for it; stops above it hold for it. */
  since: string;
  state: RunState;
  /** Counts the processes that took it up, and fences off all but the last. */
  attempt: number;
  pauses: number;
  worker: string | undefined;
  endKind: RunEnd['kind'] | undefined;
  endText: string | undefined;
  createdAt: Date;
  endedAt: Date | undefined;
}

/** The same entry has the same run, however often it is acted upon. */
export const runIdOf = (eventKey: string): string => createHash('sha256').update(eventKey).digest('hex').slice(0, 12);

/** What becomes of a request that is answered by a run that was made of another one. */
export const withRun = ({ id }: { id: string }): string => `with run ${id}`;

export interface NewRun {
  entryId: string;
  issue: string;
  label?: string;
  run: Run;
}

/** Keeps a run before anything is done for it. */
export async function createRun(sql: Sql, { entryId, issue, label, run }: NewRun): Promise<void> {
  await sql.query(
    `INSERT INTO fathom.run (id, entry_id, since, issue_key, mode, label, version, run, state, actor)
     VALUES ($1, $2, $2, $3, $4, $5, $6, $7, 'running', $8) ON CONFLICT DO NOTHING`,
    [run.id, entryId, issue, run.mode, label ?? null, RUN_VERSION, JSON.stringify(run), run.snapshot.trigger.actor],
  );
}

/** Takes the run up: from now on no earlier attempt can write anything. What it had reserved is given back. */
export async function claimRun(sql: Sql, id: string, worker: string): Promise<RunRecord> {
  await sql.query(
    `UPDATE fathom.run SET attempt = attempt + 1, worker = $2, state = 'running' WHERE id = $1 AND state <> 'ended'`,
    [id, worker],
  );
  await sql.query('DELETE FROM fathom.reservation WHERE run = $1', [id]);
  const record = await findRun(sql, id);
  if (record?.state !== 'running') throw new HandedOverError('another worker');
  return record;
}

/**
 * `told` is false where the issue has still to be told of it.
 * @throws HandedOverError when the run was taken up by a later attempt.
 */
export async function endRun(sql: Sql, record: RunRecord, end: RunEnd, told = true): Promise<void> {
  const rows = await sql.query(
    `UPDATE fathom.run SET state = 'ended', end_kind = $3, end_text = $4, ended_at = now(), worker = NULL, told = $5
     WHERE id = $1 AND attempt = $2 RETURNING id`,
    [record.id, record.attempt, end.kind, textOf(end), told],
  );
  if (rows.length === 0) throw new HandedOverError('another worker');
  // A call whose end could not be written, the database being away, must not count against the month for ever.
  await sql.query('DELETE FROM fathom.reservation WHERE run = $1 AND attempt <= $2', [record.id, record.attempt]);
}

/** The issue was told of the run's end. */
export async function toldRun(sql: Sql, { id, attempt }: Pick<RunRecord, 'id' | 'attempt'>): Promise<void> {
  await sql.query('UPDATE fathom.run SET told = true WHERE id = $1 AND attempt = $2', [id, attempt]);
}

/** The issue could not be told of the run's end, and nobody is about to; in so many seconds somebody may. */
export async function tellAgainLater(
  sql: Sql,
  { id, attempt }: Pick<RunRecord, 'id' | 'attempt'>,
  seconds: number,
): Promise<void> {
  await sql.query(
    `UPDATE fathom.run SET told = false, tell_after = now() + make_interval(secs => $3)
     WHERE id = $1 AND attempt = $2 AND state = 'ended'`,
    [id, attempt, seconds],
  );
}

/** Runs of which nobody was told for so long after they had ended, or that are due again; whoever takes them tells. */
export async function takeUntold(sql: Sql, seconds: number): Promise<RunRecord[]> {
  const rows = await sql.query<{ id: string }>(
    `UPDATE fathom.run SET told = true
     WHERE NOT told AND state = 'ended'
       AND (ended_at <= now() - make_interval(secs => $1) OR tell_after <= now()) RETURNING id`,
    [seconds],
  );
  const records = await Promise.all(rows.map(({ id }) => findRun(sql, id)));
  return records.filter((record) => record !== undefined);
}

/** False once a later attempt has taken the run up. */
export async function holdsRun(sql: Sql, { id, attempt }: Pick<RunRecord, 'id' | 'attempt'>): Promise<boolean> {
  const rows = await sql.query('SELECT id FROM fathom.run WHERE id = $1 AND attempt = $2', [id, attempt]);
  return rows.length > 0;
}

/** Sets the run aside: it has not ended, and goes on later. */
export async function pauseRun(sql: Sql, record: RunRecord): Promise<void> {
  const rows = await sql.query(
    `UPDATE fathom.run SET state = 'paused', pauses = $3, worker = NULL
     WHERE id = $1 AND attempt = $2 RETURNING id`,
    [record.id, record.attempt, record.pauses + 1],
  );
  if (rows.length === 0) throw new HandedOverError('another worker');
  await sql.query("DELETE FROM fathom.artefact WHERE run = $1 AND key = 'end'", [record.id]);
}

/** Lets an ended run go on after its last finished stage; `since` makes earlier stops void. */
export async function reopenRun(sql: Sql, id: string, since: string): Promise<void> {
  await sql.query(
    `UPDATE fathom.run SET state = 'running', since = $2, pauses = 0, end_kind = NULL, end_text = NULL, ended_at = NULL, told = true
     WHERE id = $1 AND state = 'ended'`,
    [id, since],
  );
  await sql.query("DELETE FROM fathom.artefact WHERE run = $1 AND key = 'end'", [id]);
}

interface RunRow extends IssueRow {
  id: string;
  run: string;
  label: string | null;
  since: string | number;
  state: RunState;
  attempt: number;
  pauses: number;
  worker: string | null;
  end_kind: RunEnd['kind'] | null;
  end_text: string | null;
  created_at: Date;
  ended_at: Date | null;
}

const SELECT = 'SELECT r.*, i.* FROM fathom.run r JOIN fathom.issue i ON i.key = r.issue_key';

export async function findRun(sql: Sql, id: string): Promise<RunRecord | undefined> {
  const [row] = await sql.query<RunRow>(`${SELECT} WHERE r.id = $1`, [id]);
  return row && recordOf(row);
}

/** The run on the issue that has not ended, if there is one. */
export async function openRun(sql: Sql, issue: string): Promise<RunRecord | undefined> {
  const [row] = await sql.query<RunRow>(`${SELECT} WHERE r.issue_key = $1 AND r.state <> 'ended' ORDER BY r.since`, [
    issue,
  ]);
  return row && recordOf(row);
}

/** The run that was asked for last on the issue. */
export async function lastRun(sql: Sql, issue: string): Promise<RunRecord | undefined> {
  const [row] = await sql.query<RunRow>(`${SELECT} WHERE r.issue_key = $1 ORDER BY r.since DESC LIMIT 1`, [issue]);
  return row && recordOf(row);
}

/** Newest first. */
export async function listRuns(sql: Sql, limit: number): Promise<RunRecord[]> {
  const rows = await sql.query<RunRow>(`${SELECT} ORDER BY r.created_at DESC, r.id LIMIT $1`, [limit]);
  return rows.map(recordOf);
}

export const modeOfLast = (last: RunRecord | undefined): RunMode | undefined => last?.run.mode;

function recordOf(row: RunRow): RunRecord {
  return {
    id: row.id,
    run: runOf(row.run),
    issue: issueOf(row),
    label: row.label ?? undefined,
    since: String(row.since),
    state: row.state,
    attempt: row.attempt,
    pauses: row.pauses,
    worker: row.worker ?? undefined,
    endKind: row.end_kind ?? undefined,
    endText: row.end_text ?? undefined,
    createdAt: row.created_at,
    endedAt: row.ended_at ?? undefined,
  };
}

/** An older version may not have known a setting: then it has its default, and the run can be finished. */
function runOf(text: string): Run {
  const kept = JSON.parse(text);
  return Run.parse({ ...kept, settings: { ...defaultRunSettings('none'), ...kept.settings } });
}

/** One line for the operator. */
function textOf(end: RunEnd): string | null {
  if (end.kind === 'failed') return `${end.code}: ${end.message}`;
  if (end.kind === 'stopped') return `by ${end.by}`;
  if (end.kind === 'no-pull-request') return end.reason;
  if (end.kind === 'proposed') return end.pullRequest === undefined ? null : `#${end.pullRequest}`;
  return null;
}
