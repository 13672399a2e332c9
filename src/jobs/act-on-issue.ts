import { ForgeError, passingForgeFailures } from '../domain/errors.ts';
import type { RunMode } from '../domain/stage.ts';
import { type AttemptEnd, attemptRun } from './attempt-run.ts';
import type { Sql } from './database.ts';
import { isUrgent, modeOf, reopenEntries, settleEntries, waitingRequests } from './inbox-entries.ts';
import { lockIssue } from './issues.ts';
import type { HeldJob } from './queue.ts';
import { openRun, type RunRecord, withRun } from './runs.ts';
import { startRun } from './start-run.ts';
import { stoppedBy } from './stops.ts';
import type { WorkerPorts } from './worker-ports.ts';

interface Done {
  end: AttemptEnd | { kind: 'nothing' };
  /** What waited when the job began: only what came since is a reason not to pause. */
  seen: Set<string>;
}

/**
 * One job of the queue: the run on this issue that was interrupted, or one made of what waits in its inbox. What
 * arrives meanwhile is acted upon by the next job, which is sent in the transaction that ends this one.
 */
export async function actOnIssue(ports: WorkerPorts, issue: string, job: HeldJob): Promise<void> {
  const before = await waitingRequests(ports.database, issue);
  const seen = new Set(before.map(({ id }) => id));
  const end = await act(ports, issue, job).catch((error: unknown) => {
    const seconds = pauseAfter(ports, error, job, before[0]?.entry.receivedAt);
    if (seconds === undefined) throw error;
    ports.log.error(
      { issue, err: error, seconds },
      'the code host cannot be asked; what waits on the issue is put off',
    );
    return { kind: 'paused' as const, seconds };
  });
  await finishJob(ports, issue, job, { end, seen });
}

async function act(ports: WorkerPorts, issue: string, job: HeldJob): Promise<Done['end']> {
  const record = (await openRun(ports.database, issue)) ?? (await startRun(ports, issue));
  return record === undefined ? { kind: 'nothing' } : attemptRun(ports, record, job);
}

/** At first the job is merely tried again: a failure by chance is over by then, but no limit is. */
const QUICK_TRIES = 3;
const SHORTEST_PAUSE = 60;
const LONGEST_PAUSE = 30 * 60;
/** After that the job fails as any other does, and is given up. */
const PATIENCE_SECONDS = 24 * 3600;

/** An outage of the code host must not cost a request: it waits as long again as it has waited. */
function pauseAfter(
  { clock }: WorkerPorts,
  error: unknown,
  job: HeldJob,
  receivedAt: string | undefined,
): number | undefined {
  if (!(error instanceof ForgeError) || !passingForgeFailures.includes(error.failure)) return undefined;
  const isQuick = job.retries < QUICK_TRIES && error.failure !== 'rate-limited';
  if (isQuick || receivedAt === undefined) return undefined;
  const age = Math.ceil((clock.now().getTime() - Date.parse(receivedAt)) / 1000);
  return age > PATIENCE_SECONDS ? undefined : Math.min(Math.max(age, SHORTEST_PAUSE), LONGEST_PAUSE);
}

async function finishJob(ports: WorkerPorts, issue: string, job: HeldJob, { end, seen }: Done): Promise<void> {
  await ports.database.transaction(async (sql) => {
    const known = await lockIssue(sql, issue);
    await ports.queue.complete(sql, job);
    if (end.kind === 'ended') await answerOthers(sql, issue, end);
    const waiting = await waitingRequests(sql, issue);
    const open = await openRun(sql, issue);
    if (known === undefined || (waiting.length === 0 && open === undefined)) return;
    const urgent = waiting.filter(({ entry }) => isUrgent(entry));
    const stopped = open && (await stoppedBy(sql, { issue, since: open.since, label: open.label }));
    const waits = end.kind === 'paused' && urgent.every(({ id }) => seen.has(id)) && stopped === undefined;
    const later = waits ? { delaySeconds: end.seconds } : {};
    const { repositoryId } = known;
    await ports.queue.sendIssue(sql, { issue, repositoryId, urgent: urgent.length > 0, ...later });
  });
}

type Ended = AttemptEnd & { kind: 'ended' };

/** What was asked for beside the run, before it or meanwhile, as far as its end says something about that. */
async function answerOthers(sql: Sql, issue: string, { record, end }: Ended): Promise<void> {
  const { since, label } = record;
  const stopped = (await stoppedBy(sql, { issue, since, label })) !== undefined;
  const onlyLabel = stopped && (await stoppedBy(sql, { issue, since })) === undefined;
  // Only what the run was made of was taken back: whatever it was to answer besides is still asked for.
  if (onlyLabel && end.kind === 'stopped') await reopenEntries(sql, issue, withRun(record));
  if (!stopped && end.kind !== 'failed' && end.kind !== 'stopped') await answerCovered(sql, issue, record);
}

/** A label that came during a run which did what it asks for needs no run of its own; a command always does. */
async function answerCovered(sql: Sql, issue: string, record: RunRecord): Promise<void> {
  const covered = (mode: RunMode) => mode === 'diagnose' || record.run.mode === 'resolve';
  const answered = (await waitingRequests(sql, issue)).filter(
    ({ entry }) => entry.kind === 'labeled' && covered(modeOf(entry, undefined)),
  );
  await settleEntries(
    sql,
    answered.map(({ id }) => id),
    withRun(record),
  );
}
