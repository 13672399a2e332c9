import type { DatabaseKind } from './kill-points.ts';
import { addTallies, nothingAmiss, type Tally } from './tally.ts';

/** Something measured; `n`, least, median and most are shown of it. */
export interface Figure {
  database: DatabaseKind;
  name: string;
  unit: 's' | 'ms' | 'MiB' | '';
  values: number[];
}

/** What a part of the survival test found. */
export interface PartResult {
  tally: Tally;
  figures: Figure[];
  /** Promises that were broken, in words; each fails the whole. */
  broken: string[];
}

export const emptyResult = (): PartResult => ({ tally: nothingAmiss(), figures: [], broken: [] });

export const addResults = (results: PartResult[]): PartResult => ({
  tally: addTallies(...results.map(({ tally }) => tally)),
  figures: results.flatMap(({ figures }) => figures),
  broken: results.flatMap(({ broken }) => broken),
});

/** The value below which `share` of the values lie (nearest rank); NaN where there are none. */
export function quantileOf(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

const columns = ['n', 'min', 'median', 'max'];
const NAME_WIDTH = 62;

/** The figures as lines of text, one for each. */
export function tableOf(figures: Figure[]): string {
  const line = (name: string, cells: string[], unit = '') =>
    `${name.padEnd(NAME_WIDTH)}${cells.map((cell) => cell.padStart(9)).join('')}  ${unit}`.trimEnd();
  const rows = figures.map(({ database, name, unit, values }) => {
    const amounts = [0, 0.5, 1].map((share) => amount(quantileOf(values, share), unit));
    return line(`${database}: ${name}`, [String(values.length), ...amounts], unit);
  });
  return [line('', columns), ...rows].join('\n');
}

function amount(value: number, unit: Figure['unit']): string {
  if (Number.isNaN(value)) return '-';
  return value.toFixed(unit === 's' ? 2 : unit === 'MiB' ? 1 : 0);
}
