import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { bootstrapMean, pairedBootstrap, quantile } from '#src/evaluation/statistics/bootstrap.ts';
import { correlation } from '#src/evaluation/statistics/correlation.ts';
import { erfc } from '#src/evaluation/statistics/erfc.ts';
import { holm } from '#src/evaluation/statistics/holm.ts';
import { mcnemar } from '#src/evaluation/statistics/mcnemar.ts';
import { seededRandom } from '#src/evaluation/statistics/seeded-random.ts';
import { wilson } from '#src/evaluation/statistics/wilson.ts';

const outcomes = (gained: number, lost: number, both: number, neither: number) => [
  ...Array.from({ length: gained }, () => ({ control: false, treatment: true })),
  ...Array.from({ length: lost }, () => ({ control: true, treatment: false })),
  ...Array.from({ length: both }, () => ({ control: true, treatment: true })),
  ...Array.from({ length: neither }, () => ({ control: false, treatment: false })),
];

describe("McNemar's test", () => {
  it('equals the hand-calculated one: 44 gained and 22 lost give chi-square 441/66', () => {
    const { statistic, p } = mcnemar(outcomes(44, 22, 300, 134));
    expect(statistic).toBeCloseTo(441 / 66, 12);
    // Twice the upper tail of the normal distribution at sqrt(441/66) = 2.58492.
    expect(p).toBeCloseTo(0.0097399, 6);
  });

  it('is 1 without a discordant pair, and with as many gained as lost', () => {
    expect(mcnemar(outcomes(0, 0, 5, 5)).p).toBe(1);
    expect(mcnemar(outcomes(3, 3, 0, 0))).toMatchObject({ statistic: 0, p: 1 });
    expect(mcnemar(outcomes(1, 0, 0, 0)).p).toBe(1);
  });

  it('equals a second implementation that integrates the density', () => {
    const random = seededRandom(3);
    for (let round = 0; round < 40; round++) {
      const [gained, lost] = [Math.floor(random() * 40), Math.floor(random() * 40)];
      const { p, statistic } = mcnemar(outcomes(gained, lost, 1, 1));
      expect(p).toBeCloseTo(upperTail(Math.sqrt(statistic)), 7);
    }
  });
});

describe("Holm's adjustment", () => {
  it('equals the hand-calculated one', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([0.7, 0.6])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });

  it('equals a second implementation by its definition on random values', () => {
    const random = seededRandom(4);
    for (let round = 0; round < 200; round++) {
      const ps = Array.from({ length: 1 + Math.floor(random() * 8) }, () => random() ** 3);
      holm(ps).forEach((adjusted, index) => {
        expect(adjusted).toBeCloseTo(holmOf(ps, index), 12);
      });
    }
  });
});

describe('the Wilson interval', () => {
  it('equals the hand-calculated one: 8 of 10 give 0.4902 to 0.9433', () => {
    const interval = wilson(8, 10);
    expect(interval?.low).toBeCloseTo(0.490162, 5);
    expect(interval?.high).toBeCloseTo(0.943318, 5);
  });

  it('stays within 0 and 1, and is none without a trial', () => {
    expect(wilson(0, 5)).toMatchObject({ value: 0, low: 0 });
    expect(wilson(5, 5)).toMatchObject({ value: 1, high: 1 });
    expect(wilson(0, 0)).toBeUndefined();
  });

  it('holds exactly the shares that the score test does not refuse', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 100; round++) {
      const trials = 1 + Math.floor(random() * 60);
      const successes = Math.floor(random() * (trials + 1));
      const { low, high } = wilson(successes, trials) as { low: number; high: number };
      // The bounds are the roots of |share - p| = z sqrt(p (1 - p) / n), found here by halving.
      const share = successes / trials;
      const distance = (p: number) => Math.abs(share - p) - 1.959963984540054 * Math.sqrt((p * (1 - p)) / trials);
      expect(low).toBeCloseTo(root(distance, 0, share), 6);
      expect(high).toBeCloseTo(root(distance, 1, share), 6);
    }
  });
});

