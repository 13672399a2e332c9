import type { RunEnd } from '../domain/ends.ts';
import { createDatabaseLedger } from './database-ledger.ts';
import { settleEntries, type WaitingRequest, waitingRequests } from './inbox-entries.ts';
import { findIssue } from './issues.ts';
import { mayAsk } from './refusals.ts';
import { claimRun, endRun, openRun } from './runs.ts';
import { tellAll, tellLater } from './tell-end.ts';
import type { WorkerPorts } from './worker-ports.ts';

const end: RunEnd = {
  kind: 'failed',
  code: 'gave-up',
  message: 'the run was interrupted too often and was given up',
  remedy: 'The operator finds the reason in the log. `/fathom retry` starts it again.',
};

/** The issue's job failed for good: its run ends, or what waited comes to none, and the issue is told so. */
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
  if (open === undefined) return tellRequests(ports, issue, waiting);
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
  const told = await tellAll(publishers, new AbortController().signal);
  await endRun(database, record, end, told);
  if (!told) void tellLater(ports, publishers, record);
}

/** Those who may ask: nobody else makes the App write. */
async function tellRequests(ports: WorkerPorts, key: string, requests: WaitingRequest[]): Promise<void> {
  const issue = await findIssue(ports.database, key);
  if (issue === undefined) return;
  for (const { entry } of requests) {
    const { actor } = entry;
    if (!(await mayAsk(ports, issue, actor.login).catch(() => false))) continue;
    const comment = entry.kind === 'command' ? { commentId: entry.comment.id } : {};
    await ports.refused({ issue, actor, refusal: { kind: 'gave-up' }, ...comment });
  }
}
