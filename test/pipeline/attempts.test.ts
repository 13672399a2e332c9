import { expect, it } from 'vitest';
import { contextOfAttempt } from '#src/pipeline/attempts.ts';
import { leapRepository } from '../cli/leap-repository.ts';
import { testRun } from './support/run-context.ts';

it('several attempts together may take what one alone may', () => {
  const { context } = testRun(leapRepository().repo, { title: 't', body: 'b' });
  const alone = context.settings.roles.resolver.limits;
  const { limits } = contextOfAttempt(context, 3).settings.roles.resolver;
  expect(limits).toEqual({
    ...alone,
    steps: Math.ceil(alone.steps / 3),
    usd: alone.usd / 3,
    seconds: alone.seconds / 3,
  });
  expect(contextOfAttempt(context, 1)).toBe(context);
  expect(context.settings.roles.resolver.limits).toEqual(alone);
});
