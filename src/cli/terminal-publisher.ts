import type { Writable } from 'node:stream';
import type { Publisher } from '../domain/ports/publisher.ts';
import { describeEvent } from '../report/describe-event.ts';

/**
 * Shows a run's events as lines, as they happen. On standard error, so that standard output is the result alone. The
 * heading waits for the first stage: only then is the repository known to be one, with the commit that was asked for.
 */
export function createTerminalPublisher(output: Writable): Publisher {
  let heading: string | undefined;
  const write = (line: string) => output.write(`${line}\n`);
  return {
    publish: (_run, event) => {
      if (event.type === 'run-started') {
        heading = describeEvent(event);
        return;
      }
      const isOfStage = event.type === 'stage-started' || event.type === 'stage-finished';
      if (isOfStage && heading !== undefined) {
        write(heading);
        heading = undefined;
      }
      // How a run failed or was stopped is said at the end, with what to do about it.
      const isTrouble = event.type === 'run-finished' && ['failed', 'stopped'].includes(event.end.kind);
      const line = isTrouble ? undefined : describeEvent(event);
      if (line !== undefined) write(line);
    },
    flush: async () => undefined,
  };
}
