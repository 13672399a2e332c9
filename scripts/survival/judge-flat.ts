import { quantileOf } from './figures.ts';

/** What one process held when so many runs were over. */
export interface Sample {
  runs: number;
  heapMiB: number;
  residentMiB: number;
  containers: number;
}

export interface Growth {
  before: number;
  after: number;
}

/** A process is warm after a third of the runs; from there to the end is what counts. */
const WARM_SHARE = 1 / 3;
const WINDOW_SHARE = 1 / 6;
/** What a heap that does not grow may move by all the same. */
const HEAP_MOVES = 0.1;
/** Pages that were once used are not all given back. */
const RESIDENT_MOVES = 0.2;

/** Compares what was held just after the warm-up with what is held at the end, in medians of a sixth of the runs each. */
export function judgeFlat(samples: Sample[], runs: number): { heap: Growth; resident: Growth; broken: string[] } {
  const within = (from: number) =>
    samples.filter((sample) => sample.runs >= from && sample.runs <= from + runs * WINDOW_SHARE);
  const [early, late] = [within(runs * WARM_SHARE), within(runs * (1 - WINDOW_SHARE))];
  const growthOf = (value: (sample: Sample) => number): Growth => ({
    before: quantileOf(early.map(value), 0.5),
    after: quantileOf(late.map(value), 0.5),
  });
  const heap = growthOf(({ heapMiB }) => heapMiB);
  const resident = growthOf(({ residentMiB }) => residentMiB);
  const left = samples.at(-1)?.containers ?? Number.NaN;
  const broken = [
    ...(grows(heap, HEAP_MOVES) ? [`the heap grew from ${inWords(heap)}`] : []),
    ...(grows(resident, RESIDENT_MOVES) ? [`memory grew from ${inWords(resident)}`] : []),
    ...(left === 0 ? [] : [`${left} containers are left`]),
  ];
  return { heap, resident, broken };
}

/** What was not measured counts as grown. */
const grows = ({ before, after }: Growth, share: number): boolean => !(after <= before * (1 + share));

const inWords = ({ before, after }: Growth): string => `${before.toFixed(1)} to ${after.toFixed(1)} MiB`;
