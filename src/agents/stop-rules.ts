import type { AgentEnd } from '../domain/ends.ts';
import type { AgentLimits } from '../domain/settings.ts';

/** Where an agent stands before its next model call. */
export interface Standing {
  limits: AgentLimits;
  /** Model calls made so far. */
  steps: number;
  usd: number;
  seconds: number;
  /** Steps in a row in which nothing that the model asked for could be done. */
  formatErrors: number;
  formatErrorLimit: number;
}

export type StopRule = (standing: Standing) => AgentEnd | undefined;

const tooManyFormatErrors: StopRule = (now) => (now.formatErrors >= now.formatErrorLimit ? 'format-errors' : undefined);

const stepsUsedUp: StopRule = (now) => (now.steps >= now.limits.steps ? 'step-limit' : undefined);

const moneyUsedUp: StopRule = (now) => (now.usd >= now.limits.usd ? 'cost-limit' : undefined);

const timeUsedUp: StopRule = (now) => (now.seconds >= now.limits.seconds ? 'time-limit' : undefined);

/** Asked in this order before anything is spent. */
export const stopRules: StopRule[] = [tooManyFormatErrors, stepsUsedUp, moneyUsedUp, timeUsedUp];

/** The end that the first rule to apply gives, or undefined to go on. */
export function endBy(rules: StopRule[], standing: Standing): AgentEnd | undefined {
  for (const rule of rules) {
    const end = rule(standing);
    if (end !== undefined) return end;
  }
  return undefined;
}
