import { CancelledError } from '../domain/errors.ts';
import { exitCodes } from './exit-codes.ts';

/**
 * A signal that Ctrl-C and SIGTERM abort. The second Ctrl-C leaves at once; what it leaves behind is swept by the next
 * run. Call `release` when nothing is left to stop.
 */
export function stopOnSignals(tell: (line: string) => void): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = (by: string) => () => {
    if (controller.signal.aborted) process.exit(exitCodes.stopped);
    tell('Stopping: containers are removed, what was finished is kept …');
    controller.abort(new CancelledError(by));
  };
  const interrupt = stop('Ctrl-C');
  const terminate = stop('a request to end the process');
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', terminate);
  return {
    signal: controller.signal,
    release: () => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', terminate);
    },
  };
}
