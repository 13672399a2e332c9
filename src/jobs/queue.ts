import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { CONTROL, DEAD, ISSUE, startBoss } from './boss.ts';
import { claimIssue } from './claim-issue.ts';
import type { Sql } from './database.ts';
import { type IssueLoop, startIssueLoop } from './issue-loop.ts';
import type { OpenDatabase } from './open-database.ts';

/** What waits for a worker: an issue with something to act on, or one inbox entry that may not wait behind a run. */
export interface IssueJob {
  version: 1;
  issue: string;
}
export interface ControlJob {
  version: 1;
  entry: string;
}

export interface QueueSettings {
  /** Runs at once in this process. */
  concurrency: number;
  /** Runs at once on one repository, over all processes. */
  perRepository: number;
  /** Runs at once on the repositories of one installation, over all processes. */
  perInstallation: number;
}

export interface QueuedIssue {
  issue: string;
  repositoryId: string;
  /** A person's command goes before automatic triggers. */
  urgent: boolean;
  delaySeconds?: number;
}

export interface HeldJob {
  id: string;
  /** Aborted when this process no longer holds the job. */
  signal: AbortSignal;
  /** Number of attempts before this one. */
  retries: number;
  /** Since it was put into the queue. */
  waitedSeconds: number;
}

export interface Queue {
  /** Within the transaction of `sql`. Nothing happens where a job for the issue waits or runs already. */
  sendIssue(sql: Sql, job: QueuedIssue): Promise<void>;
  /** A job for the issue that waits for a pause to end waits no longer. */
  wake(sql: Sql, issue: string): Promise<void>;
  sendControl(sql: Sql, entry: string): Promise<void>;
  /** Marks a held job as done, within the transaction of `sql`. */
  complete(sql: Sql, job: HeldJob): Promise<void>;
  work(handlers: QueueHandlers): Promise<void>;
  /** Takes no further jobs but stops; those that run go on. */
  pause(): Promise<void>;
  /** Notices on `channel`, and once after each time that notices may have been missed. */
  listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<void>;
  depth(): Promise<QueueDepth>;
  /** True while a job for the issue waits or runs. */
  holds(sql: Sql, issue: string): Promise<boolean>;
  stop(): Promise<void>;
}

export interface QueueDepth {
  waiting: number;
  running: number;
  /** Of the one that waits longest. */
  oldestSeconds: number;
  dead: number;
}

export interface QueueHandlers {
  issue(issue: string, job: HeldJob): Promise<void>;
  control(entry: string): Promise<void>;
  /** The issue's job failed for good; `reason` is what pg-boss kept of the last error. */
  dead(issue: string, reason: unknown): Promise<void>;
}

/** Channel on which processes hear that a job came in, or that one ended and left room. */
const CHANNEL = 'fathom_queue';
/** Half a minute lies between two tries: a stop outlasts a day without the code host, which has to say who may. */
const CONTROL_RETRIES = 3000;
/** What still runs when the queue stops may take so long to come to its end. */
const STOP_SECONDS = 2;

/** pg-boss on the database. `onError` hears of what its background work could not do. */
export async function createQueue(
  database: OpenDatabase,
  settings: QueueSettings,
  onError: (error: unknown) => void,
): Promise<Queue> {
  return queueOn(await startBoss(database, onError), database, settings, onError);
}

