import { seededRandom } from './seeded-random.ts';

/** A value with its 95 % interval; `n` is how many instances it rests on. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
  n: number;
}

export const RESAMPLES = 10_000;

/**
 * The mean with its percentile bootstrap interval over instances (SHERLOC K.2: 10,000 resamples). Undefined without
 * values. The interval speaks of other instances, not of another run of the same model.
 */
export function bootstrapMean(values: number[], seed: number, resamples = RESAMPLES): Estimate | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  const random = seededRandom(seed);
  const means = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0;
    for (let draw = 0; draw < n; draw++) sum += values[Math.floor(random() * n)] as number;
    means[resample] = sum / n;
  }
  means.sort();
  return { value: mean(values), low: quantile(means, 0.025), high: quantile(means, 0.975), n };
}

/** The mean difference `treatment - control` over the same instances, resampled in pairs (SHERLOC K.2). */
export function pairedBootstrap(
  pairs: { control: number; treatment: number }[],
  seed: number,
  resamples = RESAMPLES,
): Estimate | undefined {
  return bootstrapMean(
    pairs.map(({ control, treatment }) => treatment - control),
    seed,
    resamples,
  );
}

export const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of sorted values, interpolated between neighbours (type 7 of Hyndman and Fan). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (place - below);
}
