import { z } from 'zod';
import type { TokenUsage } from '../domain/usage.ts';

const count = z.int().nonnegative().optional().catch(undefined);
const details = z.object({ cached_tokens: count, reasoning_tokens: count }).optional().catch(undefined);
const ReportedUsage = z.object({
  prompt_tokens: count,
  input_tokens: count,
  completion_tokens: count,
  output_tokens: count,
  total_tokens: count,
  prompt_cache_hit_tokens: count,
  prompt_tokens_details: details,
  input_tokens_details: details,
  completion_tokens_details: details,
  output_tokens_details: details,
});

/** Characters that went out and came in: what an estimate rests on where a server reports nothing. */
export interface ExchangedCharacters {
  sent: number;
  received: number;
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * Token usage as either API reports it. Some servers leave reasoning out of the output but not out of the total: then
 * the difference is output. What is not reported, or reported as nothing, is estimated, so that no budget is blind.
 */
export function readUsage(reported: unknown, characters: ExchangedCharacters): TokenUsage {
  const usage = ReportedUsage.catch({}).parse(reported);
  const input = usage.prompt_tokens || usage.input_tokens || tokensOf(characters.sent);
  const told = usage.completion_tokens || usage.output_tokens || tokensOf(characters.received);
  const output = Math.max(told, (usage.total_tokens ?? 0) - input);
  const cached =
    usage.prompt_tokens_details?.cached_tokens ??
    usage.input_tokens_details?.cached_tokens ??
    usage.prompt_cache_hit_tokens ??
    0;
  const reasoning =
    usage.completion_tokens_details?.reasoning_tokens ?? usage.output_tokens_details?.reasoning_tokens ?? 0;
  return { input, cached: Math.min(cached, input), output, reasoning: Math.min(reasoning, output) };
}

export const addUsage = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  input: a.input + b.input,
  cached: a.cached + b.cached,
  output: a.output + b.output,
  reasoning: a.reasoning + b.reasoning,
});

const tokensOf = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
