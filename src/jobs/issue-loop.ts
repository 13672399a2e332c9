import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { ClaimedJob } from './claim-issue.ts';

export interface IssueLoopParts {
  boss: PgBoss;
  queue: string;
  /** Jobs at once in this process. */
  concurrency: number;
  /** False where one process alone holds the database, so that nobody asks whether it still lives. */
  heartbeat: boolean;
  claim(): Promise<ClaimedJob | undefined>;
  /** Completes the job itself. `signal` is aborted when this process no longer holds it. */
  work(job: ClaimedJob, signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}

/** Takes jobs while there is room, each as soon as it may run. */
export interface IssueLoop {
  /** Something may have become free, or come in. */
  wake(): void;
  /** Takes no further jobs; those that run go on. */
  pause(): void;
  /** Waits so long for what runs, then gives it back for others to go on with. */
  stop(seconds: number): Promise<void>;
}

/** For retries whose time has come, notices that were missed, and jobs that the database did not take back yet. */
const POLL_MS = 1000;
const HEARTBEAT_MS = 2000;

export function startIssueLoop(parts: IssueLoopParts): IssueLoop {
  const held = new Map<string, { job: ClaimedJob; done: Promise<void> }>();
  let paused = false;
  let stopped = false;
  let taking: Promise<void> | undefined;
  let again = false;
  const wake = () => {
    again = true;
    taking ??= take().finally(() => {
      taking = undefined;
    });
  };
  async function take(): Promise<void> {
    while (again && !paused) {
      again = false;
      try {
        while (!paused && held.size < parts.concurrency) {
          const job = await parts.claim();
          if (job === undefined) break;
          hold(job);
        }
      } catch (error) {
        parts.onError(error);
      }
    }
  }
  function hold(job: ClaimedJob): void {
    const done = workOn(parts, job, () => stopped).finally(() => {
      held.delete(job.id);
      wake();
    });
    held.set(job.id, { job, done });
  }
  const timer = setInterval(wake, POLL_MS);
  const pause = () => {
    paused = true;
    clearInterval(timer);
  };
  wake();
  return {
    wake,
    pause,
    async stop(seconds) {
      pause();
      await taking;
      await atMost(seconds, Promise.all([...held.values()].map(({ done }) => done)));
      stopped = true;
      for (const { job } of held.values()) await giveBack(parts, job, new Error('the process that held it ended'));
    },
  };
}

async function workOn(parts: IssueLoopParts, job: ClaimedJob, isStopped: () => boolean): Promise<void> {
  const lost = new AbortController();
  const timer = parts.heartbeat ? setInterval(() => void beat(parts, job, lost), HEARTBEAT_MS) : undefined;
  try {
    await parts.work(job, lost.signal);
  } catch (error) {
    // A job that is not given back is nobody's, and keeps its repository's place until it expires.
    while (!(await giveBack(parts, job, error)) && !isStopped()) await delay(POLL_MS);
  } finally {
    clearInterval(timer);
  }
}

async function beat({ boss, queue, onError }: IssueLoopParts, job: ClaimedJob, lost: AbortController): Promise<void> {
  try {
    const touched = await boss.touch(queue, { id: job.id, retryCount: job.retryCount });
    if ((touched as { affected?: number }).affected === 0) lost.abort(new Error('another process holds the job'));
  } catch (error) {
    // A heartbeat that could not be told says nothing about who holds the job.
    onError(error);
  }
}

/** It is tried again after a pause, by whoever comes first, or goes to the dead letters. False where the database did not take that. */
async function giveBack({ boss, queue, onError }: IssueLoopParts, job: ClaimedJob, error: unknown): Promise<boolean> {
  const reason = error instanceof Error ? error : new Error(String(error));
  try {
    await boss.fail(queue, { id: job.id, retryCount: job.retryCount }, reason);
    return true;
  } catch (refused) {
    onError(refused);
    return false;
  }
}

async function atMost(seconds: number, work: Promise<unknown>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const limit = setTimeout(resolve, seconds * 1000);
  await Promise.race([work, over]);
  clearTimeout(limit);
}
