import type { Spent } from '../usage.ts';

/** What a call may cost at most: US dollars where the price is known, and tokens in any case. */
export interface Estimate {
  usd: number | undefined;
  tokens: number;
}

export type Reservation =
  | { granted: true; settle(actual: Spent): Promise<void> }
  /** `resetsAt` is set where the refusing budget is a month's. */
  | { granted: false; budget: 'agent' | 'run' | 'repository' | 'installation'; resetsAt?: string };

/** Budgets: reserve before a call, settle after it; atomic over parallel agents. Settle with nothing to give back. */
export interface BudgetLedger {
  reserve(run: string, agent: string, estimate: Estimate): Promise<Reservation>;
  spent(run: string, agent: string): Promise<Spent>;
}
