import { calcPrice } from '@pydantic/genai-prices';
import type { Clock } from '../domain/ports/clock.ts';
import type { TokenUsage } from '../domain/usage.ts';

/** US dollars per million tokens. Cached input costs as much as other input where `cached` is absent. */
interface Price {
  input: number;
  cached?: number;
  output: number;
}

/** Prices by the exact name of a model. */
export type PriceTable = Readonly<Record<string, Price>>;

export type PriceOf = (model: string, usage: TokenUsage) => number | undefined;

/**
 * US dollars of a usage: by `table` where it names the model, else by the data that ships with genai-prices, for the
 * provider at `address` or, behind an address that it does not know, by the name of the model. Undefined where neither
 * knows the model.
 */
export function priceList(table: PriceTable, address: string, clock: Pick<Clock, 'now'>): PriceOf {
  return (model, { input, output, ...usage }) => {
    const cached = Math.min(usage.cached, input);
    const own = Object.hasOwn(table, model) ? table[model] : undefined;
    if (own !== undefined) return priced(own, { input, cached, output });
    const tokens = { input_tokens: input, cache_read_tokens: cached, output_tokens: output };
    const timestamp = clock.now();
    const known =
      calcPrice(tokens, model, { providerApiUrl: address, timestamp }) ?? calcPrice(tokens, model, { timestamp });
    return known?.total_price;
  };
}

function priced(price: Price, usage: Omit<TokenUsage, 'reasoning'>): number {
  const fresh = usage.input - usage.cached;
  return (fresh * price.input + usage.cached * (price.cached ?? price.input) + usage.output * price.output) / 1e6;
}
