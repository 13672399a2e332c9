import { z } from 'zod';

/** Tokens of one or more model calls. `cached` is part of `input`; `reasoning` is part of `output`. */
export const TokenUsage = z.object({
  input: z.int().nonnegative(),
  cached: z.int().nonnegative(),
  output: z.int().nonnegative(),
  reasoning: z.int().nonnegative(),
});
export type TokenUsage = z.infer<typeof TokenUsage>;

/** What was spent. `usd` counts only calls with a known price; `unpriced` counts the others. */
export const Spent = z.object({ tokens: TokenUsage, usd: z.number(), calls: z.int(), unpriced: z.int() });
export type Spent = z.infer<typeof Spent>;

export const nothingSpent = (): Spent => ({
  tokens: { input: 0, cached: 0, output: 0, reasoning: 0 },
  usd: 0,
  calls: 0,
  unpriced: 0,
});

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    tokens: {
      input: a.tokens.input + b.tokens.input,
      cached: a.tokens.cached + b.tokens.cached,
      output: a.tokens.output + b.tokens.output,
      reasoning: a.tokens.reasoning + b.tokens.reasoning,
    },
    usd: a.usd + b.usd,
    calls: a.calls + b.calls,
    unpriced: a.unpriced + b.unpriced,
  };
}
