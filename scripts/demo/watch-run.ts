import type { RunEnd } from '../../src/domain/ends.ts';
import { EnvironmentError } from '../../src/domain/errors.ts';
import type { RunEvent } from '../../src/domain/run-events.ts';
import { eventIn } from './run-events.ts';
import { createLiveStages } from './screen/live-stages.ts';
import type { Screen } from './screen/screen.ts';
import type { LogLine } from './start-fathom.ts';

const TAKEN_UP_SECONDS = 60;

/** A run as Fathom's log tells of it, shown while it goes on. */
export interface Watch {
  line(line: LogLine): void;
  events: RunEvent[];
  runs: Set<string>;
  done: Promise<RunEnd>;
  end(): void;
}

export function watchRun(screen: Screen): Watch {
  const stages = createLiveStages(screen);
  const events: RunEvent[] = [];
  const runs = new Set<string>();
  const { promise: done, resolve } = Promise.withResolvers<RunEnd>();
  return {
    events,
    runs,
    done,
    line(line) {
      const event = eventIn(line);
      if (event !== undefined) {
        events.push(event);
        runs.add(String(line['run']));
        stages.publish(event);
      }
      // What is said twice in the log is the end of the run, and the end of its telling; the second is waited for.
      if (line['msg'] === 'run ended' || line['msg'] === 'run paused') resolve(line['end'] as RunEnd);
      else if (isWarning(line)) stages.publish({ at: '', type: 'note', text: String(line['msg']) });
    },
    end: () => stages.end(),
  };
}

/** Pino's number for a warning is 40; what a recording no longer fits is told as one. */
const isWarning = (line: LogLine): boolean => Number(line['level']) >= 40;

/** A label that starts no run would be waited for without end. */
export function notTakenUp({ events }: Watch): Promise<never> {
  return new Promise((_, reject) => {
    const late = () => {
      if (events.length > 0) return;
      const remedy = 'Look at its log.';
      reject(new EnvironmentError('no-run', `Fathom took nothing up within ${TAKEN_UP_SECONDS} s`, remedy));
    };
    setTimeout(late, TAKEN_UP_SECONDS * 1000).unref();
  });
}
