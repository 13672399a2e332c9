import { type Outcome, passed } from '../scoring/outcome.ts';
import type { Estimate } from '../statistics/bootstrap.ts';
import { correlation } from '../statistics/correlation.ts';
import { wilson } from '../statistics/wilson.ts';
import type { Summary } from '../summary/summarize.ts';
import { figure } from './figure.ts';
import type { Html } from './html.ts';
import type { PageData } from './page-data.ts';
import { dotPlot, linePlot, scatterPlot } from './plots.ts';
import { withInterval } from './values.ts';

const measureName = ({ measure }: Summary): string =>
  measure === 'resolved' ? 'resolved' : 'right file named first (hit@1)';

/** How often each arm succeeds. */
export function ratePlot({ summary }: PageData): Html[] {
  const rows = summary.arms.flatMap(({ name, rate }) => (rate ? [{ label: name, estimate: rate }] : []));
  if (rows.length === 0) return [];
  const title = `Share of instances: ${measureName(summary)}`;
  const table = {
    heads: ['arm', measureName(summary)],
    rows: rows.map((row) => [row.label, withInterval(row.estimate, 'share')]),
  };
  return [
    figure(
      title,
      'Bars are 95 % Wilson intervals. Intervals that overlap do not settle which arm is better; the paired comparisons below do.',
      dotPlot(rows, 'share', title),
      table,
    ),
  ];
}

/** What success costs. */
export function costPlot({ summary }: PageData): Html[] {
  const points = summary.arms.flatMap(({ name, rate, metrics }) => {
    const paid = summary.arms.some((arm) => (arm.metrics['usd']?.value ?? 0) > 0);
    const x = paid ? metrics['usd'] : metrics['tokens'];
    return rate && x ? [{ label: name, x, y: rate, paid }] : [];
  });
  if (points.length === 0) return [];
  const unit = points[0]?.paid ? 'usd' : 'tokens';
  const [xName, title] =
    unit === 'usd'
      ? ['US dollars an instance', 'Cost against success']
      : ['tokens an instance', 'Tokens against success'];
  const rows = points.map(({ label, x, y }) => [label, withInterval(x, unit), withInterval(y, 'share')]);
  const caption =
    unit === 'usd'
      ? 'Mean cost of a whole run, with 95 % bootstrap intervals. The cost axis does not begin at zero.'
      : 'No call had a price, so mean tokens of a whole run stand for the cost. 95 % intervals; the axis of tokens does not begin at zero.';
  return [
    figure(title, caption, scatterPlot(points, [unit, 'share'], [xName, measureName(summary)], title), {
      heads: ['arm', xName, measureName(summary)],
      rows,
    }),
  ];
}

/** Whether better knowledge goes with better outcomes (SHERLOC §4.7). */
export function qualityPlot({ summary, runs }: PageData): Html[] {
  const quality = qualityOf(runs);
  if (!quality) return [];
  const pairs = runs.flatMap((run) => {
    const [value, success] = [quality.value(run), passed(run.outcome, summary.measure)];
    return value === undefined || success === undefined ? [] : [{ value, success }];
  });
  const rows = quality.bins.flatMap(({ name, holds }) => {
    const own = pairs.filter(({ value }) => holds(value));
    const estimate = wilson(own.filter(({ success }) => success).length, own.length);
    return estimate ? [{ label: name, estimate }] : [];
  });
  if (rows.length === 0) return [];
  const r = quality.ordered ? correlation(pairs.map(({ value, success }) => [value, Number(success)])) : undefined;
  const caption = `${quality.about} Over all arms; 95 % Wilson intervals.${r ? ` ${correlationText(r)}` : ''}`;
  const table = {
    heads: [quality.name, measureName(summary)],
    rows: rows.map((row) => [row.label, withInterval(row.estimate, 'share')]),
  };
  return [figure(`${quality.name} and outcome`, caption, dotPlot(rows, 'share', quality.name), table)];
}

const correlationText = ({ value, low, high, n }: Estimate): string =>
  `Pearson’s r = ${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) over ${n} runs.`;

interface Quality {
  name: string;
  about: string;
  /** True where more of it should be better, so that a correlation can be read. */
  ordered: boolean;
  value(run: PageData['runs'][number]): number | undefined;
  bins: { name: string; holds(value: number): boolean }[];
}

// SHERLOC's four levels of a composite (§4.5).
const LEVELS = [
  { name: 'very high, over 4', holds: (value: number) => value > 4 },
  { name: 'high, over 3', holds: (value: number) => value > 3 && value <= 4 },
  { name: 'medium, over 2', holds: (value: number) => value > 2 && value <= 3 },
  { name: 'low', holds: (value: number) => value <= 2 },
];

function qualityOf(runs: PageData['runs']): Quality | undefined {
  if (runs.some(({ judgement }) => judgement?.composite)) {
    return {
      name: 'Finding quality',
      ordered: true,
      about: 'The judge’s composite, which knows the fix.',
      value: ({ judgement }) => judgement?.composite?.mean,
      bins: LEVELS,
    };
  }
  if (runs.some(({ outcome }) => outcome.rating !== undefined)) {
    return {
      name: 'Verifier’s rating',
      ordered: true,
      about: 'The composite of the Verifier, which does not know the fix.',
      value: ({ outcome }) => outcome.rating,
      bins: LEVELS,
    };
  }
  if (runs.some(({ outcome }) => outcome.tests)) return coverage;
  return runs.some(({ outcome }) => outcome.lexicalRank !== undefined) ? lexicalStanding : undefined;
}

const coverage: Quality = {
  name: 'Chunk coverage',
  ordered: true,
  about: 'Whether the findings cover every gold chunk (SHERLOC, Table 13).',
  value: ({ outcome }: { outcome: Outcome }) => outcome.chunks?.coverageRecall,
  bins: [
    { name: 'complete', holds: (value) => value === 1 },
    { name: 'partial', holds: (value) => value > 0 && value < 1 },
    { name: 'none', holds: (value) => value === 0 },
  ],
};

const lexicalStanding: Quality = {
  name: 'Place in the word ranking',
  ordered: false,
  about: 'Where the first gold file stood in the lexical ranking, which no model made.',
  value: ({ outcome }: { outcome: Outcome }) => (outcome.lexicalRank === 0 ? 11 : outcome.lexicalRank),
  bins: [
    { name: 'first', holds: (value) => value === 1 },
    { name: 'second or third', holds: (value) => value === 2 || value === 3 },
    { name: 'fourth to tenth', holds: (value) => value > 3 && value < 11 },
    { name: 'not among ten', holds: (value) => value === 11 },
  ],
};

/** The sweep over the number of questions, where its arms were run (ACQUIRE RQ4). */
export function sweepPlot({ summary }: PageData): Html[] {
  const points = summary.arms.flatMap(({ name, rate, metrics }) => {
    const count = /^n([0-5])$/.exec(name)?.[1];
    return count !== undefined && rate ? [{ x: Number(count), estimate: rate, usd: metrics['usd'] }] : [];
  });
  if (points.length < 2) return [];
  const title = 'Number of questions';
  const rows = points.map(({ x, estimate, usd }) => [
    String(x),
    withInterval(estimate, 'share'),
    withInterval(usd, 'usd'),
  ]);
  return [
    figure(
      title,
      'ACQUIRE found the best of N = 0 to 3 at 2. 95 % Wilson intervals.',
      linePlot(points, 'share', 'questions asked', title),
      { heads: ['questions', measureName(summary), 'cost an instance'], rows },
    ),
  ];
}
