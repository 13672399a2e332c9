import type { InboxActor } from '../domain/inbox.ts';
import type { Sql } from './database.ts';
import { findEntry, happenedBefore, settleEntries, waitingControls, waitingRequests } from './inbox-entries.ts';
import { findIssue, issueKey } from './issues.ts';
import { mayAsk, refusalOfForge } from './refusals.ts';
import { openRun } from './runs.ts';
import { stopIssue } from './stops.ts';
import type { WorkerPorts } from './worker-ports.ts';

/**
 * Carries out `/fathom stop`, and answers what is no command, past the queue of runs, for those who may, with all that the
 * same person has written of it there meanwhile: however many stops a stranger writes, they are one question.
 * @throws ForgeError when it has to be asked again.
 */
export async function actOnControl(ports: WorkerPorts, entryId: string): Promise<void> {
  const entry = await findEntry(ports.database, entryId);
  if (entry?.kind !== 'command') return;
  const issue = await findIssue(ports.database, issueKey(entry));
  if (issue === undefined) return;
  const { actor, command } = entry;
  const byActor = ({ id, login }: InboxActor) => id === actor.id && login === actor.login;
  const asked = (await waitingControls(ports.database, issue.key)).filter(
    (one) => byActor(one.entry.actor) && one.entry.command === command,
  );
  const newest = asked.at(-1);
  if (newest === undefined || !asked.some(({ id }) => id === entryId)) return;
  const ids = asked.map(({ id }) => id);
  const refused = await allowed(ports, issue, actor.login);
  const refusal = refused ?? (command === 'unknown' ? ({ kind: 'unknown-command' } as const) : undefined);
  if (refusal) {
    await settleEntries(ports.database, ids, `refused: ${refusal.kind}`);
    // A stranger may well speak of the App without speaking to it.
    if (refused && command === 'unknown') return;
    await ports.refused({ issue, actor, commentId: newest.entry.comment.id, refusal });
    return;
  }
  const idle = await ports.database.transaction(async (sql) => {
    const stop = { id: newest.id, issue: issue.key, by: `@${actor.login}`, ...happenedBefore(newest.entry) };
    await stopIssue(sql, ports.queue, stop);
    const isIdle = await nothingRuns(sql, issue.key);
    await settleEntries(sql, ids, isIdle ? 'nothing to stop' : 'stopped');
    return isIdle;
  });
  if (!idle) return;
  await ports.refused({ issue, actor, commentId: newest.entry.comment.id, refusal: { kind: 'nothing-runs' } });
}

async function nothingRuns(sql: Sql, issue: string): Promise<boolean> {
  const open = await openRun(sql, issue);
  return open === undefined && (await waitingRequests(sql, issue)).length === 0;
}

async function allowed(ports: WorkerPorts, issue: Parameters<typeof mayAsk>[1], login: string) {
  if (await startedRun(ports.database, issue.key, login)) return undefined;
  try {
    const may = await mayAsk(ports, issue, login);
    return may ? undefined : ({ kind: 'permission', needed: ports.permission } as const);
  } catch (error) {
    const refusal = refusalOfForge(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/** Who was let start the run may stop it, also while the code host cannot be asked. */
export const startedRun = async (sql: Sql, issue: string, login: string): Promise<boolean> =>
  (await openRun(sql, issue))?.run.snapshot.trigger.actor === login;
