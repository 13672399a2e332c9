import { findEntry, happenedBefore, settleEntries } from './inbox-entries.ts';
import { findIssue, issueKey } from './issues.ts';
import { mayAsk, refusalOfForge } from './refusals.ts';
import { openRun } from './runs.ts';
import { stopIssue } from './stops.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** Carries out `/fathom stop`, past the queue of runs, for those who may. @throws ForgeError when it has to be asked again. */
export async function actOnControl(ports: WorkerPorts, entryId: string): Promise<void> {
  const entry = await findEntry(ports.database, entryId);
  if (entry?.kind !== 'command') return;
  const issue = await findIssue(ports.database, issueKey(entry));
  if (issue === undefined) return;
  const { actor, comment } = entry;
  const refusal = await allowed(ports, issue, actor.login);
  if (refusal) {
    await settleEntries(ports.database, [entryId], `refused: ${refusal.kind}`);
    await ports.refused({ issue, actor, commentId: comment.id, refusal });
    return;
  }
  await ports.database.transaction(async (sql) => {
    const stop = { id: entryId, issue: issue.key, by: `@${actor.login}`, ...happenedBefore(entry) };
    await stopIssue(sql, ports.queue, stop);
    await settleEntries(sql, [entryId], 'stopped');
  });
}

async function allowed(ports: WorkerPorts, issue: Parameters<typeof mayAsk>[1], login: string) {
  // Who was let start the run may stop it, also while the code host cannot be asked.
  if ((await openRun(ports.database, issue.key))?.run.snapshot.trigger.actor === login) return undefined;
  try {
    const may = await mayAsk(ports, issue, login);
    return may ? undefined : ({ kind: 'permission', needed: ports.permission } as const);
  } catch (error) {
    const refusal = refusalOfForge(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}