describe('the bootstrap', () => {
  it('gives the same interval for the same seed', () => {
    const values = [0, 1, 1, 0, 1, 1, 1];
    expect(bootstrapMean(values, 11)).toEqual(bootstrapMean(values, 11));
    expect(bootstrapMean([], 11)).toBeUndefined();
  });

  it('has no width where nothing varies, and no difference between an arm and itself', () => {
    expect(bootstrapMean([0.5, 0.5], 1)).toEqual({ value: 0.5, low: 0.5, high: 0.5, n: 2 });
    const pairs = [0, 1, 1].map((value) => ({ control: value, treatment: value }));
    expect(pairedBootstrap(pairs, 1)).toMatchObject({ value: 0, low: 0, high: 0 });
  });

  it('equals every resample counted out for three instances', () => {
    const interval = bootstrapMean([0, 0, 3], 9, 200_000);
    // 27 equally likely resamples: means 0 (8), 1 (12), 2 (6), 3 (1 of 27 = 3.7 %).
    expect(interval).toMatchObject({ value: 1, low: 0, high: 3 });
  });

  it('equals a second implementation that knows the binomial distribution', () => {
    const random = seededRandom(6);
    for (let round = 0; round < 5; round++) {
      const values = Array.from({ length: 25 }, () => Number(random() < 0.6));
      const interval = bootstrapMean(values, round) as { low: number; high: number };
      const share = values.reduce((sum, value) => sum + value, 0) / 25;
      const count = binomialQuantile(25, share, 0.025);
      expect(Math.abs(interval.low * 25 - count)).toBeLessThanOrEqual(1);
      expect(Math.abs(interval.high * 25 - binomialQuantile(25, share, 0.975))).toBeLessThanOrEqual(1);
    }
  });

  it('keeps pairs together: two arms that fail together differ by nothing', () => {
    const pairs = Array.from({ length: 40 }, (_, index) => ({
      control: index % 2,
      treatment: index % 2 === 0 ? 0.5 : 1.5,
    }));
    expect(pairedBootstrap(pairs, 1)).toMatchObject({ value: 0.5, low: 0.5, high: 0.5 });
  });

  it('interpolates quantiles between neighbours', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([1], 0.9)).toBe(1);
  });
});

describe('a correlation', () => {
  const pairsOf = (...ys: number[]) => ys.map((y, x): [number, number] => [x, y]);

  it('is 1 on a line, -1 on a falling one, and none for a constant or for three pairs', () => {
    expect(correlation(pairsOf(2, 4, 6, 8))?.value).toBeCloseTo(1, 12);
    expect(correlation(pairsOf(4, 3, 2, 1))?.value).toBeCloseTo(-1, 12);
    expect(correlation(pairsOf(1, 1, 1, 1))).toBeUndefined();
    expect(correlation(pairsOf(1, 2, 3))).toBeUndefined();
  });

  it('equals the hand-calculated one, with its interval', () => {
    // Of 0, 1, 2, 3 with 1, 3, 2, 4: r = 4 / 5; z = 1.0986, half = 1.96 / sqrt(1).
    const found = correlation(pairsOf(1, 3, 2, 4));
    expect(found?.value).toBeCloseTo(0.8, 12);
    expect(found?.low).toBeCloseTo(Math.tanh(Math.log(3) - 1.959964), 5);
    expect(found?.high).toBeCloseTo(Math.tanh(Math.log(3) + 1.959964), 5);
  });
});

const python = (() => {
  try {
    execFileSync('python3', ['-c', 'import math']);
    return true;
  } catch {
    return false;
  }
})();

it.runIf(python)('the error function equals Python’s from the middle to the far tail', () => {
  const points = Array.from({ length: 60 }, (_, index) => index / 10);
  const script = `import math, json; print(json.dumps([math.erfc(x) for x in ${JSON.stringify(points)}]))`;
  const expected = JSON.parse(execFileSync('python3', ['-c', script], { encoding: 'utf8' })) as number[];
  points.forEach((point, index) => {
    expect(erfc(point) / (expected[index] as number)).toBeCloseTo(1, 9);
  });
});

/** Twice the normal distribution's tail above z, by Simpson's rule. */
function upperTail(z: number): number {
  const steps = 4000;
  const top = z + 12;
  const width = (top - z) / steps;
  const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(z) + density(top);
  for (let step = 1; step < steps; step++) sum += density(z + step * width) * (step % 2 === 0 ? 2 : 4);
  return (2 * sum * width) / 3;
}

function holmOf(ps: number[], index: number): number {
  const own = ps[index] as number;
  const noLarger = ps.filter((p) => p <= own);
  return Math.max(...noLarger.map((p) => Math.min(1, p * ps.filter((other) => other >= p).length)));
}

/** Where `f` changes its sign between `outer` (positive) and `inner` (negative or zero). */
function root(f: (p: number) => number, outer: number, inner: number): number {
  let [out, within] = [outer, inner];
  if (f(out) <= 0) return out;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (out + within) / 2;
    if (f(middle) > 0) out = middle;
    else within = middle;
  }
  return within;
}

function binomialQuantile(n: number, p: number, share: number): number {
  let chance = (1 - p) ** n;
  let sum = chance;
  let k = 0;
  while (sum < share && k < n) {
    k++;
    chance *= ((n - k + 1) / k) * (p / (1 - p));
    sum += chance;
  }
  return k;
}
