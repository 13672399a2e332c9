import type { Arm, Scope } from '../arms/arm.ts';
import type { Judgement, Vote } from '../judges/judgement.ts';
import type { Skipped } from '../running/evaluation.ts';
import { type Outcome, passed } from '../scoring/outcome.ts';
import { agreement } from '../statistics/agreement.ts';
import { bootstrapMean, type Estimate } from '../statistics/bootstrap.ts';
import { seedFrom } from '../statistics/seeded-random.ts';
import { wilson } from '../statistics/wilson.ts';
import { type Comparison, compareArms } from './compare-arms.ts';
import { METRICS, type Measured } from './metrics-catalogue.ts';

export interface ArmSummary {
  name: string;
  kind: Arm['kind'];
  about: string;
  runs: number;
  /** The rate of the primary measure, with its Wilson interval. */
  rate?: Estimate;
  /** By key of the catalogue; absent where no instance has a value. */
  metrics: Record<string, Estimate>;
}

export interface Summary {
  scope: Scope;
  /** What "passed" means in `rate` and in comparisons. */
  measure: 'resolved' | 'hit@1';
  standIn: boolean;
  instances: number;
  arms: ArmSummary[];
  comparisons: Comparison[];
  skipped: Skipped[];
  left: number;
  /** Krippendorff's alpha between repetitions, by what was judged. */
  agreement: Record<string, number>;
  votes: Vote[];
}

export interface SummaryInput {
  scope: Scope;
  standIn: boolean;
  arms: Arm[];
  outcomes: Outcome[];
  skipped: Skipped[];
  left: number;
  judgements: Judgement[];
  votes: Vote[];
}

/** Everything that the report says, computed from the outcomes; the same outcomes give the same numbers. */
export function summarize(input: SummaryInput): Summary {
  const { scope, standIn, arms, outcomes, skipped, left, judgements, votes } = input;
  const tested = outcomes.some((outcome) => outcome.tests !== undefined);
  const measure = tested ? 'resolved' : 'hit@1';
  return {
    ...{ scope, measure, standIn, skipped, left, votes },
    instances: new Set(outcomes.map((outcome) => outcome.instance)).size,
    arms: arms.map((arm) => summarizeArm(arm, measuredIn(arm.name, outcomes, judgements), measure)),
    comparisons: compareArms(arms, outcomes, measure),
    agreement: agreements(judgements),
  };
}

function measuredIn(arm: string, outcomes: Outcome[], judgements: Judgement[]): Measured[] {
  const judged = new Map(judgements.filter((one) => one.arm === arm).map((one) => [one.instance, one]));
  return outcomes
    .filter((outcome) => outcome.arm === arm)
    .map((outcome) => ({ outcome, judgement: judged.get(outcome.instance) }));
}

function summarizeArm({ name, kind, about }: Arm, measured: Measured[], measure: Summary['measure']): ArmSummary {
  const metrics: Record<string, Estimate> = {};
  for (const { key, value, binary } of METRICS) {
    const values = measured.map(value).filter((one) => one !== undefined);
    const estimate = binary ? proportion(values) : bootstrapMean(values, seedFrom(`${name}\n${key}`));
    if (estimate) metrics[key] = estimate;
  }
  const outcomes = measured.map(({ outcome }) => passed(outcome, measure)).filter((one) => one !== undefined);
  const rate = wilson(outcomes.filter(Boolean).length, outcomes.length);
  return { name, kind, about, runs: measured.length, metrics, ...(rate ? { rate } : {}) };
}

/** Resamples of a dozen misses are all misses; Wilson's interval knows better. */
const proportion = (values: number[]): Estimate | undefined =>
  wilson(values.filter((value) => value === 1).length, values.length);

function agreements(judgements: Judgement[]): Record<string, number> {
  const items: Record<string, number[][]> = {};
  const add = (name: string, values: number[]) => {
    items[name] ??= [];
    items[name].push(values);
  };
  for (const { questions, coverage, answers, findings } of judgements) {
    for (const question of questions) {
      for (const [name, score] of Object.entries(question.scores)) add(`question ${name}`, score.values);
    }
    for (const { support } of answers) add('answer support', support.values);
    if (coverage) add('question coverage', coverage.values);
    for (const [name, score] of Object.entries(findings ?? {})) add(`finding ${name}`, score.values);
  }
  const alphas = Object.entries(items).map(([name, values]) => [name, agreement(values)] as const);
  return Object.fromEntries(alphas.flatMap(([name, alpha]) => (alpha === undefined ? [] : [[name, alpha]])));
}
