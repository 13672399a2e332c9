import type { Spent } from '../domain/usage.ts';

/** "1 question", "2 questions". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Seconds as people say them: "0.4 s", "52 s", "1 min 52 s", "2 h 3 min". */
export function duration(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** US dollars in cents: "$0.03", "under $0.01". */
export const money = (usd: number): string => (usd > 0 && usd < 0.01 ? 'under $0.01' : `$${usd.toFixed(2)}`);

/** "950 tokens", "41k tokens", "1.2M tokens". */
export function tokens(count: number): string {
  if (count < 1_000) return `${counted(count, 'token')}`;
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k tokens` : `${(count / 1_000_000).toFixed(1)}M tokens`;
}

/** What calls cost: "$0.03"; "over $0.03" where the price of some is unknown, undefined where that of all is. */
export function price({ usd, calls, unpriced }: Spent): string | undefined {
  if (unpriced === 0) return money(usd);
  return unpriced < calls ? `over ${money(usd)}` : undefined;
}

/** Tokens and money: "41k tokens, $0.03"; tokens alone where no price is known. */
export function spending(spent: Spent): string {
  const cost = price(spent);
  const used = tokens(spent.tokens.input + spent.tokens.output);
  return cost === undefined ? used : `${used}, ${cost}`;
}
