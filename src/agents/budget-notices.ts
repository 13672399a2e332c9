import type { Standing } from './stop-rules.ts';

type Budget = 'steps' | 'money' | 'time';

/** What is left of a budget, in words, once an agent should begin to finish. */
export interface LowBudget {
  budget: Budget;
  left: string;
}

const WRAP_UP_STEPS = 20;
const WRAP_UP_SECONDS = 600;
const WRAP_UP_SHARE = 0.15;

/** The budgets of which so little is left that the agent should be told. */
export function lowBudgets(now: Standing): LowBudget[] {
  const { steps, usd, seconds } = leftOf(now);
  const low: LowBudget[] = [];
  if (steps <= Math.min(WRAP_UP_STEPS, Math.ceil(now.limits.steps * WRAP_UP_SHARE)))
    low.push({ budget: 'steps', left: steps === 1 ? '1 reply' : `${steps} replies` });
  if (usd <= now.limits.usd * WRAP_UP_SHARE) low.push({ budget: 'money', left: `$${usd.toFixed(2)}` });
  if (seconds <= Math.min(WRAP_UP_SECONDS, now.limits.seconds * WRAP_UP_SHARE))
    low.push({ budget: 'time', left: `${Math.max(0, Math.round(seconds))} seconds` });
  return low;
}

/** What is left of each budget. */
export const leftOf = (now: Standing) => ({
  steps: now.limits.steps - now.steps,
  usd: now.limits.usd - now.usd,
  seconds: now.limits.seconds - now.seconds,
});
