import type { JobsLog } from '../jobs/worker-ports.ts';

/** After all was closed, something may still hold the process; nothing of it is worth waiting for. */
const LEAVE_MS = 1000;

/**
 * Starts, and on SIGTERM or SIGINT stops in good order. A second signal leaves at once: the next start goes on with
 * what was left.
 */
export async function runUntilStopped(start: () => Promise<{ stop(): Promise<void> }>, log: JobsLog): Promise<void> {
  const app = await start();
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    app
      .stop()
      .then(() => log.info({}, 'stopped'))
      .catch((err) => log.error({ err }, 'did not stop in good order'))
      .finally(() => setTimeout(() => process.exit(), LEAVE_MS).unref());
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
