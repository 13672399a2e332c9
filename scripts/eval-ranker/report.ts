import type { Estimate } from '../../src/evaluation/statistics/bootstrap.ts';
import { type Comparison, DEPTHS, type DepthFigures } from './figures.ts';

export function figuresTable(rows: { name: string; figures: DepthFigures[] }[]): string {
  const head = ['accuracy', 'recall'].flatMap((what) => DEPTHS.map((depth) => `${what} @${depth}`.padStart(20)));
  const lines = rows.map(({ name, figures }) => {
    const cells = [...figures.map(({ accuracy }) => accuracy), ...figures.map(({ recall }) => recall)];
    return name.padEnd(34) + cells.map((cell) => withInterval(cell).padStart(20)).join('');
  });
  return `${[''.padEnd(34) + head.join(''), ...lines].join('\n')}\n`;
}

export function comparisonTable(name: string, comparisons: Comparison[]): string {
  const lines = comparisons.map(({ depth, accuracy, recall }) => {
    const pairs = `found ${accuracy.gained} that it misses, misses ${accuracy.lost} that it finds`;
    return `  @${String(depth).padEnd(3)} ${pairs}, McNemar p = ${accuracy.p.toFixed(4)}; recall ${difference(recall)}`;
  });
  return `${[`Ours beside ${name}:`, ...lines].join('\n')}\n`;
}

const percent = (value: number): string => (100 * value).toFixed(1);

function withInterval(estimate: Estimate | undefined): string {
  if (!estimate) return 'none';
  return `${percent(estimate.value)} (${percent(estimate.low)}-${percent(estimate.high)})`;
}

function difference(estimate: Estimate | undefined): string {
  if (!estimate) return 'none';
  const signed = (value: number): string => `${value >= 0 ? '+' : ''}${percent(value)}`;
  return `${signed(estimate.value)} points (${signed(estimate.low)} to ${signed(estimate.high)})`;
}
