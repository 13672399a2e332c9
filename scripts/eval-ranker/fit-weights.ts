import { type Feature, WEIGHTS } from '../../src/repository/ranking/weights.ts';
import type { Measured } from './measure.ts';

export type Weights = Record<Feature, number>;

const FEATURES = Object.keys(WEIGHTS) as Feature[];
/** A candidate beyond these is not worth comparing with the gold file. */
const POOL = 200;
const STEPS = 300;
const RATE = 0.1;
/** How strongly a weight is drawn towards its place in `PRIOR`: what few issues show changes it little. */
const SHRINKAGE = 0.03;
/** What one would think before any issue is seen: words count, a place that the issue itself names counts double. */
const PRIOR = new Map<Feature, number>([
  ['path', 2],
  ['innermostFrame', 2],
  ['dottedDefinition', 2],
  ['packageFile', -0.5],
]);

interface Group {
  rows: Float64Array[];
  gold: boolean[];
}

/**
 * Weights under which the gold files of these issues stand highest: listwise softmax (Cao et al. 2007, top one) with an
 * L2 penalty, by Adam. No feature may speak against a file, but `packageFile` may only speak against it. Nothing of the
 * weights in use goes in.
 */
export function fitWeights(measured: Measured[], shrinkage = SHRINKAGE): Weights {
  const groups = measured.map(asGroup).filter(({ gold }) => gold.includes(true));
  const prior = Float64Array.from(FEATURES, (feature) => PRIOR.get(feature) ?? 1);
  const weights = prior.slice();
  const mean = new Float64Array(FEATURES.length);
  const square = new Float64Array(FEATURES.length);
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeOf(groups, weights, prior, shrinkage);
    for (const [at, value] of slope.entries()) {
      mean[at] = 0.9 * (mean[at] as number) + 0.1 * value;
      square[at] = 0.99 * (square[at] as number) + 0.01 * value * value;
      const corrected = (mean[at] as number) / (1 - 0.9 ** step);
      const size = Math.sqrt((square[at] as number) / (1 - 0.99 ** step)) + 1e-8;
      const next = (weights[at] as number) - (RATE * corrected) / size;
      weights[at] = FEATURES[at] === 'packageFile' ? Math.min(0, next) : Math.max(0, next);
    }
  }
  return Object.fromEntries(FEATURES.map((feature, at) => [feature, weights[at] as number])) as Weights;
}

function asGroup({ candidates, gold }: Measured): Group {
  const wanted = new Set(gold);
  const likely = [...candidates].sort((a, b) => roughly(b.features) - roughly(a.features));
  const pool = likely.filter(({ path }, at) => at < POOL || wanted.has(path));
  return {
    rows: pool.map(({ features }) => Float64Array.from(FEATURES, (feature) => features[feature] ?? 0)),
    gold: pool.map(({ path }) => wanted.has(path)),
  };
}

const roughly = (features: Partial<Weights>): number =>
  Object.values(features).reduce((sum, value) => sum + Math.max(0, value), 0);

/** Of the mean loss over the issues, with the penalty. */
function slopeOf(groups: Group[], weights: Float64Array, prior: Float64Array, shrinkage: number): Float64Array {
  const slope = weights.map((weight, at) => 2 * shrinkage * (weight - (prior[at] as number)));
  for (const { rows, gold } of groups) {
    const scores = rows.map((row) => dot(row, weights));
    const greatest = Math.max(...scores);
    const odds = scores.map((score) => Math.exp(score - greatest));
    const sum = odds.reduce((a, b) => a + b, 0);
    const golds = gold.filter(Boolean).length;
    rows.forEach((row, at) => {
      const error = (odds[at] as number) / sum - (gold[at] ? 1 / golds : 0);
      for (let f = 0; f < row.length; f++)
        slope[f] = (slope[f] as number) + (error * (row[f] as number)) / groups.length;
    });
  }
  return slope;
}

function dot(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < row.length; at++) sum += (row[at] as number) * (weights[at] as number);
  return sum;
}
