import type { JobsLog } from '../jobs/worker-ports.ts';

/** After all was closed, something may still hold the process; nothing of it is worth waiting for. */
const LEAVE_MS = 1000;

export interface Stoppable {
  /** Resolves when everything works, or when it was stopped before. */
  working: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts, and on SIGTERM or SIGINT stops in good order, even before everything works. A second signal leaves at once: the
 * next start goes on with what was left. @throws what keeps it from working
 */
export async function runUntilStopped(start: () => Promise<Stoppable>, log: JobsLog): Promise<void> {
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
  await app.working;
}
