/** Pearson's r; undefined for fewer than three pairs or a side that never varies. */
export function correlation(pairs: [number, number][]): number | undefined {
  const n = pairs.length;
  if (n < 3) return undefined;
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
  return xx === 0 || yy === 0 ? undefined : xy / Math.sqrt(xx * yy);
}
