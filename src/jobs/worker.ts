import { setTimeout as delay } from 'node:timers/promises';
import { actOnIssue } from './act-on-issue.ts';
import { actOnControl } from './control.ts';
import { giveUp } from './give-up.ts';
import { STOP_CHANNEL } from './stops.ts';
import type { WorkerPorts } from './worker-ports.ts';

export interface Worker {
  /**
   * Takes no further jobs, waits so long for runs to end, then lets go of those that have not: another process, or the
   * next start of this one, goes on with them.
   */
  drain(seconds: number): Promise<void>;
}

/** In case a notice was missed, stops are looked for this often as well. */
const RECHECK_MS = 2000;
/** What a run that was let go may take to remove its containers. */
const LET_GO_SECONDS = 10;

/** Starts to take jobs from the queue. */
export async function startWorker(ports: WorkerPorts): Promise<Worker> {
  const { active, queue, log } = ports;
  const recheck = (issue?: string) => {
    active.recheck(issue).catch((err) => log.error({ err }, 'could not look for stops'));
  };
  await queue.listen(STOP_CHANNEL, recheck, () => recheck());
  const timer = setInterval(() => active.ids().length > 0 && recheck(), RECHECK_MS);
  await queue.work({
    issue: (issue, job) => logged(ports, { issue }, () => actOnIssue(ports, issue, job)),
    control: (entry) => logged(ports, { entry }, () => actOnControl(ports, entry)),
    dead: (issue, reason) => logged(ports, { issue }, () => giveUp(ports, issue, reason)),
  });
  return {
    async drain(seconds) {
      await queue.pause();
      await atMost(seconds, active.idle());
      active.handOver();
      await atMost(LET_GO_SECONDS, active.idle());
      clearInterval(timer);
    },
  };
}

async function logged(ports: WorkerPorts, about: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (err) {
    ports.log.warn({ ...about, err }, 'job interrupted; it will be tried again');
    throw err;
  }
}

async function atMost(seconds: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const limit = delay(seconds * 1000, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, limit]);
  over.abort();
}