function queueOn(
  boss: PgBoss,
  database: OpenDatabase,
  settings: QueueSettings,
  onError: (error: unknown) => void,
): Queue {
  const listening: ListenHandle[] = [];
  let loop: IssueLoop | undefined;
  const listen: Queue['listen'] = async (channel, onNotice, onGap) => {
    const handle = await boss.getDb().listen?.(channel, onNotice, onGap);
    if (handle) listening.push(handle);
  };
  return {
    sendIssue: async (sql, { issue, repositoryId, urgent, delaySeconds }) => {
      const data: IssueJob = { version: 1, issue };
      const place = { singletonKey: issue, group: { id: repositoryId }, priority: urgent ? 10 : 0 };
      const later = delaySeconds === undefined ? {} : { startAfter: delaySeconds };
      const sent = await boss.send(ISSUE, data, { ...place, ...later, db: onSql(sql) });
      if (sent === null && urgent) await wake(boss, sql, issue, { priority: place.priority });
      await tell(sql);
    },
    wake: async (sql, issue) => {
      await wake(boss, sql, issue, {});
      await tell(sql);
    },
    sendControl: async (sql, entry) => {
      const data: ControlJob = { version: 1, entry };
      await boss.send(CONTROL, data, { retryLimit: CONTROL_RETRIES, db: onSql(sql) });
    },
    complete: async (sql, job) => {
      await boss.complete(ISSUE, { id: job.id, retryCount: job.retries }, null, { db: onSql(sql) });
      await tell(sql);
    },
    work: async (handlers) => {
      loop = issueLoop(boss, database, settings, handlers, onError);
      await listen(CHANNEL, loop.wake, loop.wake);
      await workOthers(boss, handlers);
    },
    pause: async () => {
      loop?.pause();
      // A stop goes past the queue while what runs is given time, too.
      await boss.offWork(DEAD, { wait: false });
    },
    listen,
    depth: () => depthOf(database),
    holds: async (sql, issue) => {
      const rows = await sql.query(
        "SELECT id FROM pgboss.job WHERE name = $1 AND singleton_key = $2 AND state <= 'active' LIMIT 1",
        [ISSUE, issue],
      );
      return rows.length > 0;
    },
    stop: async () => {
      for (const handle of listening.splice(0)) await handle.close();
      await loop?.stop(STOP_SECONDS);
      await boss.stop({ graceful: true, timeout: STOP_SECONDS * 1000 });
    },
  };
}

const tell = (sql: Sql) => sql.query("SELECT pg_notify($1, '')", [CHANNEL]);

async function wake(boss: PgBoss, sql: Sql, issue: string, priority: { priority?: number }): Promise<void> {
  await boss.update(ISSUE, undefined, { singletonKey: issue, startAfter: new Date(), ...priority, db: onSql(sql) });
}

type ListenHandle = Awaited<ReturnType<NonNullable<ReturnType<PgBoss['getDb']>['listen']>>>;

const onSql = (sql: Sql) => ({
  executeSql: async (text: string, values?: unknown[]) => ({ rows: await sql.query(text, values) }),
});

function issueLoop(
  boss: PgBoss,
  database: OpenDatabase,
  settings: QueueSettings,
  handlers: QueueHandlers,
  onError: (error: unknown) => void,
): IssueLoop {
  return startIssueLoop({
    boss,
    queue: ISSUE,
    concurrency: settings.concurrency,
    heartbeat: database.kind !== 'embedded',
    claim: () => claimIssue(boss, database, ISSUE, settings),
    work: ({ id, issue, retryCount, waitedSeconds }, signal) =>
      handlers.issue(issue, { id, signal, retries: retryCount, waitedSeconds }),
    onError,
  });
}

async function workOthers(boss: PgBoss, handlers: QueueHandlers): Promise<void> {
  const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 2 };
  await boss.work<ControlJob>(CONTROL, { ...polling, localConcurrency: 4 }, async ([job]) => {
    if (job) await handlers.control(job.data.entry);
  });
  await boss.work(DEAD, { ...polling, includeMetadata: true }, async ([job]: JobWithMetadata<IssueJob>[]) => {
    if (job) await handlers.dead(job.data.issue, job.sourceOutput);
  });
}

async function depthOf(database: OpenDatabase): Promise<QueueDepth> {
  const [row] = await database.query<Record<keyof QueueDepth, string | number | null>>(
    `SELECT count(*) FILTER (WHERE name = $1 AND state < 'active') AS waiting,
       count(*) FILTER (WHERE name = $1 AND state = 'active') AS running,
       count(*) FILTER (WHERE name = $2 AND state < 'active') AS dead,
       extract(epoch FROM now() - min(created_on) FILTER (WHERE name = $1 AND state < 'active')) AS "oldestSeconds"
     FROM pgboss.job`,
    [ISSUE, DEAD],
  );
  const number = (key: keyof QueueDepth) => Number(row?.[key] ?? 0);
  return {
    waiting: number('waiting'),
    running: number('running'),
    dead: number('dead'),
    oldestSeconds: number('oldestSeconds'),
  };
}
