import type { JobsLog } from '../jobs/worker-ports.ts';

const SLOW_MS = 3000;

/** Says in the log what a start waits for, once, where that takes longer than a moment. */
export async function sayIfSlow<T>(log: JobsLog, what: string, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => log.info({}, `waiting for ${what}`), SLOW_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
