import { FathomError } from '../domain/errors.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { JobsLog } from '../jobs/worker-ports.ts';

export interface Trying {
  /** What is to be reached, as the log names it. */
  what: string;
  /** Whether another try may go better. */
  passes(error: FathomError): boolean;
  /** What whoever reads the log can do; the error's own when absent. */
  remedy?: string;
  log: JobsLog;
  clock: Clock;
  /** Ends the tries; its reason is what comes out. */
  signal: AbortSignal;
}

const FIRST_SECONDS = 1;
const MOST_SECONDS = 60;

/**
 * Tries until it works, after 1 second, then 2, 4 and so on, at last every minute, and logs a line for each time that it
 * did not. @throws what does not pass
 */
export async function keepTrying<T>(work: () => Promise<T>, trying: Trying): Promise<T> {
  const { what, clock, log, signal } = trying;
  for (let seconds = FIRST_SECONDS; ; seconds = Math.min(seconds * 2, MOST_SECONDS)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FathomError && trying.passes(error))) throw error;
      const { message: reason } = error;
      log.warn({ reason, remedy: trying.remedy ?? error.remedy, seconds }, `${what} is not reached; it is tried again`);
      await clock.sleep(seconds * 1000, signal);
    }
  }
}
