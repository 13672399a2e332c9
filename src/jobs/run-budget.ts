import type { BudgetLedger, Estimate, Reservation } from '../domain/ports/budget-ledger.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import { addSpent, nothingSpent, type Spent } from '../domain/usage.ts';

export interface RunBudgetLimits {
  usd: number;
  /** Tokens of calls whose price is unknown, in and out. */
  unpricedTokens: number;
  /** US dollars of one agent; Infinity where it has no limit of its own. */
  agentUsd(agent: string): number;
}

/**
 * The budget of one run in one process. Reservations count as spent until they are settled, so parallel agents cannot
 * pass the limit together. `before` is what earlier attempts of the same run spent.
 */
export function createRunBudget(limits: RunBudgetLimits, ledger: RunLedger, before: Spent): BudgetLedger {
  let run = before;
  let reservedUsd = 0;
  let reservedTokens = 0;
  const agents = new Map<string, Spent>();
  const agentSpent = (agent: string) => agents.get(agent) ?? nothingSpent();

  const settle = async (id: string, agent: string, estimate: Estimate, actual: Spent) => {
    reservedUsd -= estimate.usd ?? 0;
    reservedTokens -= estimate.usd === undefined ? estimate.tokens : 0;
    run = addSpent(run, actual);
    agents.set(agent, addSpent(agentSpent(agent), actual));
    await ledger.addSpent(id, actual);
  };
  const refusal = (agent: string, estimate: Estimate): 'agent' | 'run' | undefined => {
    const usd = estimate.usd ?? 0;
    if (agentSpent(agent).usd + usd > limits.agentUsd(agent)) return 'agent';
    if (run.usd + reservedUsd + usd > limits.usd) return 'run';
    const tokens = estimate.usd === undefined ? estimate.tokens : 0;
    if (tokens > 0 && unpricedTokens(run) + reservedTokens + tokens > limits.unpricedTokens) return 'run';
    return undefined;
  };
  return {
    reserve: async (id, agent, estimate): Promise<Reservation> => {
      const budget = refusal(agent, estimate);
      if (budget) return { granted: false, budget };
      reservedUsd += estimate.usd ?? 0;
      reservedTokens += estimate.usd === undefined ? estimate.tokens : 0;
      let settled = false;
      return {
        granted: true,
        settle: async (actual) => {
          if (settled) return;
          settled = true;
          await settle(id, agent, estimate, actual);
        },
      };
    },
    spent: async (_id, agent) => agentSpent(agent),
  };
}

/** Calls with and without a price are not told apart in a sum, so one unpriced call makes all tokens count. */
const unpricedTokens = (spent: Spent): number => (spent.unpriced > 0 ? spent.tokens.input + spent.tokens.output : 0);
