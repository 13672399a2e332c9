import type { Writable } from 'node:stream';
import type { Publisher } from '../domain/ports/publisher.ts';
import { describeEvent } from '../report/describe-event.ts';

/** Shows a run's events as lines, as they happen. On standard error, so that standard output is the result alone. */
export function createTerminalPublisher(output: Writable): Publisher {
  return {
    publish: (_run, event) => {
      // How a run failed or was stopped is said at the end, with what to do about it.
      const isTrouble = event.type === 'run-finished' && ['failed', 'stopped'].includes(event.end.kind);
      const line = isTrouble ? undefined : describeEvent(event);
      if (line !== undefined) output.write(`${line}\n`);
    },
    flush: async () => undefined,
  };
}
