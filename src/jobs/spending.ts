import { nothingSpent, type Spent } from '../domain/usage.ts';
import type { Sql } from './database.ts';

/** Whom money is counted for. Months are those of the calendar, in UTC. */
export const runScope = (run: string): string => `run:${run}`;
export const agentScope = (run: string, attempt: number, agent: string): string => `agent:${run}:${attempt}:${agent}`;
export const repositoryScope = (id: string, at: Date): string => `repository:${id}:${monthOf(at)}`;
export const installationScope = (id: string, at: Date): string => `installation:${id}:${monthOf(at)}`;

const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** When the budgets of the month of `at` start anew. */
export const monthEnd = (at: Date): string =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)).toISOString();

export interface Spending {
  usd: number;
  /** Tokens, in and out, of calls whose price is unknown. */
  unpricedTokens: number;
}

/** What was spent for each scope, reservations included. */
export async function heldSpending(sql: Sql, scopes: string[]): Promise<Map<string, Spending>> {
  const rows = await sql.query<{ scope: string; usd: number; tokens: string | number }>(
    `SELECT s.scope, s.usd + coalesce(sum(r.usd), 0) AS usd, s.unpriced_tokens + coalesce(sum(r.tokens), 0) AS tokens
     FROM fathom.spending s LEFT JOIN fathom.reservation r ON r.scopes @> ARRAY[s.scope]
     WHERE s.scope = ANY ($1::text[]) GROUP BY s.scope`,
    [scopes],
  );
  return new Map(rows.map((row) => [row.scope, { usd: Number(row.usd), unpricedTokens: Number(row.tokens) }]));
}

export async function readSpending(sql: Sql, scope: string): Promise<Spent> {
  const [row] = await sql.query<Record<string, string | number>>('SELECT * FROM fathom.spending WHERE scope = $1', [
    scope,
  ]);
  if (row === undefined) return nothingSpent();
  const number = (column: string) => Number(row[column]);
  const tokens = {
    input: number('input'),
    cached: number('cached'),
    output: number('output'),
    reasoning: number('reasoning'),
  };
  return { tokens, usd: number('usd'), calls: number('calls'), unpriced: number('unpriced') };
}

/** Adds to each scope. Locks them in one order, so that two writers never wait for each other. */
export async function addSpending(sql: Sql, scopes: string[], spent: Spent): Promise<void> {
  const { tokens } = spent;
  await sql.query(
    `INSERT INTO fathom.spending AS s
       (scope, usd, input, cached, output, reasoning, calls, unpriced, unpriced_tokens)
     SELECT scope, $2::float8, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::int, $8::int, $9::bigint
     FROM unnest($1::text[]) AS scope ORDER BY scope
     ON CONFLICT (scope) DO UPDATE SET usd = s.usd + excluded.usd, input = s.input + excluded.input,
       cached = s.cached + excluded.cached, output = s.output + excluded.output,
       reasoning = s.reasoning + excluded.reasoning, calls = s.calls + excluded.calls,
       unpriced = s.unpriced + excluded.unpriced, unpriced_tokens = s.unpriced_tokens + excluded.unpriced_tokens`,
    [
      scopes,
      spent.usd,
      tokens.input,
      tokens.cached,
      tokens.output,
      tokens.reasoning,
      spent.calls,
      spent.unpriced,
      spent.unpriced > 0 ? tokens.input + tokens.output : 0,
    ],
  );
}

/** Makes the scopes' rows where they are missing, and locks them until the transaction ends. */
export async function lockSpending(sql: Sql, scopes: string[]): Promise<void> {
  await addSpending(sql, scopes, nothingSpent());
}
