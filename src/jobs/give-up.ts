import type { RunEnd } from '../domain/ends.ts';
import { createDatabaseLedger } from './database-ledger.ts';
import { settleEntries, waitingRequests } from './inbox-entries.ts';
import { claimRun, endRun, openRun } from './runs.ts';
import type { WorkerPorts } from './worker-ports.ts';

const end: RunEnd = {
  kind: 'failed',
  code: 'gave-up',
  message: 'the run was interrupted too often and was given up',
  remedy: 'The operator finds the reason in the log. `/fathom retry` starts it again.',
};

/** The issue's job failed for good: its run ends, and the issue is told so. */
export async function giveUp(ports: WorkerPorts, issue: string, reason: unknown): Promise<void> {
  const { database, clock } = ports;
  // A request since then has put a new job into the queue, which goes on with the run.
  if (await ports.queue.holds(database, issue)) return;
  ports.log.error({ issue, reason }, 'gave up');
  const waiting = await waitingRequests(database, issue);
  await settleEntries(
    database,
    waiting.map(({ id }) => id),
    'gave up',
  );
  const open = await openRun(database, issue);
  if (open === undefined) return;
  const record = await claimRun(database, open.id, ports.name);
  const ledger = createDatabaseLedger(database, record.attempt);
  await ledger.save(record.id, 'end', end);
  const event = {
    at: clock.now().toISOString(),
    type: 'run-finished' as const,
    end,
    spent: await ledger.spent(open.id),
  };
  await ledger.append(record.id, event);
  const publishers = ports.publishers(record);
  for (const publisher of publishers) publisher.publish(record.id, event);
  for (const publisher of publishers) await publisher.flush();
  await endRun(database, record, end);
}
