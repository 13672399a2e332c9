import { expect, it } from 'vitest';
import { EnvironmentError, HandedOverError } from '#src/domain/errors.ts';
import { keepTrying, type Trying } from '#src/server/keep-trying.ts';
import { testClock } from '../fakes/test-clock.ts';

const away = new EnvironmentError('away', 'it cannot be reached', 'Start it.');

function trying(more: Partial<Trying> = {}) {
  const lines: [object, string][] = [];
  const log = { info: () => undefined, error: () => undefined, warn: (...line: [object, string]) => lines.push(line) };
  const clock = testClock(undefined, 3_600_000);
  const signal = new AbortController().signal;
  const all: Trying = {
    what: 'GitHub',
    passes: ({ code }) => code === 'away',
    log: log as never,
    clock,
    signal,
    ...more,
  };
  return { all, lines, clock };
}

it('what comes up later is reached, with pauses that grow to a minute and a line with the remedy for each', async () => {
  const { all, lines, clock } = trying();
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries <= 8) throw away;
    return 'there';
  };
  expect(await keepTrying(work, all)).toBe('there');
  expect(clock.sleeps.map((ms) => ms / 1000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(lines).toHaveLength(8);
  expect(lines[0]).toEqual([
    { reason: 'it cannot be reached', remedy: 'Start it.', seconds: 1 },
    'GitHub is not reached; it is tried again',
  ]);
});

it('what does not pass is said at once', async () => {
  const { all, lines } = trying();
  const final = new EnvironmentError('refused', 'who are you', 'Give a key.');
  await expect(keepTrying(() => Promise.reject(final), all)).rejects.toBe(final);
  expect(lines).toEqual([]);
});

it('who is stopped tries no more', async () => {
  const over = new AbortController();
  const { all, lines } = trying({ signal: over.signal, clock: testClock() });
  const waiting = keepTrying(() => Promise.reject(away), all);
  await Promise.resolve();
  over.abort(new HandedOverError('a restart'));
  await expect(waiting).rejects.toBeInstanceOf(HandedOverError);
  expect(lines.length).toBeLessThanOrEqual(1);
});
