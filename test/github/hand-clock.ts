import type { Clock } from '#src/domain/ports/clock.ts';

/** A clock that stands until it is told to go on; whoever sleeps wakes when its time is reached. */
export function handClock(): Clock & { advance(seconds: number): void; sleepers(): number } {
  let now = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => new Date(now),
    monotonic: () => now,
    sleepers: () => sleepers.size,
    advance(seconds) {
      now += seconds * 1000;
      for (const sleeper of [...sleepers]) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
  };
}
