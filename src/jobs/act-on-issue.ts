import type { RunMode } from '../domain/stage.ts';
import { type AttemptEnd, attemptRun } from './attempt-run.ts';
import type { Sql } from './database.ts';
import { isUrgent, modeOf, settleEntries, waitingRequests } from './inbox-entries.ts';
import { lockIssue } from './issues.ts';
import type { HeldJob } from './queue.ts';
import { openRun } from './runs.ts';
import { startRun } from './start-run.ts';
import { stoppedBy } from './stops.ts';
import type { WorkerPorts } from './worker-ports.ts';

/**
 * One job of the queue: the run on this issue that was interrupted, or one made of what waits in its inbox. What
 * arrives meanwhile is acted upon by the next job, which is sent in the transaction that ends this one.
 */
export async function actOnIssue(ports: WorkerPorts, issue: string, job: HeldJob): Promise<void> {
  const record = (await openRun(ports.database, issue)) ?? (await startRun(ports, issue));
  const attempt = record && (await attemptRun(ports, record, job.signal));
  await finishJob(ports, issue, job, attempt);
}

async function finishJob(
  ports: WorkerPorts,
  issue: string,
  job: HeldJob,
  attempt: AttemptEnd | undefined,
): Promise<void> {
  await ports.database.transaction(async (sql) => {
    const known = await lockIssue(sql, issue);
    await ports.queue.complete(sql, job);
    if (attempt?.kind === 'ended') await answerCovered(sql, issue, attempt);
    const waiting = await waitingRequests(sql, issue);
    const open = await openRun(sql, issue);
    if (known === undefined || (waiting.length === 0 && open === undefined)) return;
    const urgent = waiting.some(({ entry }) => isUrgent(entry));
    const stopped = open && (await stoppedBy(sql, { issue, since: open.since, label: open.label }));
    const waits = attempt?.kind === 'paused' && !urgent && stopped === undefined;
    const later = waits ? { delaySeconds: attempt.seconds } : {};
    await ports.queue.sendIssue(sql, { issue, repositoryId: known.repositoryId, urgent, ...later });
  });
}

/** A label that came during a run which did what it asks for needs no run of its own; a command always does. */
async function answerCovered(sql: Sql, issue: string, { record, end }: AttemptEnd & { kind: 'ended' }): Promise<void> {
  if (end.kind === 'failed' || end.kind === 'stopped') return;
  const stopped = await stoppedBy(sql, { issue, since: record.since, label: record.label });
  if (stopped !== undefined) return;
  const covered = (mode: RunMode) => mode === 'diagnose' || record.run.mode === 'resolve';
  const answered = (await waitingRequests(sql, issue)).filter(
    ({ entry }) => entry.kind === 'labeled' && covered(modeOf(entry, undefined)),
  );
  await settleEntries(
    sql,
    answered.map(({ id }) => id),
    `with run ${record.id}`,
  );
}
