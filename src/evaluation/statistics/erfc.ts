/**
 * The complementary error function for x ≥ 0, to about 14 digits: a series where it converges fast, a continued
 * fraction (Lentz) in the tail, where p-values live (Abramowitz and Stegun 7.1.6 and 7.1.14).
 */
export function erfc(x: number): number {
  if (x === 0) return 1;
  return x < 2.5 ? 1 - series(x) : fraction(x);
}

function series(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

function fraction(x: number): number {
  let below = x;
  for (let n = 120; n >= 1; n--) below = x + n / 2 / below;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / below;
}
