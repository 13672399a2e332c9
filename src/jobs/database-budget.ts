import { randomUUID } from 'node:crypto';
import type { BudgetLedger, Estimate, Reservation } from '../domain/ports/budget-ledger.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { RunSettings } from '../domain/settings.ts';
import type { Spent } from '../domain/usage.ts';
import type { Database, Sql } from './database.ts';
import {
  addSpending,
  agentScope,
  heldSpending,
  installationScope,
  lockSpending,
  monthEnd,
  readSpending,
  repositoryScope,
  runScope,
} from './spending.ts';

export interface Limit {
  usd: number;
  /** Tokens, in and out, of calls whose price is unknown. */
  unpricedTokens: number;
}

/** What may be spent in a calendar month (UTC). */
export interface MonthLimits {
  repository: Limit;
  installation: Limit;
}

export interface BudgetOwner {
  repositoryId: string;
  installationId: string;
  attempt: number;
}

type RefusedBy = Extract<Reservation, { granted: false }>['budget'];

interface Budget extends Limit {
  budget: RefusedBy;
  scope: string;
}

/**
 * The budgets of one attempt at a run, kept in the database: the agent's, the run's, its repository's and its
 * installation's month. Reservations count as spent until they are settled, over all processes.
 */
export function createDatabaseBudget(
  database: Database,
  owner: BudgetOwner,
  settings: RunSettings,
  limits: MonthLimits,
  clock: Clock,
): BudgetLedger {
  return {
    reserve: async (run, agent, estimate) => {
      const at = clock.now();
      const mine = runBudgets(run, agent, owner.attempt, settings);
      const budgets = [...mine, ...monthBudgets(owner, limits, at)];
      const id = randomUUID();
      const refused = await database.transaction((sql) => reserve(sql, { id, run, owner, budgets, estimate }));
      if (refused) return refusal(refused, at);
      return { granted: true, settle: (actual) => settle(database, id, budgets, actual) };
    },
    spent: (run, agent) => readSpending(database, agentScope(run, owner.attempt, agent)),
  };
}

/** The month's budget that is used up already, with the time at which it starts anew. */
export async function exhaustedMonth(
  sql: Sql,
  owner: Pick<BudgetOwner, 'repositoryId' | 'installationId'>,
  limits: MonthLimits,
  at: Date,
): Promise<Extract<Reservation, { granted: false }> | undefined> {
  const budgets = monthBudgets(owner, limits, at);
  const held = await heldSpending(sql, scopesOf(budgets));
  const used = budgets.find(({ scope, usd, unpricedTokens }) => {
    const spent = held.get(scope);
    return spent !== undefined && (spent.usd >= usd || spent.unpricedTokens >= unpricedTokens);
  });
  return used && refusal(used.budget, at);
}

function runBudgets(
  run: string,
  agent: string,
  attempt: number,
  { roles, budgetUsd, budgetTokens }: RunSettings,
): Budget[] {
  // An agent's name begins with its role: `answerer-Q1`.
  const role = Object.keys(roles).find((name) => agent.startsWith(name)) as keyof typeof roles | undefined;
  const agentUsd = role === undefined ? Number.POSITIVE_INFINITY : roles[role].limits.usd;
  return [
    // An interrupted agent starts again, and its budget with it; the run's goes on.
    {
      budget: 'agent',
      scope: agentScope(run, attempt, agent),
      usd: agentUsd,
      unpricedTokens: Number.POSITIVE_INFINITY,
    },
    { budget: 'run', scope: runScope(run), usd: budgetUsd, unpricedTokens: budgetTokens },
  ];
}

function monthBudgets(
  { repositoryId, installationId }: Pick<BudgetOwner, 'repositoryId' | 'installationId'>,
  limits: MonthLimits,
  at: Date,
): Budget[] {
  return [
    { budget: 'repository', scope: repositoryScope(repositoryId, at), ...limits.repository },
    { budget: 'installation', scope: installationScope(installationId, at), ...limits.installation },
  ];
}

const scopesOf = (budgets: Budget[]): string[] => budgets.map((budget) => budget.scope);

function refusal(budget: RefusedBy, at: Date): Extract<Reservation, { granted: false }> {
  const monthly = budget === 'repository' || budget === 'installation';
  return { granted: false, budget, ...(monthly ? { resetsAt: monthEnd(at) } : {}) };
}

interface Asked {
  id: string;
  run: string;
  owner: BudgetOwner;
  budgets: Budget[];
  estimate: Estimate;
}

/** Undefined when it is reserved, else whose budget does not have it. */
async function reserve(sql: Sql, { id, run, owner, budgets, estimate }: Asked): Promise<RefusedBy | undefined> {
  const scopes = scopesOf(budgets);
  await lockSpending(sql, scopes);
  const held = await heldSpending(sql, scopes);
  const usd = estimate.usd ?? 0;
  const tokens = estimate.usd === undefined ? estimate.tokens : 0;
  const short = budgets.find((budget) => {
    const spent = held.get(budget.scope) ?? { usd: 0, unpricedTokens: 0 };
    const tooManyTokens = tokens > 0 && spent.unpricedTokens + tokens > budget.unpricedTokens;
    return spent.usd + usd > budget.usd || tooManyTokens;
  });
  if (short) return short.budget;
  await sql.query(
    `INSERT INTO fathom.reservation (id, run, attempt, scopes, usd, tokens) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING`,
    [id, run, owner.attempt, scopes, usd, Math.ceil(tokens)],
  );
  return undefined;
}

/** What a call really cost counts even where a later attempt has given the reservation back meanwhile. */
async function settle(database: Database, id: string, budgets: Budget[], actual: Spent): Promise<void> {
  await database.transaction(async (sql) => {
    const known = await sql.query('INSERT INTO fathom.settled (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id', [
      id,
    ]);
    if (known.length === 0) return;
    await sql.query('DELETE FROM fathom.reservation WHERE id = $1', [id]);
    await addSpending(sql, scopesOf(budgets), actual);
  });
}
