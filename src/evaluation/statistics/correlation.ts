import type { Estimate } from './bootstrap.ts';

// The 0.975 quantile of the standard normal distribution.
const Z = 1.959963984540054;

/**
 * Pearson's r with its 95 % interval by Fisher's z, which is approximate where one side is a yes or no. Undefined for
 * fewer than four pairs or a side that never varies.
 */
export function correlation(pairs: [number, number][]): Estimate | undefined {
  const n = pairs.length;
  if (n < 4) return undefined;
  const meanOf = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / n;
  const [x, y] = [meanOf(0), meanOf(1)];
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (const [a, b] of pairs) {
    xy += (a - x) * (b - y);
    xx += (a - x) ** 2;
    yy += (b - y) ** 2;
  }
  if (xx === 0 || yy === 0) return undefined;
  const value = Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  const half = Z / Math.sqrt(n - 3);
  const [low, high] = [-half, half].map((shift) => Math.tanh(Math.atanh(value) + shift)) as [number, number];
  return { value, low, high, n };
}
