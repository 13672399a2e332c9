import { z } from 'zod';
import { InputError } from '../domain/errors.ts';
import { Stage } from '../domain/stage.ts';
import { nothingSpent, Spent } from '../domain/usage.ts';
import type { Database, Sql } from './database.ts';
import { modeOf } from './inbox-entries.ts';
import { lockIssue } from './issues.ts';
import type { Queue, QueueDepth } from './queue.ts';
import { findRun, listRuns, openRun, type RunRecord, reopenRun } from './runs.ts';
import { readSpending, runScope } from './spending.ts';
import { nextNumber, stopIssue } from './stops.ts';
import { type WaitingIssue, waitingIssues } from './waiting.ts';

/** One line of `fathom runs list`. Also what the admin socket speaks. */
export const RunSummary = z.object({
  id: z.string(),
  issue: z.string(),
  mode: z.string(),
  actor: z.string(),
  state: z.string(),
  end: z.string().optional(),
  detail: z.string().optional(),
  attempt: z.number(),
  worker: z.string().optional(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
  /** In the queue, from 1, while it waits. */
  position: z.number().optional(),
});
export type RunSummary = z.infer<typeof RunSummary>;

export const RunDetails = RunSummary.extend({
  title: z.string(),
  spent: Spent,
  finished: z.array(z.string()),
});
export type RunDetails = z.infer<typeof RunDetails>;

/** What an operator can do with the runs of this database. */
export interface Operations {
  list(limit: number): Promise<RunSummary[]>;
  /** @throws InputError when there is no such run; so do the others. */
  show(id: string): Promise<RunDetails>;
  stop(id: string): Promise<RunSummary>;
  /** Lets an ended run go on after its last finished stage. Refused where it has finished all of them. */
  retry(id: string): Promise<RunSummary>;
  depth(): Promise<QueueDepth>;
}

const OPERATOR = 'the operator';

export function createOperations(database: Database, queue: Queue): Operations {
  const find = async (id: string) => (await findRun(database, id)) ?? unknownRun(id);
  return {
    list: (limit) => list(database, limit),
    show: async (id) => (await findWaiting(database, id)) ?? detailsOf(database, await find(id)),
    stop: async (id) => {
      const waits = await findWaiting(database, id);
      if (waits !== undefined) return stopWaiting(database, queue, waits);
      const record = await find(id);
      if (record.state === 'ended') refuse(id, 'has ended already', 'Nothing is left to stop.');
      await database.transaction(async (sql) => {
        await stopIssue(sql, queue, { id: await nextNumber(sql), issue: record.issue.key, by: OPERATOR });
      });
      return summaryOf(record);
    },
    retry: async (id) => {
      const record = await find(id);
      await database.transaction(async (sql) => {
        await lockIssue(sql, record.issue.key);
        if (await openRun(sql, record.issue.key)) refuse(id, 'its issue has a run already', 'Wait for it, or stop it.');
        const done = await doneAlready(sql, record);
        if (done !== undefined) refuse(id, done, 'Nothing is left to do. `/fathom retry` on the issue starts anew.');
        await reopenRun(sql, id, await nextNumber(sql));
        const { key, repositoryId } = record.issue;
        await queue.sendIssue(sql, { issue: key, repositoryId, urgent: true });
      });
      return summaryOf(await find(id));
    },
    depth: () => queue.depth(),
  };
}

/** What an ended run came to after its last stage; undefined where a stage is left for another attempt. */
async function doneAlready(sql: Sql, { id, endKind, endText }: RunRecord): Promise<string | undefined> {
  if (endKind === 'diagnosed') return 'has diagnosed its issue';
  if (endKind === 'proposed') return `has proposed ${endText === undefined ? 'its change' : `pull request ${endText}`}`;
  const [kept] = await sql.query("SELECT 1 FROM fathom.artefact WHERE run = $1 AND key = 'propose'", [id]);
  return kept === undefined ? undefined : 'has come to its last stage';
}

/** What waits for its first turn comes before the newest runs, in the order of the queue. */
async function list(database: Database, limit: number): Promise<RunSummary[]> {
  const waiting = await waitingIssues(database, limit, true);
  const positions = new Map(waiting.map((one) => [one.issue.key, one.position]));
  const records = (await listRuns(database, limit)).map((record) => {
    const position = record.state === 'running' ? positions.get(record.issue.key) : undefined;
    return position === undefined ? summaryOf(record) : { ...summaryOf(record), position };
  });
  return [...waiting.flatMap(summaryOfWaiting), ...records].slice(0, limit);
}

type WaitingDetails = RunDetails & { key: string };

async function findWaiting(database: Database, id: string): Promise<WaitingDetails | undefined> {
  const found = (await waitingIssues(database, MOST_WAITING, true)).find(({ run }) => run === id);
  const [summary] = found === undefined ? [] : summaryOfWaiting(found);
  if (found?.request === undefined || summary === undefined) return undefined;
  const { title } = found.request.entry.issue;
  return { ...summary, title, spent: nothingSpent(), finished: [], key: found.issue.key };
}

const MOST_WAITING = 10_000;

async function stopWaiting(database: Database, queue: Queue, { key, ...waits }: WaitingDetails): Promise<RunSummary> {
  await database.transaction(async (sql) => {
    await stopIssue(sql, queue, { id: await nextNumber(sql), issue: key, by: OPERATOR });
  });
  return waits;
}

function summaryOfWaiting({ issue, position, request, run, since }: WaitingIssue): RunSummary[] {
  if (request === undefined || run === undefined) return [];
  return [
    {
      id: run,
      issue: `${issue.owner}/${issue.repo}#${issue.number}`,
      mode: modeOf(request.entry, undefined),
      actor: request.entry.actor.login,
      state: 'waiting',
      attempt: 0,
      createdAt: since.toISOString(),
      position,
    },
  ];
}

function unknownRun(id: string): never {
  return refuse(id, 'is no run of this database', '`fathom runs list` names them.');
}

function refuse(id: string, message: string, remedy: string): never {
  throw new InputError([{ source: `run ${id}`, message, remedy }]);
}

function summaryOf(record: RunRecord): RunSummary {
  const { issue, run } = record;
  return {
    id: record.id,
    issue: `${issue.owner}/${issue.repo}#${issue.number}`,
    mode: run.mode,
    actor: run.snapshot.trigger.actor,
    state: record.state,
    attempt: record.attempt,
    createdAt: record.createdAt.toISOString(),
    ...(record.endKind === undefined ? {} : { end: record.endKind }),
    ...(record.endText === undefined ? {} : { detail: record.endText }),
    ...(record.worker === undefined ? {} : { worker: record.worker }),
    ...(record.endedAt === undefined ? {} : { endedAt: record.endedAt.toISOString() }),
  };
}

async function detailsOf(database: Database, record: RunRecord): Promise<RunDetails> {
  const kept = await database.query<{ key: string }>('SELECT key FROM fathom.artefact WHERE run = $1', [record.id]);
  const keys = new Set(kept.map((row) => row.key));
  return {
    ...summaryOf(record),
    title: record.run.snapshot.title,
    spent: await readSpending(database, runScope(record.id)),
    finished: Stage.options.filter((stage) => keys.has(stage)),
  };
}
