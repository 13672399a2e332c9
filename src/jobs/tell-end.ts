import { RunEnd } from '../domain/ends.ts';
import { HandedOverError } from '../domain/errors.ts';
import type { Publisher } from '../domain/ports/publisher.ts';
import { createDatabaseLedger } from './database-ledger.ts';
import { type RunRecord, takeUntold, tellAgainLater, toldRun } from './runs.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** A run that is to stop waits no longer than this for its issue to be told; the limit that it waits for may take an hour. */
const GRACE_MS = 1500;
/** No run holds its place for longer only because its issue cannot be told: others wait for it. */
const PATIENCE_MS = 60_000;
/** Longer than any wait for a limit, so that no other process is still about to tell it. */
const GIVEN_UP_SECONDS = 80 * 60;
/** Until an end is told again where the code host could not be told of it. */
const AGAIN_SECONDS = 5 * 60;

/**
 * Waits until everybody has been told what was published so far, a minute at most, and once `stop` is aborted a moment.
 * Then what is left is shown later, by this process if it still lives. @returns whether all of it was shown
 */
export async function tellAll(
  publishers: Publisher[],
  stop: AbortSignal,
  patienceMs: number = PATIENCE_MS,
): Promise<boolean> {
  const over = new AbortController();
  const all = Promise.all(publishers.map((publisher) => publisher.flush())).then(
    () => true,
    () => false,
  );
  const told = await Promise.race([all, momentAfter(stop, over.signal, patienceMs).then(() => false)]);
  over.abort();
  if (!told && stop.reason instanceof HandedOverError) throw stop.reason;
  return told;
}

/** Keeps in mind that the issue was told after all, or that it is to be told anew. */
export async function tellLater(
  { database, log }: Pick<WorkerPorts, 'database' | 'log'>,
  publishers: Publisher[],
  record: RunRecord,
): Promise<void> {
  try {
    for (const publisher of publishers) await publisher.flush();
    await toldRun(database, record);
  } catch (err) {
    log.warn({ run: record.id, err }, 'the end of the run was not told; it is told later');
    const seconds = err instanceof HandedOverError ? 0 : AGAIN_SECONDS;
    await tellAgainLater(database, record, seconds).catch((error) =>
      log.error({ run: record.id, err: error }, 'untold'),
    );
  }
}

/**
 * Tells issues of ends that the process that had to tell them took with it. `othersLive` is false where no other process
 * can be about to do so. Says how many.
 */
export async function tellUntold(ports: WorkerPorts, othersLive: boolean): Promise<number> {
  const records = await takeUntold(ports.database, othersLive ? GIVEN_UP_SECONDS : 0);
  for (const record of records) {
    const ledger = createDatabaseLedger(ports.database, record.attempt);
    const end = await ledger.load(record.id, 'end', RunEnd);
    if (end === undefined) continue;
    const spent = await ledger.spent(record.id);
    const event = { at: ports.clock.now().toISOString(), type: 'run-finished' as const, end, spent };
    const publishers = ports.publishers(record, true);
    for (const publisher of publishers) publisher.publish(record.id, event);
    void tellLater(ports, publishers, record);
  }
  return records.length;
}

function momentAfter(stop: AbortSignal, over: AbortSignal, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const wait = (ms: number) => {
      const timer = setTimeout(resolve, ms);
      over.addEventListener('abort', () => clearTimeout(timer), { once: true });
    };
    wait(patienceMs);
    const stopped = () => wait(GRACE_MS);
    if (stop.aborted) return stopped();
    stop.addEventListener('abort', stopped, { once: true });
    over.addEventListener('abort', () => stop.removeEventListener('abort', stopped), { once: true });
  });
}
