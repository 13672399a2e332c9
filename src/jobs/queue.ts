import { fromPglite, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Sql } from './database.ts';
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
  /** Takes no further jobs; those that run go on. */
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

const ISSUE = 'issue';
const CONTROL = 'control';
const DEAD = 'issue-dead';

/** Workers that do not answer for this long have lost their job; pg-boss allows no less. */
const HEARTBEAT_SECONDS = 10;
/** A restart costs a retry, so there are more than failures alone would need. */
const RETRIES = 12;
const DAY = 86_400;

const retries = { retryLimit: RETRIES, retryDelay: 1, retryBackoff: true, retryDelayMax: 30 };

/** pg-boss on the database. `onError` hears of what its background work could not do. */
export async function createQueue(
  database: OpenDatabase,
  settings: QueueSettings,
  onError: (error: unknown) => void,
): Promise<Queue> {
  const boss = bossOn(database);
  boss.on('error', onError);
  await boss.start();
  await declareQueues(boss, database.kind);
  // Known queues are kept in memory. Asked for inside a transaction, one that is not would wait for that transaction.
  for (const name of [ISSUE, CONTROL, DEAD]) await boss.findJobs(name, { limit: 1 });
  if (database.kind === 'embedded') await releaseOrphans(boss, database);
  return queueOn(boss, database, settings);
}

/** Queues that exist keep their policy; everything else is brought up to date. */
async function declareQueues(boss: PgBoss, kind: OpenDatabase['kind']): Promise<void> {
  // On the embedded database there is one process, and a heartbeat would only catch it when it is slow.
  const heartbeatSeconds = kind === 'embedded' ? null : HEARTBEAT_SECONDS;
  const dead = { retryLimit: 5, retryDelay: 5, retryBackoff: true };
  const issue = { deadLetter: DEAD, expireInSeconds: DAY, notify: true, ...retries };
  const control = { expireInSeconds: 600, notify: true, ...retries };
  await boss.createQueue(DEAD, dead);
  await boss.updateQueue(DEAD, dead);
  await boss.createQueue(ISSUE, { policy: 'exclusive', ...issue });
  await boss.updateQueue(ISSUE, { ...issue, heartbeatSeconds });
  await boss.createQueue(CONTROL, control);
  await boss.updateQueue(CONTROL, control);
}

function bossOn(database: OpenDatabase): PgBoss {
  const common = {
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    maintenanceIntervalSeconds: 300,
    useListenNotify: true,
    schedule: false,
  };
  return database.kind === 'embedded'
    ? new PgBoss({ db: fromPglite(database.lite), backend: 'pglite', ...common })
    : new PgBoss({ connectionString: database.connectionString, max: 5, application_name: 'fathom-queue', ...common });
}

/** One process at a time holds the embedded database, so whatever is active when it starts was left by a dead one. */
async function releaseOrphans(boss: PgBoss, database: OpenDatabase): Promise<void> {
  for (const name of [ISSUE, CONTROL, DEAD]) {
    const rows = await database.query<{ id: string }>(
      "SELECT id FROM pgboss.job WHERE name = $1 AND state = 'active'",
      [name],
    );
    if (rows.length > 0) await boss.fail(name, ids(rows), { message: 'the process that held it ended' });
  }
}

const ids = (rows: { id: string }[]): string[] => rows.map((row) => row.id);

function queueOn(boss: PgBoss, database: OpenDatabase, settings: QueueSettings): Queue {
  const listening: ListenHandle[] = [];
  return {
    sendIssue: async (sql, { issue, repositoryId, urgent, delaySeconds }) => {
      const data: IssueJob = { version: 1, issue };
      const place = { singletonKey: issue, group: { id: repositoryId }, priority: urgent ? 10 : 0 };
      const later = delaySeconds === undefined ? {} : { startAfter: delaySeconds };
      const sent = await boss.send(ISSUE, data, { ...place, ...later, db: onSql(sql) });
      if (sent === null && urgent) await wake(boss, sql, issue, { priority: place.priority });
    },
    wake: (sql, issue) => wake(boss, sql, issue, {}),
    sendControl: async (sql, entry) => {
      const data: ControlJob = { version: 1, entry };
      await boss.send(CONTROL, data, { db: onSql(sql) });
    },
    complete: async (sql, job) => {
      await boss.complete(ISSUE, { id: job.id, retryCount: job.retries }, null, { db: onSql(sql) });
    },
    work: (handlers) => startWork(boss, database.kind, settings, handlers),
    pause: async () => {
      for (const name of [ISSUE, CONTROL, DEAD]) await boss.offWork(name, { wait: false });
    },
    listen: async (channel, onNotice, onGap) => {
      const handle = await boss.getDb().listen?.(channel, onNotice, onGap);
      if (handle) listening.push(handle);
    },
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
      await boss.stop({ graceful: true, timeout: 2000 });
    },
  };
}

async function wake(boss: PgBoss, sql: Sql, issue: string, priority: { priority?: number }): Promise<void> {
  await boss.update(ISSUE, undefined, { singletonKey: issue, startAfter: new Date(), ...priority, db: onSql(sql) });
}

type ListenHandle = Awaited<ReturnType<NonNullable<ReturnType<PgBoss['getDb']>['listen']>>>;

const onSql = (sql: Sql) => ({
  executeSql: async (text: string, values?: unknown[]) => ({ rows: await sql.query(text, values) }),
});

async function startWork(
  boss: PgBoss,
  kind: OpenDatabase['kind'],
  settings: QueueSettings,
  handlers: QueueHandlers,
): Promise<void> {
  const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 2 };
  await boss.work<IssueJob>(
    ISSUE,
    {
      ...polling,
      localConcurrency: settings.concurrency,
      groupConcurrency: settings.perRepository,
      ...(kind === 'embedded' ? {} : { heartbeatRefreshSeconds: 2 }),
    },
    async ([job]) => {
      if (job) await handlers.issue(job.data.issue, { id: job.id, signal: job.signal, retries: job.retryCount });
    },
  );
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
