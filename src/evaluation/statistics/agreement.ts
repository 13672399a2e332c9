/**
 * Krippendorff's alpha for interval data: how far repetitions of the same judgement agree, 1 for fully, 0 for as much as
 * by chance. `items` are the repeated values of each judged thing; undefined where nothing varies or nothing repeats.
 */
export function agreement(items: number[][]): number | undefined {
  const repeated = items.filter((values) => values.length > 1);
  const all = repeated.flat();
  const expected = meanSquaredDifference(all);
  if (expected === undefined || expected === 0) return undefined;
  let observed = 0;
  for (const values of repeated) observed += (meanSquaredDifference(values) as number) * values.length;
  return 1 - observed / all.length / expected;
}

/** Over all pairs of two different values; from sums, so that it stays linear. */
function meanSquaredDifference(values: number[]): number | undefined {
  const n = values.length;
  if (n < 2) return undefined;
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  return Math.max(0, (2 * (n * squares - sum * sum)) / (n * (n - 1)));
}
