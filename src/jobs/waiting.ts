import { ISSUE } from './boss.ts';
import type { Sql } from './database.ts';
import { chosenOf, isCorrection, type WaitingRequest, waitingRequestsOn } from './inbox-entries.ts';
import { type IssueRow, issueOf, type KnownIssue } from './issues.ts';
import { runIdOf } from './runs.ts';

/** An issue whose turn has not come. */
export interface WaitingIssue {
  issue: KnownIssue;
  /** From 1, over all issues that wait: a person's command before labels, then whoever waits longest. */
  position: number;
  since: Date;
  /** What a run will be made of, as far as can be said now; absent where a run that was interrupted goes on. */
  request?: WaitingRequest;
  /** The id that the run will have. */
  run?: string;
}

/**
 * Issues that wait for a worker, the next one first. What is put off until an outage is over is not among them, unless
 * `putOff` asks for it; then it comes last.
 */
export async function waitingIssues(sql: Sql, limit: number, putOff = false): Promise<WaitingIssue[]> {
  const rows = await sql.query<IssueRow & { position: string | number; since: Date; open: boolean }>(
    `SELECT i.*, q.position, q.created_on AS since,
       EXISTS (SELECT 1 FROM fathom.run r WHERE r.issue_key = i.key AND r.state <> 'ended') AS open
     FROM (SELECT singleton_key, created_on, row_number() OVER (ORDER BY start_after > now(), priority DESC, created_on) AS position
           FROM pgboss.job WHERE name = $1 AND state < 'active' AND ($3 OR start_after <= now())) q
     JOIN fathom.issue i ON i.key = q.singleton_key ORDER BY q.position LIMIT $2`,
    [ISSUE, limit, putOff],
  );
  const requests = await waitingRequestsOn(
    sql,
    rows.filter(({ open }) => !open).map(({ key }) => key),
  );
  return rows.map((row) => {
    const asked = (requests.get(row.key) ?? []).filter((request) => !isCorrection(request));
    const request = chosenOf(asked, undefined);
    const place = { issue: issueOf(row), position: Number(row.position), since: row.since };
    return request === undefined ? place : { ...place, request, run: runIdOf(request.entry.eventKey) };
  });
}

/** Keys of the issues that a worker acts on. */
export async function activeIssues(sql: Sql): Promise<Set<string>> {
  const rows = await sql.query<{ issue: string }>(
    "SELECT singleton_key AS issue FROM pgboss.job WHERE name = $1 AND state = 'active'",
    [ISSUE],
  );
  return new Set(rows.map((row) => row.issue));
}
