import { RunEnd } from '../domain/ends.ts';
import { passingForgeFailures } from '../domain/errors.ts';
import type { Publisher } from '../domain/ports/publisher.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import type { Run } from '../domain/run.ts';
import { createDatabaseBudget } from './database-budget.ts';
import { createDatabaseLedger } from './database-ledger.ts';
import { createDatabaseTrajectories } from './database-trajectories.ts';
import { UNREACHABLE } from './postgres-database.ts';
import type { HeldJob } from './queue.ts';
import { claimRun, endRun, pauseRun, type RunRecord } from './runs.ts';
import { tellAll, tellLater } from './tell-end.ts';
import type { KeptPorts, WorkerPorts } from './worker-ports.ts';

export type AttemptEnd = { kind: 'ended'; record: RunRecord; end: RunEnd } | { kind: 'paused'; seconds: number };

type Job = Pick<HeldJob, 'signal' | 'waitedSeconds'>;

/** An hour and a half in all: 1, 2, 4, 8, 16, 30 and 30 minutes. */
const PAUSES = 7;
const LONGEST_PAUSE = 30 * 60;

/**
 * Goes on with a run until it ends here or is paused.
 * @throws HandedOverError when another attempt goes on with it.
 */
export async function attemptRun(ports: WorkerPorts, found: RunRecord, job: Job): Promise<AttemptEnd> {
  const claimed = await claimRun(ports.database, found.id, ports.name);
  // Whoever cuts a pause short does not use it up: the run would be given up while the outage has only begun.
  const record = cutsShort(found, job) ? { ...claimed, pauses: claimed.pauses - 1 } : claimed;
  const log = { run: record.id, issue: record.issue.key, attempt: record.attempt };
  const held = ports.active.hold(record, job.signal);
  try {
    // A stop may have come between the request and now; from here on the notices reach this run.
    await ports.active.recheck(record.issue.key);
    if (record.attempt > 1) await sweep(ports, record);
    ports.log.info(log, 'run taken up');
    const publishers = ports.publishers(record);
    const end = await execute(ports, record, publishers, held.signal);
    if (isPause(record, end)) return await pause(ports, record, end);
    const told = await tellAll(publishers, held.signal);
    await endRun(ports.database, record, end, told);
    if (!told) void tellLater(ports, publishers, record);
    ports.log.info({ ...log, end }, 'run ended');
    return { kind: 'ended', record, end };
  } finally {
    held.release();
  }
}

const pauseSeconds = (pauses: number): number => Math.min(60 * 2 ** pauses, LONGEST_PAUSE);

const cutsShort = ({ state, pauses }: RunRecord, { waitedSeconds }: Job): boolean =>
  state === 'paused' && waitedSeconds < pauseSeconds(pauses - 1);

/** Where the engine is away, the run meets that itself, and pauses; once a run is over it is swept for again. */
async function sweep({ sweep, log }: WorkerPorts, { id }: RunRecord): Promise<void> {
  await sweep(id).catch((err: unknown) => log.warn({ run: id, err }, 'could not look for what an attempt left behind'));
}

async function execute(
  ports: WorkerPorts,
  record: RunRecord,
  publishers: Publisher[],
  signal: AbortSignal,
): Promise<RunEnd> {
  const run = withCurrentSettings(ports, record.run);
  const ledger = createDatabaseLedger(ports.database, record.attempt);
  const kept = await ledger.load(run.id, 'end', RunEnd);
  // Whatever passes by itself was told to nobody, and is not now.
  if (kept && isPause(record, kept)) return kept;
  if (kept) return tellAgain(ports, run, ledger, publishers, kept);
  const { repositoryId, installationId } = record.issue;
  const owner = { repositoryId, installationId, attempt: record.attempt };
  const keptPorts: KeptPorts = {
    ledger,
    trajectories: createDatabaseTrajectories(ports.database),
    budget: createDatabaseBudget(ports.database, owner, run.settings, ports.months, ports.clock),
    publishers: publishers.map((publisher) => withoutPauses(publisher, record)),
  };
  return ports.execute(run, keptPorts, signal, record);
}

/** Which model speaks and what it may cost is configured anew for each attempt; everything else stays. */
function withCurrentSettings({ settings }: WorkerPorts, run: Run): Run {
  const { roles, protocol, budgetUsd, budgetTokens, seconds, repositoryLimits } = settings;
  const current = { roles, protocol, budgetUsd, budgetTokens, seconds, repositoryLimits };
  return { ...run, settings: { ...run.settings, ...current } };
}

/** The run had ended when its process went away: whoever has not shown that yet is told again. */
async function tellAgain(
  ports: WorkerPorts,
  run: Run,
  ledger: RunLedger,
  publishers: Publisher[],
  end: RunEnd,
): Promise<RunEnd> {
  const spent = await ledger.spent(run.id);
  const event = { at: ports.clock.now().toISOString(), type: 'run-finished' as const, end, spent };
  for (const publisher of publishers) publisher.publish(run.id, event);
  return end;
}

/** What passes by itself: provider, engine or code host is away. The operator hears of it, the reporter does not. */
const passing = new Set([
  'model-unreachable',
  'model-rate-limited',
  'model-unauthorized',
  'sandbox',
  'database',
  UNREACHABLE,
  'remote-unreachable',
  'remote-refused',
  ...passingForgeFailures.map((failure) => `forge-${failure}`),
]);

function isPause(record: RunRecord, end: RunEnd): boolean {
  return end.kind === 'failed' && passing.has(end.code) && record.pauses < PAUSES;
}

function withoutPauses(publisher: Publisher, record: RunRecord): Publisher {
  return {
    publish: (run, event) => {
      if (event.type === 'run-finished' && isPause(record, event.end)) return;
      publisher.publish(run, event);
    },
    flush: () => publisher.flush(),
  };
}

async function pause(ports: WorkerPorts, record: RunRecord, end: RunEnd): Promise<AttemptEnd> {
  const seconds = pauseSeconds(record.pauses);
  await pauseRun(ports.database, record);
  ports.log.error({ run: record.id, issue: record.issue.key, end, seconds }, 'run paused');
  return { kind: 'paused', seconds };
}
