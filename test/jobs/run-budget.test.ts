import { describe, expect, it } from 'vitest';
import type { RunLedger } from '../../src/domain/ports/run-ledger.ts';
import { nothingSpent, type Spent } from '../../src/domain/usage.ts';
import { createRunBudget } from '../../src/jobs/run-budget.ts';

const dollars = (usd: number): Spent => ({ ...nothingSpent(), usd, calls: 1 });

function ledgerThatAdds(): RunLedger & { added: Spent[] } {
  const added: Spent[] = [];
  return {
    added,
    load: async () => undefined,
    save: async () => undefined,
    append: async () => undefined,
    spent: async () => nothingSpent(),
    addSpent: async (_run, spent) => {
      added.push(spent);
    },
  };
}

const limits = { usd: 6, unpricedTokens: 1000, agentUsd: () => 3 };

describe('the budget of a run', () => {
  it('parallel agents cannot pass the limit together, because what is reserved counts as spent', async () => {
    const budget = createRunBudget(limits, ledgerThatAdds(), nothingSpent());
    const asked = ['a', 'b', 'c', 'd'].map((agent) => budget.reserve('r', agent, { usd: 2, tokens: 1 }));
    const granted = (await Promise.all(asked)).map((one) => one.granted);
    expect(granted).toEqual([true, true, true, false]);
  });

  it('what was reserved and not spent can be spent by others', async () => {
    const budget = createRunBudget(limits, ledgerThatAdds(), nothingSpent());
    const first = await budget.reserve('r', 'a', { usd: 3, tokens: 1 });
    if (first.granted) await first.settle(dollars(1));
    expect((await budget.reserve('r', 'b', { usd: 3, tokens: 1 })).granted).toBe(true);
    expect(await budget.reserve('r', 'c', { usd: 3, tokens: 1 })).toEqual({ granted: false, budget: 'run' });
  });

  it('an agent has a limit of its own', async () => {
    const budget = createRunBudget(limits, ledgerThatAdds(), nothingSpent());
    expect(await budget.reserve('r', 'a', { usd: 3.5, tokens: 1 })).toEqual({ granted: false, budget: 'agent' });
  });

  it('money spent before a crash still counts afterwards', async () => {
    const budget = createRunBudget(limits, ledgerThatAdds(), dollars(5.5));
    expect(await budget.reserve('r', 'a', { usd: 1, tokens: 1 })).toEqual({ granted: false, budget: 'run' });
  });

  it('with an unknown price, tokens are the limit', async () => {
    const budget = createRunBudget(limits, ledgerThatAdds(), nothingSpent());
    const first = await budget.reserve('r', 'a', { usd: undefined, tokens: 600 });
    expect(first.granted).toBe(true);
    expect(await budget.reserve('r', 'b', { usd: undefined, tokens: 600 })).toEqual({ granted: false, budget: 'run' });
  });

  it('settling twice counts once', async () => {
    const ledger = ledgerThatAdds();
    const budget = createRunBudget(limits, ledger, nothingSpent());
    const first = await budget.reserve('r', 'a', { usd: 1, tokens: 1 });
    if (first.granted) {
      await first.settle(dollars(1));
      await first.settle(dollars(1));
    }
    expect(ledger.added).toHaveLength(1);
    expect((await budget.spent('r', 'a')).usd).toBe(1);
  });
});
