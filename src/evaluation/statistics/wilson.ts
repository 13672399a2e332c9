import type { Estimate } from './bootstrap.ts';

// The 0.975 quantile of the standard normal distribution.
const Z = 1.959963984540054;

/** A proportion with its 95 % Wilson score interval (Wilson 1927). Undefined for no trials. */
export function wilson(successes: number, trials: number): Estimate | undefined {
  if (trials === 0) return undefined;
  const share = successes / trials;
  const squared = Z * Z;
  const centre = (share + squared / (2 * trials)) / (1 + squared / trials);
  const half = (Z / (1 + squared / trials)) * Math.sqrt((share * (1 - share)) / trials + squared / (4 * trials ** 2));
  return { value: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half), n: trials };
}
