import type { Clock } from '#src/domain/ports/index.ts';

/** A clock that only the test moves. */
export interface TestClock extends Clock {
  /** Milliseconds of every sleep so far, in order. */
  readonly sleeps: number[];
  /** Moves the time on and wakes whoever has slept long enough. */
  advance(ms: number): void;
}

interface Sleeper {
  until: number;
  wake: () => void;
}

/**
 * A clock at `start` that stands still. Sleeps shorter than `skipBelowMs` move it on by themselves and end at once, so
 * that backoff needs no help while time limits stay pending.
 */
export function testClock(start = new Date('2026-01-01T00:00:00Z'), skipBelowMs = 0): TestClock {
  let elapsed = 0;
  const sleeps: number[] = [];
  const sleepers = new Set<Sleeper>();
  const advance = (ms: number) => {
    elapsed += ms;
    for (const sleeper of [...sleepers]) if (sleeper.until <= elapsed) sleeper.wake();
  };
  return {
    sleeps,
    advance,
    now: () => new Date(start.getTime() + elapsed),
    monotonic: () => elapsed,
    sleep: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        sleeps.push(ms);
        if (signal.aborted) return reject(signal.reason);
        if (ms < skipBelowMs) {
          advance(ms);
          return resolve();
        }
        const end = (settle: () => void) => {
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', onAbort);
          settle();
        };
        const onAbort = () => end(() => reject(signal.reason));
        const sleeper: Sleeper = { until: elapsed + ms, wake: () => end(resolve) };
        sleepers.add(sleeper);
        signal.addEventListener('abort', onAbort, { once: true });
      }),
  };
}
