import { expect, it } from 'vitest';
import { NoTurn, PriorityTurns } from '#src/jobs/priority-turns.ts';

it('who can wait only so long goes before all who wait, and nobody at the same time', async () => {
  const turns = new PriorityTurns();
  const done: string[] = [];
  let inside = 0;
  const work = (name: string) => async () => {
    expect(++inside).toBe(1);
    await Promise.resolve();
    done.push(name);
    inside--;
  };
  await Promise.all([
    turns.take(work('first')),
    turns.take(work('patient 1')),
    turns.take(work('patient 2')),
    turns.take(work('hurried 1'), 5),
    turns.take(work('hurried 2'), 5),
  ]);
  expect(done).toEqual(['first', 'hurried 1', 'hurried 2', 'patient 1', 'patient 2']);
});

it('who waited in vain did nothing, and those behind go on', async () => {
  const turns = new PriorityTurns();
  const held = Promise.withResolvers<void>();
  const holding = turns.take(() => held.promise);
  let done = false;
  const late = turns.take(async () => {
    done = true;
  }, 0.01);
  const behind = turns.take(async () => 'behind');
  await expect(late).rejects.toThrow(NoTurn);
  held.resolve();
  await holding;
  expect(await behind).toBe('behind');
  expect(done).toBe(false);
});

it('a failure passes the turn on', async () => {
  const turns = new PriorityTurns();
  const failing = turns.take(() => Promise.reject(new Error('broken')));
  const next = turns.take(async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
});
