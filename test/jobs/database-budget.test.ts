import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultRunSettings } from '../../src/domain/default-settings.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';
import { nothingSpent, type Spent } from '../../src/domain/usage.ts';
import { createDatabaseBudget, type MonthLimits } from '../../src/jobs/database-budget.ts';
import { openDatabase } from '../../src/jobs/open-database.ts';
import { listRuns } from '../../src/jobs/runs.ts';
import { addSpending, installationScope, readSpending, repositoryScope, runScope } from '../../src/jobs/spending.ts';
import { onBothDatabases, onPostgres, type TestDatabase } from './support/databases.ts';
import { labeled } from './support/entries.ts';
import { postgresPrograms } from './support/postgres.ts';
import { noLimit, testWorker, until } from './support/worker.ts';

const at = new Date('2026-12-17T10:00:00Z');
const clock: Clock = { now: () => at, monotonic: () => 0, sleep: async () => undefined };
const settings = { ...defaultRunSettings('model'), budgetUsd: 6, budgetTokens: 1000 };
const dollars = (usd: number): Spent => ({ ...nothingSpent(), usd, calls: 1 });
const usd = (amount: number) => ({ usd: amount, tokens: 10 });

const budgetOf = (database: TestDatabase, limits: Partial<MonthLimits> = {}, attempt = 1) =>
  createDatabaseBudget(
    database.get(),
    { repositoryId: '10', installationId: '77', attempt },
    settings,
    { repository: noLimit, installation: noLimit, ...limits },
    clock,
  );

describe('budgets in the database', () => {
  onBothDatabases((database) => {
    it('parallel agents cannot pass the run budget together', async () => {
      const budget = budgetOf(database);
      const agents = ['answerer-Q1', 'answerer-Q2', 'resolver', 'answerer-Q3', 'answerer-Q4'];
      const asked = await Promise.all(agents.map((agent) => budget.reserve('r', agent, usd(2))));
      expect(asked.filter((one) => one.granted)).toHaveLength(3);
      expect(asked.find((one) => !one.granted)).toEqual({ granted: false, budget: 'run' });
    });

    it('runs of one repository cannot pass its month together, and a refusal says when it starts anew', async () => {
      const budget = budgetOf(database, { repository: { usd: 5, unpricedTokens: 1e9 } });
      const asked = await Promise.all(['a', 'b', 'c', 'd'].map((run) => budget.reserve(run, 'resolver', usd(2))));
      expect(asked.filter((one) => one.granted)).toHaveLength(2);
      const refused = asked.find((one) => !one.granted);
      expect(refused).toEqual({ granted: false, budget: 'repository', resetsAt: '2027-01-01T00:00:00.000Z' });
    });

    it('what was reserved and not spent can be spent by others', async () => {
      const budget = budgetOf(database);
      const first = await budget.reserve('r', 'resolver', usd(3));
      if (first.granted) await first.settle(dollars(1));
      expect((await budget.reserve('r', 'resolver', usd(2))).granted).toBe(true);
      expect((await budget.reserve('r', 'answerer-Q1', usd(2))).granted).toBe(true);
      expect((await budget.reserve('r', 'answerer-Q2', usd(2))).granted).toBe(false);
    });

    it('settling twice counts once', async () => {
      const budget = budgetOf(database);
      const first = await budget.reserve('r', 'resolver', usd(3));
      if (first.granted) await Promise.all([first.settle(dollars(1)), first.settle(dollars(1))]);
      expect((await readSpending(database.get(), runScope('r'))).usd).toBe(1);
    });

    it('money that an earlier attempt spent counts for the run, but an agent that starts again has its own', async () => {
      const before = await budgetOf(database).reserve('r', 'answerer-Q1', usd(2));
      if (before.granted) await before.settle(dollars(1.5));
      const again = budgetOf(database, {}, 2);
      expect((await again.spent('r', 'answerer-Q1')).usd).toBe(0);
      expect((await again.reserve('r', 'answerer-Q1', usd(2))).granted).toBe(true);
      expect((await readSpending(database.get(), runScope('r'))).usd).toBe(1.5);
    });

    it('with an unknown price, tokens are the limit', async () => {
      const budget = budgetOf(database);
      const unknown = (tokens: number) => ({ usd: undefined, tokens });
      expect((await budget.reserve('r', 'resolver', unknown(600))).granted).toBe(true);
      expect(await budget.reserve('r', 'resolver', unknown(600))).toEqual({ granted: false, budget: 'run' });
    });

    it('what a run reserved and could not settle is free once it has ended', async () => {
      const made = await testWorker(database.get(), async (run, kept) => {
        await kept.budget.reserve(run.id, 'resolver', usd(2));
        return { kind: 'diagnosed' };
      });
      onTestFinished(() => made.stop());
      made.ports.months = { repository: { usd: 3, unpricedTokens: 1e9 }, installation: noLimit };
      await made.inbox.accept(labeled());
      await made.start();
      await until(async () => (await listRuns(database.get(), 1))[0]?.state === 'ended');
      await until(async () => (await made.ports.queue.depth()).running === 0);
      expect(await database.get().query('SELECT 1 FROM fathom.reservation')).toEqual([]);
    });

    it('a used-up month refuses a new run before it starts, with the date', async () => {
      const made = await testWorker(database.get(), async () => ({ kind: 'diagnosed' }));
      onTestFinished(() => made.stop());
      made.ports.clock = clock;
      made.ports.months = { repository: { usd: 5, unpricedTokens: 1e9 }, installation: noLimit };
      await addSpending(database.get(), [repositoryScope('10', at)], dollars(5));
      await made.inbox.accept(labeled());
      await made.start();
      await until(() => made.refused.length === 1);
      const resetsAt = '2027-01-01T00:00:00.000Z';
      expect(made.refused[0]?.refusal).toEqual({ kind: 'budget', budget: 'repository', resetsAt });
      expect(await listRuns(database.get(), 10)).toEqual([]);
    });
  });
});

describe.skipIf(postgresPrograms === undefined)('budgets of several processes on one PostgreSQL', () => {
  const database = onPostgres();

  it('are not passed together: what one has reserved the others cannot', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => openDatabase({ url: database.cluster().url, dataDir: '' })));
    onTestFinished(async () => {
      for (const one of opened) await one.close();
    });
    const budgets = opened.map((one) =>
      budgetOf({ get: () => one }, { installation: { usd: 10, unpricedTokens: 1e9 } }),
    );
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, index) => budgets[index % 3]?.reserve(`run ${index}`, 'resolver', usd(2))),
    );
    const granted = asked.filter((one) => one?.granted);
    expect(granted).toHaveLength(5);
    await Promise.all(granted.map((one) => one?.granted && one.settle(dollars(1))));
    const spent = await readSpending(database.get(), installationScope('77', at));
    expect([spent.usd, spent.calls]).toEqual([5, 5]);
    expect((await budgets[0]?.reserve('another run', 'resolver', usd(2)))?.granted).toBe(true);
  });
});
