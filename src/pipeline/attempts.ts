import { z } from 'zod';
import { Resolution } from '../domain/patch.ts';
import { Proof } from '../domain/proof.ts';
import type { AgentLimits } from '../domain/settings.ts';
import type { RunContext } from './run-context.ts';

/** One of several repairs of the same issue, with what was shown about it. */
export const Attempt = z.object({ resolution: Resolution, proof: Proof.optional() });
export type Attempt = z.infer<typeof Attempt>;

/** The context of one of `attempts`, which together may use what one alone may. */
export function contextOfAttempt(context: RunContext, attempts: number): RunContext {
  if (attempts === 1) return context;
  const { settings } = context;
  const { resolver } = settings.roles;
  const limits = share(resolver.limits, attempts);
  return { ...context, settings: { ...settings, roles: { ...settings.roles, resolver: { ...resolver, limits } } } };
}

/** A command's time and the sizes of the conversation are not shared. */
const share = (limits: AgentLimits, attempts: number): AgentLimits => ({
  ...limits,
  steps: Math.ceil(limits.steps / attempts),
  usd: limits.usd / attempts,
  seconds: limits.seconds / attempts,
});
